/** The seed's Fake: an event store in memory, with a snapshot of what was recorded for assertions. */
import type { EventStore, KeelEvent, KeelMemory } from '../../src/keel/memory/store.ts'

export interface FakeMemory extends EventStore, Pick<KeelMemory, 'forget'> {
  /** A copy of everything that was recorded, in the order of recording. */
  events(): KeelEvent[]
  /** From now on each call fails with it; undefined: none does. */
  failWith(error: Error | undefined): void
}

export function newFake(): FakeMemory {
  let recorded: KeelEvent[] = []
  let failure: Error | undefined
  const newestFirst = (limit: number, isWanted: (event: KeelEvent) => boolean = () => true): KeelEvent[] => {
    if (failure !== undefined) throw failure
    return [...recorded]
      .reverse()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .filter(isWanted)
      .slice(0, Math.max(limit, 0))
  }
  return {
    async record(event) {
      if (failure !== undefined) throw failure
      recorded.push({ ...event, data: { ...event.data } })
    },
    recent: async (kind, n) => newestFirst(n, (event) => event.kind === kind),
    latest: async () => newestFirst(200),
    range: async (from, to, limit) => newestFirst(limit, ({ at }) => at >= from && at < to),
    async forget(what, signal) {
      signal?.throwIfAborted()
      if (failure !== undefined) throw failure
      recorded = what === 'everything' ? [] : recorded.filter(({ data }) => data[what.field] !== what.value)
    },
    events: () => [...recorded],
    failWith(error) {
      failure = error
    },
  }
}
