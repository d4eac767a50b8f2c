/**
 * Events on which a server failed, which may be their fault or its own: one of the servers fails on what it cannot take, and both fail while
 * their file is locked or their disk is full.
 */
export interface Suspects {
  /** Those that were tried a moment ago. */
  resting(): ReadonlySet<number>
  /** The server failed on it. Whether that is its own fault: it failed several times, and between each two the server took another one. */
  failed(id: number): boolean
  /** The server took these. */
  taken(ids: readonly number[]): void
  /** Nothing is known of the server any more. */
  clear(): void
}

const MOST_FAILURES = 3
/** They are counted by what was not given up yet; more of them are a server that is not well. */
const MOST_SUSPECTS = 1_000

interface Suspect {
  readonly at: number
  readonly failures: number
  /** How often the server had taken something by then. */
  readonly successes: number
}

/** `restMs`: milliseconds for which an event rests, so that many tries within a moment count as one. */
export function newSuspects(restMs: number, clock: () => number = () => performance.now()): Suspects {
  const suspects = new Map<number, Suspect>()
  let successes = 0
  return {
    resting() {
      const since = clock() - restMs
      return new Set([...suspects].filter(([, { at }]) => at > since).map(([id]) => id))
    },
    failed(id) {
      const before = suspects.get(id) ?? { failures: 0, successes: -1 }
      if (suspects.size >= MOST_SUSPECTS) suspects.clear()
      const failures = before.failures + (successes > before.successes ? 1 : 0)
      suspects.set(id, { at: clock(), failures, successes })
      return failures >= MOST_FAILURES
    },
    taken(ids) {
      successes++
      for (const id of ids) suspects.delete(id)
    },
    clear: () => suspects.clear(),
  }
}
