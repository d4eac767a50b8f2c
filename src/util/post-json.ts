/**
 * One JSON request over HTTP as every client of ours makes it: proxies, time limits, three attempts, a bound on the
 * answer, and errors that say what failed without ever repeating a key, or more of the address than its host.
 */

import type { ProxyAgent } from 'undici'
import { reason, systemCode } from './errors.ts'
import { type Lookup, proxyFor } from './proxy.ts'
import { addressSecrets, redact } from './redact.ts'
import { backoff, pause, retry, retryAfter } from './retry.ts'
import type { System } from './system.ts'
import { timeLimit } from './time-limit.ts'

export interface JsonRequest {
  /** Its query and credentials are kept out of every message, as the key is. */
  readonly url: string
  /** Default `POST`. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  /** Kept out of every message, also where the server repeats it or a part of it. */
  readonly key?: string | undefined
  /** The header that carries the key as it is; without it the key is a bearer token. */
  readonly keyHeader?: string
  readonly headers?: Readonly<Record<string, string>>
  /** 1 where a second attempt could do the work twice. Default 3. */
  readonly attempts?: number
  /** For one attempt, answer included. */
  readonly timeoutMs: number
  /** Above this an answer is none; default 64 MiB. */
  readonly maxAnswerBytes?: number
  readonly signal?: AbortSignal | undefined
}

export interface JsonClient {
  readonly system: Pick<System, 'fetch' | 'now'>
  /** Where `MEMU_HTTP_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` come from. */
  readonly value: Lookup
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** `status` is absent where no answer came. `detail` is one line for people: the server's words or the transport's, without secrets. */
export class HttpFailure extends Error {
  readonly status: number | undefined
  readonly detail: string
  /** Milliseconds before another attempt; undefined where none makes sense. */
  readonly retryMs: number | undefined
  /** The transport's code (`ECONNREFUSED`), where it gave one; of an answer that is none: why, see `NO_ANSWER`. */
  readonly code: string | undefined

  constructor(detail: string, status?: number, retryMs?: number, code?: string) {
    super(status === undefined ? detail : `HTTP ${status}: ${detail}`)
    this.name = 'HttpFailure'
    this.status = status
    this.detail = detail
    this.retryMs = retryMs
    this.code = code
  }
}

/** Codes of an answer with a good status that holds nothing to be used: `page` is one that a person would see in a browser. */
export const NO_ANSWER = { tooLarge: 'ANSWER_TOO_LARGE', page: 'ANSWER_IS_A_PAGE', notJson: 'ANSWER_NOT_JSON' } as const

/** An answer above this is no answer: 64 vectors of 4,096 numbers are 4 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const DETAIL_CHARACTERS = 300
/** One a proxy, so that many requests share their connections. */
const agents = new Map<string, ProxyAgent>()

/** The parsed answer. Throws `HttpFailure`, the reason of `signal`, or what JSON says of a body that it cannot hold. */
export async function postJson(client: JsonClient, request: JsonRequest): Promise<unknown> {
  // Before anything is sent: what cannot be written down is no failure of a server.
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  return retry(() => attempt(client, request, body), {
    ...(request.attempts === undefined ? {} : { attempts: request.attempts }),
    signal: request.signal,
    sleep: client.sleep ?? pause,
    wait: (error, count) => (error instanceof HttpFailure && error.retryMs !== undefined ? error.retryMs || backoff(count) : undefined),
  })
}

async function attempt(client: JsonClient, request: JsonRequest, body: string | undefined): Promise<unknown> {
  const { response, text } = await exchange(client, request, body)
  const { status } = response
  if (status >= 200 && status < 300) {
    try {
      return JSON.parse(text)
    } catch {
      const code = /^\s*</.test(text) ? NO_ANSWER.page : NO_ANSWER.notJson
      throw new HttpFailure(`the answer is not JSON: ${shown(text, request) || 'it is empty'}`, status, undefined, code)
    }
  }
  const again = status === 408 || status === 429 || status >= 500
  const words = serverWords(text, request) || response.statusText || 'no explanation'
  // 0 stands for "as soon as the usual pause is over".
  throw new HttpFailure(words, status, again ? (retryAfter(response.headers.get('retry-after'), client.system.now()) ?? 0) : undefined)
}

async function exchange(
  client: JsonClient,
  request: JsonRequest,
  body: string | undefined,
): Promise<{ readonly response: Response; readonly text: string }> {
  const limit = timeLimit(request.timeoutMs, request.signal)
  try {
    const send = await fetchFor(client, new URL(request.url))
    const response = await send(request.url, {
      method: request.method ?? 'POST',
      headers: { accept: 'application/json', ...bodyHeaders(request), ...keyHeaders(request), ...request.headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual', // A key is for the server that was named, and a redirected POST would become a GET.
      signal: limit.signal,
    })
    return { response, text: await readBounded(response, request.maxAnswerBytes ?? MAX_ANSWER_BYTES) }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (error instanceof HttpFailure) throw error
    if (limit.isOver) throw new HttpFailure(`no answer within ${request.timeoutMs / 1000} s`, undefined, 0)
    throw new HttpFailure(shown(transportWords(error), request), undefined, 0, systemCode(innerCause(error)))
  } finally {
    limit.end()
  }
}

function bodyHeaders({ body }: JsonRequest): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

function keyHeaders({ key, keyHeader }: JsonRequest): Record<string, string> {
  if (!key) return {}
  return keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [keyHeader]: key }
}

/** The built-in fetch, or, where a proxy is due, the one that knows proxies (loaded only then). */
async function fetchFor(client: JsonClient, url: URL): Promise<typeof globalThis.fetch> {
  const proxy = proxyFor(url, client.value)
  if (proxy === undefined) return client.system.fetch
  if (!/^https?:\/\//i.test(proxy)) throw new HttpFailure(`the proxy for ${url.host} is not an http:// or https:// one`)
  // Its own words for a bad address would repeat it, and a password in it.
  if (!URL.canParse(proxy)) throw new HttpFailure(`the address of the proxy for ${url.host} is not a URL`)
  const { fetch, ProxyAgent } = await import('undici')
  const dispatcher = agents.get(proxy) ?? new ProxyAgent({ uri: proxy })
  agents.set(proxy, dispatcher)
  const send = (input: string, init: object): Promise<unknown> => fetch(input, { ...init, dispatcher })
  return send as unknown as typeof globalThis.fetch
}

async function readBounded(response: Response, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > limit) {
      throw new HttpFailure(`the answer is larger than ${limit >> 20} MiB`, response.status, undefined, NO_ANSWER.tooLarge)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Servers explain themselves in a few customary places; else the text itself. */
function serverWords(text: string, request: JsonRequest): string {
  let words: unknown
  try {
    const answer = JSON.parse(text) as Record<string, unknown> | null
    const error = answer?.error
    words = (error as { message?: unknown } | null)?.message ?? error ?? answer?.message ?? answer?.detail
  } catch {
    // Not JSON: a gateway's page, or plain words. Shown as it is.
  }
  return shown(typeof words === 'string' ? words : text, request)
}

/** `fetch failed` says nothing; its cause (`ECONNREFUSED`, a certificate error) does. */
function transportWords(error: unknown): string {
  const inner = innerCause(error)
  const words = reason(inner)
  const code = systemCode(inner)
  return code === undefined || words.includes(code) ? words : `${code} ${words}`.trim()
}

function innerCause(error: unknown): unknown {
  const cause = (error as { cause?: unknown } | null)?.cause ?? error
  return cause instanceof AggregateError ? cause.errors[0] : cause
}

/** One short line without control characters, and without the secrets of the request in any form that a server may repeat. */
function shown(text: string, request: JsonRequest): string {
  const line = redact(text.slice(0, DETAIL_CHARACTERS * 20), [request.key ?? '', ...addressSecrets(request.url)])
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
  return line.length > DETAIL_CHARACTERS ? `${line.slice(0, DETAIL_CHARACTERS)}…` : line
}
