/** Requests to a task service over HTTP, once each, with the port's errors. */
import { HttpFailure, postJson } from '../../util/post-json.ts'
import type { System } from '../../util/system.ts'
import { notCreated, perhapsCreated, toolWords, unavailable } from './failures.ts'

export interface RestService {
  /** For messages. */
  readonly name: string
  /** Without a slash at its end. */
  readonly url: string
  readonly key: string
  /** As in `JsonRequest`. */
  readonly keyHeader?: string
  /** What to do where the key is refused. */
  readonly keyHint: string
  readonly system: Pick<System, 'fetch' | 'now' | 'env'>
  /** For tests. Milliseconds. */
  readonly timeLimits?: { readonly list: number; readonly create: number }
}

const TIME_LIMITS_MS = { list: 10_000, create: 20_000 }
/** Thousands of tasks; a larger answer would be read for longer than a page may wait. */
const ANSWER_LIMIT = 4 * 1024 * 1024
/** What says that no request ever reached the server. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/

/** The parsed answer. Errors: `tasks_unavailable`, or the reason of `signal`. */
export async function getFrom(service: RestService, path: string, signal: AbortSignal): Promise<unknown> {
  const timeoutMs = (service.timeLimits ?? TIME_LIMITS_MS).list
  try {
    return await postJson(client(service), { ...common(service, path), method: 'GET', timeoutMs, signal })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw unavailable(service.name, toolWords(error.message), { cause: error, hint: hintFor(service, error) })
  }
}

/**
 * The parsed answer, undefined where it is not JSON. Errors: `task_create_failed` where nothing was sent or the server refused,
 * `task_create_unknown` where no answer came, or one that the server has failed.
 */
export async function createAt(
  service: RestService,
  path: string,
  { body, headers, signal }: { readonly body: object; readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<unknown> {
  signal.throwIfAborted()
  const timeoutMs = (service.timeLimits ?? TIME_LIMITS_MS).create
  try {
    return await postJson(client(service), { ...common(service, path), body, ...(headers ? { headers } : {}), timeoutMs, signal })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw perhapsCreated(service.name, 'the request was ended in the middle', { cause: error })
    const { status, code } = error
    if (status !== undefined && status < 300) return undefined
    const why = toolWords(error.message)
    const isRefused = status === undefined ? NEVER_SENT.test(code ?? '') : status < 500 && status !== 408
    if (!isRefused) throw perhapsCreated(service.name, why, { cause: error })
    throw notCreated(service.name, why, { cause: error, hint: hintFor(service, error) })
  }
}

function client({ system }: RestService): Parameters<typeof postJson>[0] {
  return { system, value: (name) => system.env[name] }
}

function common({ url, key, keyHeader }: RestService, path: string) {
  return { url: `${url}/${path}`, key, attempts: 1, maxAnswerBytes: ANSWER_LIMIT, ...(keyHeader === undefined ? {} : { keyHeader }) }
}

function hintFor({ name, keyHint }: RestService, { status }: HttpFailure): string {
  if (status === 401 || status === 403) return keyHint
  return status === 429 ? `${name} wants to be asked less often: wait a minute.` : `See whether ${name} can be reached, then try again.`
}
