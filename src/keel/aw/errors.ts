/** What a request to ActivityWatch ended with, when not with an answer that can be used. */
import { MemuError } from '../../util/errors.ts'
import { HttpFailure, NO_ANSWER } from '../../util/post-json.ts'

/** `aw_unreachable`: no answer. `aw_refused`: it wants a key. `aw_invalid`: the event is none it could take. `aw_failed`: the rest. */
export class AwError extends MemuError {
  /** What the server answered with; absent where it gave no answer. */
  readonly status: number | undefined

  constructor(code: string, message: string, status?: number, cause?: unknown) {
    super(code, message, { cause })
    this.name = 'AwError'
    this.status = status
  }
}

/** The server gave no answer: it is away, or hangs. */
export function isUnanswered(error: unknown): error is AwError {
  return error instanceof AwError && error.code === 'aw_unreachable'
}

/** `what` names the act and its bucket: `create bucket keel.events`. What is no failure of the request, an abort, is given back as it is. */
export function explained(error: unknown, what: string): unknown {
  if (!(error instanceof HttpFailure)) return error
  const { status, detail, code } = error
  const about = `aw: ${what}: `
  if (status === undefined) return new AwError('aw_unreachable', about + detail, undefined, error)
  if (status >= 200 && status < 300) {
    const words = code === NO_ANSWER.tooLarge ? detail : 'the answer is not JSON'
    return new AwError('aw_failed', about + words, status, error)
  }
  if (status === 401) return new AwError('aw_refused', `${about}status 401, an API key is needed`, status, error)
  // Errors come as HTML, too: a whole page of a debugger, in which nothing is for a person who reads a log.
  const words = /^\s*(?:<|$)/.test(detail) ? '' : ` (${detail.slice(0, DETAIL_LIMIT)})`
  return new AwError('aw_failed', `${about}status ${status}${words}`, status, error)
}

/** Of the server's words. On 404 it adds guesses of what could have been meant, for hundreds of characters. */
const DETAIL_LIMIT = 80
