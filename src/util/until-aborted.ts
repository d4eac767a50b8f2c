/** The result of `work`, or `instead` as soon as `signal` aborts. `work` goes on by itself; it must not fail. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal, instead: Result): Promise<Result> {
  if (signal.aborted) return Promise.resolve(instead)
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(instead)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
