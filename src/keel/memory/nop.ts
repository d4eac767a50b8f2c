import type { EventStore } from './store.ts'

/**
 * Drops what it is given and knows no history, for who wants an `EventStore` and none. A daemon that keeps nothing here does not use it, as
 * ActivityWatch may come back (`direct.ts`).
 */
export function newNop(): EventStore {
  return {
    record: async () => {},
    recent: async () => [],
    latest: async () => [],
    range: async () => [],
  }
}
