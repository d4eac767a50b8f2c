/** One request to an ActivityWatch server: its time limit, its key, and its failures in words. */
import { HttpFailure, NO_ANSWER, postJson } from '../../util/post-json.ts'
import type { System } from '../../util/system.ts'
import type { AwAddress } from './address.ts'
import { explained } from './errors.ts'

/** For a whole request, answer included. */
export const TIME_LIMIT_MS = 5_000
/** 5,000 events of a kilobyte. */
const ANSWER_LIMIT = 8 * 1024 * 1024

export interface AwServer {
  readonly address: AwAddress
  readonly system: System
  readonly key: string | undefined
  readonly timeLimitMs: number
}

export interface AwRequest {
  /** For errors: `read keel.events`. */
  readonly what: string
  /** Below `/api/0`. */
  readonly path: string
  /** Default: POST with a body, else GET. */
  readonly method?: 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Answers by status alone: what stands in their body does not matter, or there is none. */
  readonly accepted?: readonly number[]
}

/** The answer, or `undefined` for one that counts by its status. Nothing is tried twice. Errors: `AwError`, the reason of `signal`, or JSON's own of a body that it cannot hold. */
export async function ask(server: AwServer, { what, path, method, body, signal, accepted = [] }: AwRequest): Promise<unknown> {
  const { address, system, key, timeLimitMs } = server
  try {
    return await postJson(
      { system, value: (name) => system.env[name] },
      {
        url: `${address.base}/api/0${path}`,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        body,
        key,
        attempts: 1,
        timeoutMs: timeLimitMs,
        maxAnswerBytes: ANSWER_LIMIT,
        signal,
      },
    )
  } catch (error) {
    if (error instanceof HttpFailure && error.status !== undefined && accepted.includes(error.status) && !isPage(error)) return undefined
    throw explained(error, what)
  }
}

/** What other servers have for everybody. Taken for an answer it would swallow every event. */
function isPage({ code }: HttpFailure): boolean {
  return code === NO_ANSWER.page
}
