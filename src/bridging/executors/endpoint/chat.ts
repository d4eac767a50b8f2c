/** One question to a chat model: OpenAI's way of asking, which most servers speak, and Ollama's own. */
import { parseBaseUrl } from '../../../config/base-url.ts'
import { EMBEDDING_BASE_URLS } from '../../../config/defaults.ts'
import { MemuError } from '../../../util/errors.ts'
import { HttpFailure, type JsonClient, postJson } from '../../../util/post-json.ts'
import { isLoopback } from '../../../util/proxy.ts'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ChatAnswer {
  readonly text: string
  /** The model ran into its limit before it was finished. */
  readonly cutOff: boolean
  readonly tokens?: { readonly input: number; readonly output: number }
}

export interface Chat {
  /** Characters of input that the model surely takes. */
  readonly budget: number
  /** Errors: `executor_failed`, which names server, model and status, never the key; the signal's reason. */
  ask(messages: readonly ChatMessage[], signal: AbortSignal): Promise<ChatAnswer>
}

export type Dialect = 'openai' | 'ollama'

/** Generation is slow; a local model on a laptop writes a few words a second. */
const TIMEOUT_MS = 10 * 60_000
/** Ollama cuts its input without a word where the context is not asked for. Tokens. */
const OLLAMA_CONTEXT = 32_768
const OLLAMA_BUDGET = 60_000
const OPENAI_BUDGET = 160_000
const CONFIG_FILE = '~/.memu/config.env'

/** Errors: `invalid_config` (exit 2) where model, key or a usable address is missing. */
export function openChat(dialect: Dialect, client: JsonClient, timeoutMs = TIMEOUT_MS): Chat {
  // The same servers answer chats and embeddings.
  const baseUrl = client.value('MEMU_EXECUTOR_BASE_URL') || EMBEDDING_BASE_URLS[dialect]!
  const model = client.value('MEMU_EXECUTOR_MODEL')
  const key = client.value('MEMU_EXECUTOR_API_KEY')
  const url = endpoint(baseUrl, dialect)
  if (!model) throw missing('MEMU_EXECUTOR_MODEL', `the model of --executor ${dialect}`)
  if (!key && dialect === 'openai' && !isLoopback(url.hostname)) throw missing('MEMU_EXECUTOR_API_KEY', `the key for ${url.host}`)
  const request = { url: url.href, key, timeoutMs }
  /** Not every server knows `response_format`; one that refuses it is not asked for it again. */
  let asksForJson = true

  async function ask(messages: readonly ChatMessage[], signal: AbortSignal): Promise<ChatAnswer> {
    const formatted = asksForJson
    try {
      const body = dialect === 'ollama' ? ollamaBody(model!, messages) : openaiBody(model!, messages, formatted)
      return readAnswer(dialect, await postJson(client, { ...request, body, signal }))
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      if (dialect === 'openai' && formatted && (error.status === 400 || error.status === 422)) {
        asksForJson = false
        return ask(messages, signal)
      }
      throw new MemuError('executor_failed', `${url.host} (${model}) did not answer: ${error.message}`, { hint: advice(error) })
    }
  }
  return { budget: dialect === 'ollama' ? OLLAMA_BUDGET : OPENAI_BUDGET, ask }
}

function openaiBody(model: string, messages: readonly ChatMessage[], formatted: boolean): object {
  return { model, messages, stream: false, ...(formatted ? { response_format: { type: 'json_object' } } : {}) }
}

function ollamaBody(model: string, messages: readonly ChatMessage[]): object {
  return { model, messages, stream: false, format: 'json', options: { num_ctx: OLLAMA_CONTEXT, temperature: 0 } }
}

interface OpenAiAnswer {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown }; readonly finish_reason?: unknown }[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown }
}

interface OllamaAnswer {
  readonly message?: { readonly content?: unknown }
  readonly done_reason?: unknown
  readonly prompt_eval_count?: unknown
  readonly eval_count?: unknown
}

/** A field that is missing or of another type reads as absent: then the answer is empty, and is asked for once more. */
function readAnswer(dialect: Dialect, value: unknown): ChatAnswer {
  if (typeof value !== 'object' || value === null) return { text: '', cutOff: false }
  if (dialect === 'ollama') {
    const answer = value as OllamaAnswer
    return {
      text: asText(answer.message?.content),
      cutOff: answer.done_reason === 'length',
      ...tokens(answer.prompt_eval_count, answer.eval_count),
    }
  }
  const answer = value as OpenAiAnswer
  const choice = Array.isArray(answer.choices) ? answer.choices[0] : undefined
  return {
    text: asText(choice?.message?.content),
    cutOff: choice?.finish_reason === 'length',
    ...tokens(answer.usage?.prompt_tokens, answer.usage?.completion_tokens),
  }
}

function tokens(input: unknown, output: unknown): Pick<ChatAnswer, 'tokens'> {
  return typeof input === 'number' && typeof output === 'number' ? { tokens: { input, output } } : {}
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function endpoint(baseUrl: string, dialect: Dialect): URL {
  const url = parseBaseUrl(baseUrl, { key: 'MEMU_EXECUTOR_BASE_URL', secretKey: 'MEMU_EXECUTOR_API_KEY', configFile: CONFIG_FILE })
  const path = dialect === 'ollama' ? '/api/chat' : '/chat/completions'
  const stem = url.pathname.replace(/\/+$/, '')
  if (!stem.endsWith(path)) url.pathname = stem + path
  return url
}

function missing(key: string, what: string): MemuError {
  return new MemuError('invalid_config', `${key} is not set: ${what} is needed.`, { hint: `Set ${key} in ${CONFIG_FILE}.`, exit: 2 })
}

function advice({ status }: HttpFailure): string {
  if (status === 401 || status === 403) return 'Check MEMU_EXECUTOR_API_KEY.'
  if (status === 404) return 'Check MEMU_EXECUTOR_BASE_URL and MEMU_EXECUTOR_MODEL.'
  return 'Nothing is lost: the next run tries again.'
}
