/** One JSON request to a model server, and what its failures mean to a person. */
import { MemuError } from '../../../util/errors.ts'
import { HttpFailure, type JsonClient, postJson } from '../../../util/post-json.ts'
import { proxyFor } from '../../../util/proxy.ts'
import type { System } from '../../../util/system.ts'
import { TIME_LIMIT_MS } from '../service.ts'
import { AI_KEYS } from '../settings.ts'
import { type Connect, checkReachable } from './connect.ts'

export interface ModelServer {
  /** `Ollama` */
  readonly title: string
  readonly system: System
  readonly key?: string | undefined
  /** What to do where nothing answers. */
  readonly startHint: string
  readonly outside?: Outside
}

/** What tests have another of. */
export interface Outside {
  /** Between two attempts. */
  readonly sleep?: NonNullable<JsonClient['sleep']>
  readonly connect?: Connect
}

const ANSWER_LIMIT = 1024 * 1024

/**
 * The parsed answer; a GET where there is no body. `onSent` is called once there is a server to send it to. Tried again where the server asks for it (`Retry-After`) or is in trouble.
 * Errors: `ai_unavailable` where no connection is made within 3 s, `HttpFailure` for everything that the server says.
 */
export async function askServer(
  server: ModelServer,
  url: URL,
  body: unknown,
  { signal, onSent = () => {} }: { readonly signal: AbortSignal; readonly onSent?: (() => void) | undefined },
): Promise<unknown> {
  const { system, key, outside } = server
  const value = (name: string): string | undefined => system.env[name]
  // Through a proxy it is the proxy that connects, and its answer says whether it could.
  if (proxyFor(url, value) === undefined) await checkReachable({ title: server.title, url, hint: server.startHint }, signal, outside)
  onSent()
  return postJson(
    { system, value, ...outside },
    {
      url: url.href,
      method: body === undefined ? 'GET' : 'POST',
      body,
      key,
      timeoutMs: TIME_LIMIT_MS,
      maxAnswerBytes: ANSWER_LIMIT,
      signal,
    },
  )
}

/** A failure in words, with what to do. What is no answer of the server is given back as it is. */
export function serverFailure(error: unknown, { title, startHint, key }: ModelServer, url: URL): unknown {
  if (!(error instanceof HttpFailure)) return error
  const { status, detail } = error
  const fail = (code: string, message: string, hint?: string): MemuError =>
    new MemuError(code, `${title} at ${url.host} ${message}`, { cause: error, ...(hint === undefined ? {} : { hint }) })
  if (status === undefined) return fail('ai_unavailable', `gave no answer: ${detail}`, startHint)
  if (status >= 200 && status < 300) return fail('ai_failed', `gave an answer that cannot be read: ${detail}`, `Check ${AI_KEYS.url}.`)
  if (status === 401 || status === 403) {
    const hint = key ? `Check ${AI_KEYS.key}.` : `Set ${AI_KEYS.key} in the environment or the settings file.`
    return fail('ai_unavailable', `refused the request (${status}): ${detail}`, hint)
  }
  if (status === 404) return fail('ai_failed', `does not know this (404): ${detail}`, `Check ${AI_KEYS.url} and ${AI_KEYS.model}.`)
  if (status === 429) return fail('ai_failed', `takes no more requests for now (429): ${detail}`, 'Wait a moment, then ask again.')
  if (status === 503) return fail('ai_unavailable', `is busy or still loading its model (503): ${detail}`, 'Wait a moment, then ask again.')
  if (status >= 300 && status < 400) return fail('ai_failed', `sends elsewhere (${status})`, `Set ${AI_KEYS.url} to the final address.`)
  return fail('ai_failed', `failed (${status}): ${detail}`)
}
