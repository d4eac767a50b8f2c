/** Work off the path of a command. What it comes to is applied in one go, and told once, whatever goes wrong on the way. */
export type Settled<Result> = { readonly value: Result } | { readonly error: unknown }

export interface Async {
  /**
   * Starts `work` at once. `apply` gets what came of it, then `notify` is called. The promise resolves after that, whatever became of any of
   * them: it never rejects, and whoever draws the state anew draws what `apply` came to.
   */
  run<Result>(work: () => Promise<Result>, apply: (settled: Settled<Result>) => void): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** `notify`: the state changed, draw it anew. */
export function newAsync(notify: () => void): Async {
  const underWay = new Set<Promise<void>>()
  return {
    run(work, apply) {
      const done = settle(work).then((settled) => {
        attempt(() => apply(settled))
        attempt(notify)
      })
      underWay.add(done)
      return done.finally(() => underWay.delete(done))
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

/** Nobody waits for an answer here who could be told; what throws is as a rule the log itself. What follows goes on without it. */
function attempt(step: () => void): void {
  try {
    step()
  } catch {}
}

async function settle<Result>(work: () => Promise<Result>): Promise<Settled<Result>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}
