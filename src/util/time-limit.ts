/**
 * A signal that aborts after a while, or with another one. In place of `AbortSignal.any([signal, AbortSignal.timeout(ms)])`: Node.js 20
 * lets the garbage collector take a timeout that only such a signal refers to, and then it never comes.
 */
export interface TimeLimit {
  readonly signal: AbortSignal
  /** It was the time that ended it, and none of the other signals. */
  readonly isOver: boolean
  /** Forgets the time and the other signals, once what it was for has ended. The process does not stay alive for it either way. */
  end(): void
}

/** Ends after `ms` milliseconds with a `TimeoutError`, or as soon as one of `others` aborts, with its reason. */
export function timeLimit(ms: number, ...others: (AbortSignal | undefined)[]): TimeLimit {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = !controller.signal.aborted
    controller.abort(new DOMException(`no answer within ${ms / 1000} s`, 'TimeoutError'))
    end()
  }, ms).unref()
  const ends = others.map((other) => {
    const abort = (): void => controller.abort(other?.reason)
    if (other?.aborted) abort()
    else other?.addEventListener('abort', abort, { once: true })
    return () => other?.removeEventListener('abort', abort)
  })
  function end(): void {
    clearTimeout(timer)
    for (const forget of ends) forget()
  }
  if (controller.signal.aborted) end()
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    end,
  }
}

/** Does `work` with such a limit, which ends with it. Errors: those of `work`; `work` itself has to heed the signal. */
export async function withinTime<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = timeLimit(ms, signal)
  try {
    return await work(limit.signal)
  } finally {
    limit.end()
  }
}
