/** The memory of a daemon whose settings change: one object for whoever records, whatever is behind it just now. */
import type { KeelEvent, KeelMemory, MemoryState } from '../memory/store.ts'

export interface MemorySlot extends KeelMemory {
  /**
   * Closes the memory that is there and opens another one. What is recorded or read in between waits for it: two memories at once over one
   * file would both bring its events to ActivityWatch. `open` must not throw.
   */
  replace(open: () => KeelMemory): Promise<void>
}

export function newMemorySlot(first: KeelMemory): MemorySlot {
  let last = first
  let current: Promise<KeelMemory> = Promise.resolve(first)
  /** What the memory of before could not store. */
  const keep = async (memory: KeelMemory, event: KeelEvent): Promise<void> => {
    try {
      await memory.record(event)
    } catch {
      // That it is lost was said when the memory of before was closed.
    }
  }
  return {
    record: async (event, signal) => (await current).record(event, signal),
    recent: async (kind, n, signal) => (await current).recent(kind, n, signal),
    latest: async (signal) => (await current).latest(signal),
    own: async (signal) => {
      const memory = await current
      return memory.own === undefined ? memory.latest(signal) : memory.own(signal)
    },
    range: async (from, to, limit, signal) => (await current).range(from, to, limit, signal),
    forget: async (what, signal) => (await current).forget(what, signal),
    state: (): MemoryState => last.state(),
    flush: async (signal) => (await current).flush(signal),
    close: async () => (await current).close(),
    async replace(open) {
      current = current.then(async (before) => {
        await before.close()
        last = open()
        for (const event of before.leftOver?.() ?? []) await keep(last, event)
        return last
      })
      await current
    },
  }
}
