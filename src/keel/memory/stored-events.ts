/** Events that this machine keeps, with what is known of each in ActivityWatch. */
import type { KeelEvent } from './store.ts'

/**
 * Whether ActivityWatch has an event. `tried`: perhaps, it was sent and no answer came. `kept`: it takes no such event.
 * `given-up`: it failed on it again and again; the next server that appears is given it once more.
 */
export type Sent = 'waiting' | 'tried' | 'copied' | 'kept' | 'given-up'

export interface StoredEvent {
  /** Of this store, and of this moment: an event that moves to another store gets another one. */
  readonly id: number
  readonly event: KeelEvent
  readonly sent: Sent
}

/** As an `EventStore`, but at once. Errors: those of the disk. */
export interface StoredEvents {
  append(event: KeelEvent, sent?: Sent): void
  recent(kind: string, n: number): KeelEvent[]
  latest(): KeelEvent[]
  /** As `latest`, but reaches further back. */
  own(): KeelEvent[]
  range(from: Date, to: Date, limit: number): KeelEvent[]
  /** How many events ActivityWatch may not have. */
  waiting(): number
  /** The oldest of them, in the order in which they were written. */
  oldestWaiting(limit: number): StoredEvent[]
  /** Ids that are not there any more are passed over. */
  mark(ids: readonly number[], sent: Sent): void
}
