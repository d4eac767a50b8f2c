import type { EventStore } from './store.ts'

/** Drops what it is given and knows no history: for a daemon without memory. */
export function newNop(): EventStore {
  return {
    record: async () => {},
    recent: async () => [],
    latest: async () => [],
    range: async () => [],
  }
}
