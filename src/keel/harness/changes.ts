/** Who wants to know of changes, and how many there were. */
export interface Changes {
  readonly count: number
  notify(): void
  /** Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** `onError`: a listener threw, which is nothing to the others. */
export function newChanges(onError: (error: unknown) => void): Changes {
  const listeners = new Set<{ readonly call: () => void }>()
  let count = 0
  return {
    get count() {
      return count
    },
    notify() {
      count++
      for (const listener of [...listeners]) {
        try {
          listener.call()
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(call) {
      const listener = { call }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
