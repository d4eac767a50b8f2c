/** The embedder over HTTP: one for every row of the provider table. */

import { MemuError } from '../util/errors.ts'
import { HttpFailure, type JsonClient, postJson } from '../util/post-json.ts'
import type { Embedder } from './embedder.ts'
import type { Provider, Purpose } from './providers.ts'

export interface HttpEmbedderOptions {
  readonly provider: Provider
  readonly model: string
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly client: JsonClient
}

/** Texts in one request. */
const BATCH = 64
/** Characters in one request: the strictest provider (Voyage) takes 120,000 tokens in all, and a character is up to one and a half. */
const BATCH_CHARACTERS = 80_000
/** A prompt waits for its query: no longer than a person does. */
const QUERY_TIMEOUT_MS = 10_000

/** Asks the provider how many dimensions its model has. Errors: `embedding_failed`. */
export async function probeDimensions(options: HttpEmbedderOptions, signal?: AbortSignal): Promise<number> {
  const [vector] = await request(options, ['dimensions'], 'query', undefined, signal)
  return vector!.length
}

/** Errors of `embed`: `embedding_failed`, which names provider, model, status and what to check, never the key. */
export function httpEmbedder(options: HttpEmbedderOptions, dimensions: number): Embedder {
  const { provider, model } = options
  return {
    space: { provider: provider.name, model, dimensions },
    maxCharacters: provider.maxCharacters,
    async embed(texts, signal) {
      // Providers refuse an empty text, so it never travels; its vector is zeros.
      const wanted = texts.flatMap((text, index) => (text.trim() === '' ? [] : [index]))
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions))
      for (const batch of batches(wanted, texts)) {
        const found = await request(options, batch.map((index) => texts[index]!), 'document', dimensions, signal) // biome-ignore format: one call
        for (const [place, index] of batch.entries()) vectors[index] = found[place]!
      }
      return vectors
    },
    async embedQuery(text, _weight, signal) {
      // The engine splits stored lines; of a pasted page as a query, the beginning says what it is about.
      const query = text.slice(0, provider.maxCharacters).trim()
      if (query === '') return new Float32Array(dimensions)
      const [vector] = await request(options, [query], 'query', dimensions, signal)
      return vector!
    },
  }
}

/** Indexes of texts, cut into requests. */
function* batches(indexes: readonly number[], texts: readonly string[]): Generator<number[]> {
  let batch: number[] = []
  let characters = 0
  for (const index of indexes) {
    const length = texts[index]!.length
    if (batch.length === BATCH || (batch.length > 0 && characters + length > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(index)
    characters += length
  }
  if (batch.length > 0) yield batch
}

async function request(
  options: HttpEmbedderOptions,
  texts: readonly string[],
  purpose: Purpose,
  dimensions: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const { provider, model, client } = options
  let answer: unknown
  try {
    answer = await postJson(client, {
      url: endpoint(options),
      body: provider.request(model, texts, purpose),
      key: options.apiKey,
      timeoutMs: purpose === 'query' ? Math.min(provider.timeoutMs, QUERY_TIMEOUT_MS) : provider.timeoutMs,
      signal,
    })
  } catch (error) {
    throw error instanceof HttpFailure ? failed(options, error.message, advice(options, error)) : error
  }
  return checked(options, provider.vectors(answer), texts.length, dimensions)
}

/** Unit vectors, or an error that says what is wrong with the answer. */
function checked(
  options: HttpEmbedderOptions,
  vectors: readonly unknown[] | undefined,
  count: number,
  dimensions: number | undefined,
): Float32Array[] {
  const hint = `Check that MEMU_BASE_URL (${shownUrl(options)}) is an embedding endpoint and that the model is an embedding model.`
  if (vectors === undefined) throw failed(options, 'the answer holds no vectors', hint)
  if (vectors.length !== count) throw failed(options, `${vectors.length} vectors came back for ${count} texts`, hint)
  const expected = dimensions ?? (vectors[0] as { length?: number } | undefined)?.length
  return vectors.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0) throw failed(options, 'a vector is missing in the answer', hint)
    if (vector.length !== expected) {
      throw failed(
        options,
        `a vector has ${vector.length} dimensions where ${expected} were expected`,
        `${hint} After a change of model: memu reindex.`,
      )
    }
    return unit(options, vector as readonly unknown[], hint)
  })
}

function unit(options: HttpEmbedderOptions, vector: readonly unknown[], hint: string): Float32Array {
  let squares = 0
  for (const value of vector) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw failed(options, 'a vector holds something that is not a finite number', hint)
    squares += value * value
  }
  if (squares === 0) throw failed(options, 'a vector is all zeros', hint)
  const norm = Math.sqrt(squares)
  return Float32Array.from(vector as readonly number[], (value) => value / norm)
}

function endpoint({ baseUrl, provider }: HttpEmbedderOptions): string {
  const url = new URL(baseUrl)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith(provider.path)) url.pathname = path + provider.path
  return url.href
}

function failed(options: HttpEmbedderOptions, what: string, hint: string): MemuError {
  return new MemuError(
    'embedding_failed',
    `Embedding with ${options.provider.name} (${options.model}) failed: ${what}.`.replace(/\.\.$/, '.'),
    { hint },
  )
}

function advice(options: HttpEmbedderOptions, { status }: HttpFailure): string {
  const { provider } = options
  if (status === 401 || status === 403) return `Check MEMU_API_KEY: it has to be a key of ${provider.name}. ${provider.help}`
  if (status === 404) return `Check MEMU_BASE_URL (${shownUrl(options)}) and MEMU_EMBED_MODEL (${options.model}). ${provider.help}`
  if (status === 429) return 'The rate limit or the quota is used up; try again later, or check the plan of the key.'
  if (status === 400 || status === 422) return `Check MEMU_EMBED_MODEL (${options.model}).`
  if (status !== undefined && status >= 300 && status < 400)
    return `The server redirects: put its real address into MEMU_BASE_URL (${shownUrl(options)}).`
  if (status !== undefined) return 'The provider has trouble; try again later.'
  return `Check that ${shownUrl(options)} can be reached, and the proxy settings (MEMU_HTTP_PROXY, HTTPS_PROXY, NO_PROXY). ${provider.help}`
}

/** Without a user, password or query that may stand in it. */
function shownUrl({ baseUrl }: HttpEmbedderOptions): string {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/$/, '')
}
