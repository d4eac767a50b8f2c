/** What a request's failure is to whoever asked: a status, and words that say no more than they should. */
import { MemuError, reason } from '../../util/errors.ts'
import type { Refusal } from './guard.ts'
import type { Notice } from './pages/pages.ts'

export interface Failure {
  readonly status: number
  readonly code: string
  readonly notice: Notice
  /** For the log: what was not foreseen. */
  readonly unexpected?: string
}

/** An error of the server itself, with its status. */
export class RequestError extends MemuError {
  readonly status: number

  constructor(status: number, code: string, message: string, options?: { hint?: string; cause?: unknown }) {
    super(code, message, options)
    this.name = 'RequestError'
    this.status = status
  }
}

const STATUS: Readonly<Record<string, number>> = {
  unknown_command: 400,
  invalid_argument: 400,
  invalid_setting: 400,
  invalid_backend: 400,
  nothing_to_confirm: 409,
  nothing_to_dismiss: 409,
  nothing_to_cancel: 409,
  nothing_to_undo: 409,
  nothing_proposed: 409,
  stale_proposal: 409,
  perhaps_added: 409,
  busy: 409,
  stopping: 503,
}
/** Something that the daemon asked has failed: a task tool, ActivityWatch, a disk. */
const OTHERS = 502

/** What is no `MemuError` was not foreseen: nothing of its words is told to whoever asked. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof MemuError)) {
    const notice = { message: 'Something went wrong in keeld.', hint: 'Its log says what.' }
    return { status: 500, code: 'unexpected', notice, unexpected: reason(error) }
  }
  const { code, message, hint } = error
  const key = 'key' in error && typeof error.key === 'string' ? error.key : undefined
  return {
    status: error instanceof RequestError ? error.status : (STATUS[code] ?? OTHERS),
    code,
    notice: { message, ...(hint === undefined ? {} : { hint }), ...(key === undefined ? {} : { key }) },
  }
}

/** For a page that shows what was wrong with a form. Errors: what was not foreseen is thrown on. */
export function foreseen(error: unknown): Failure {
  const failure = failureOf(error)
  if (failure.unexpected !== undefined) throw error
  return failure
}

/** What the guard said, as an error. */
export function refused({ status, code, message, hint }: Refusal): RequestError {
  return new RequestError(status, code, message, { hint })
}

/** As the API answers it: `{error: {code, message, hint?, key?}}`. */
export function failureBody({ code, notice }: Failure): unknown {
  return { error: { code, ...notice } }
}
