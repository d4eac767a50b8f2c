/**
 * The embedding providers as data. A provider that speaks one of the known forms is one more row, and nothing else.
 * Forms, models and dimensions are those of the providers' API references.
 */
import { EMBEDDING_BASE_URLS } from '../config/defaults.ts'

export type Purpose = 'document' | 'query'

export interface Provider {
  readonly name: string
  /** Absent: `MEMU_BASE_URL` has to name it. */
  readonly baseUrl?: string
  /** Appended to the base URL. */
  readonly path: string
  /** Absent: `MEMU_EMBED_MODEL` has to name it. */
  readonly model?: string
  readonly needsKey: boolean
  /** Where a person gets a key or starts the server; for hints. */
  readonly help: string
  /** The request for texts of one purpose. */
  readonly request: (model: string, texts: readonly string[], purpose: Purpose) => Readonly<Record<string, unknown>>
  /** Picks the vectors out of an answer, in the order of the texts; whatever is not there is undefined. */
  readonly vectors: (answer: unknown) => readonly unknown[] | undefined
  /** For one request of at most 64 texts. A local server may have to load its model first. */
  readonly timeoutMs: number
  /**
   * The longest text that every model of the provider takes whole, in characters. Models count tokens: 8,191 at OpenAI and
   * 8,192 at Jina, and a character of Chinese or of base64 is up to one and a half of them.
   */
  readonly maxCharacters: number
}

/** Dimensions of well-known models, so that opening one costs no request. Others are asked once. */
export const MODEL_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
  'openai/text-embedding-3-small': 1536,
  'openai/text-embedding-3-large': 3072,
  'jina-embeddings-v3': 1024,
  'jina-embeddings-v4': 2048,
  'voyage-3-large': 1024,
  'voyage-3.5': 1024,
  'voyage-3.5-lite': 1024,
  'voyage-code-3': 1024,
  'doubao-embedding-text-240715': 2560,
  'doubao-embedding-large-text-250515': 2048,
  'nomic-embed-text': 768,
  'mxbai-embed-large': 1024,
  'all-minilm': 384,
  embeddinggemma: 768,
}

/** What a model wants in front of a text, where its provider does not add it. */
const PREFIXES: Readonly<Record<string, Readonly<Record<Purpose, string>>>> = {
  'nomic-embed-text': { document: 'search_document: ', query: 'search_query: ' },
  'mxbai-embed-large': { document: '', query: 'Represent this sentence for searching relevant passages: ' },
  embeddinggemma: { document: 'title: none | text: ', query: 'task: search result | query: ' },
}

const REMOTE_TIMEOUT_MS = 60_000
const LOCAL_TIMEOUT_MS = 300_000

/** `POST <base>/embeddings {model, input}` → `{data: [{index, embedding}]}`. */
const OPENAI_FORM = {
  path: '/embeddings',
  request: (model, input) => ({ model, input, encoding_format: 'float' }),
  vectors: (answer) => {
    const data = (answer as { data?: unknown } | null)?.data
    if (!Array.isArray(data)) return undefined
    const ordered: unknown[] = new Array(data.length).fill(undefined)
    for (const [place, item] of (data as readonly ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
      ordered[typeof item?.index === 'number' ? item.index : place] = item?.embedding
    }
    return ordered
  },
  timeoutMs: REMOTE_TIMEOUT_MS,
  maxCharacters: 4000,
} satisfies Partial<Provider>

export const PROVIDERS: readonly Provider[] = [
  {
    ...OPENAI_FORM,
    name: 'openai',
    baseUrl: EMBEDDING_BASE_URLS.openai!,
    model: 'text-embedding-3-small',
    needsKey: true,
    help: 'Keys: https://platform.openai.com/api-keys',
  },
  {
    ...OPENAI_FORM,
    name: 'openai-compatible',
    needsKey: false,
    help: 'Any server with POST <MEMU_BASE_URL>/embeddings (vLLM, LM Studio, llama.cpp, LiteLLM …).',
    timeoutMs: LOCAL_TIMEOUT_MS,
    maxCharacters: 2000,
  },
  {
    ...OPENAI_FORM,
    name: 'openrouter',
    baseUrl: EMBEDDING_BASE_URLS.openrouter!,
    model: 'openai/text-embedding-3-small',
    needsKey: true,
    help: 'Keys: https://openrouter.ai/keys',
  },
  {
    ...OPENAI_FORM,
    name: 'jina',
    baseUrl: EMBEDDING_BASE_URLS.jina!,
    model: 'jina-embeddings-v3',
    needsKey: true,
    help: 'Keys: https://jina.ai/api-dashboard/key-manager',
    request: (model, input, purpose) => ({
      model,
      input,
      task: purpose === 'query' ? 'retrieval.query' : 'retrieval.passage',
      embedding_type: 'float',
    }),
  },
  {
    ...OPENAI_FORM,
    name: 'voyage',
    baseUrl: EMBEDDING_BASE_URLS.voyage!,
    model: 'voyage-3.5',
    needsKey: true,
    help: 'Keys: https://dashboard.voyageai.com',
    request: (model, input, purpose) => ({ model, input, input_type: purpose, truncation: false }),
  },
  {
    ...OPENAI_FORM,
    name: 'doubao',
    baseUrl: EMBEDDING_BASE_URLS.doubao!,
    model: 'doubao-embedding-large-text-250515',
    needsKey: true,
    help: 'Keys: https://console.volcengine.com/ark',
    maxCharacters: 2000, // Its models take 4,096 tokens.
  },
  {
    name: 'ollama',
    baseUrl: EMBEDDING_BASE_URLS.ollama!,
    path: '/api/embed',
    model: 'nomic-embed-text',
    needsKey: false,
    help: 'Start it with "ollama serve" and fetch the model with "ollama pull <model>".',
    request: (model, texts, purpose) => {
      const prefix = PREFIXES[model.replace(/:.*$/, '')]?.[purpose] ?? ''
      return { model, input: texts.map((text) => prefix + text), truncate: false }
    },
    vectors: (answer) => {
      const embeddings = (answer as { embeddings?: unknown } | null)?.embeddings
      return Array.isArray(embeddings) ? embeddings : undefined
    },
    timeoutMs: LOCAL_TIMEOUT_MS,
    maxCharacters: 1000, // Its small models take as few as 256 to 2,048 tokens.
  },
]
