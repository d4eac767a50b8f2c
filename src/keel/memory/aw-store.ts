/** Events in a bucket of ActivityWatch. Those of all kinds lie in one bucket, so that a kind is picked out of the newest ones. */
import type { AwClient } from '../aw/client.ts'
import type { AwEvent } from '../aw/event.ts'
import { LATEST, latestTime, withOutcomes } from './recency.ts'
import { removeFrom } from './remove.ts'
import { type EventStore, type KeelEvent, KIND_KEY } from './store.ts'

/** How many of the newest events are read, whatever is asked for. What is older is not seen, which is good enough for "recent". */
export const OVERFETCH = LATEST

/** What the store needs of the client. */
export type AwStoreClient = Pick<AwClient, 'insert' | 'recent' | 'range' | 'stored' | 'remove'>

/** Errors: those of the client. `log` is told where the server drops an event that was recorded by itself. */
export function newAwStore(
  client: AwStoreClient,
  bucket: string,
  log: (line: string) => void = () => {},
  now: () => Date = () => new Date(),
): AwStore {
  const insert: AwBulk['insert'] = (events, signal) => client.insert(bucket, events.map(toAw), signal)
  const latest = async (signal?: AbortSignal): Promise<KeelEvent[]> => {
    const last = latestTime(now())
    const hasHappened = ({ timestamp }: AwEvent): boolean => timestamp.getTime() <= last
    const newest = await client.recent(bucket, OVERFETCH, signal)
    const ahead = newest.filter((event) => !hasHappened(event))
    // Events of a time that has not come yet must not take the place of what there is.
    const isCrowded = ahead.length > 0 && newest.length >= OVERFETCH
    const happened = isCrowded ? await client.range(bucket, new Date(0), new Date(last + 1), OVERFETCH, signal) : newest.filter(hasHappened)
    return withOutcomes(ahead.flatMap(fromAw), happened.flatMap(fromAw))
  }
  return {
    insert,
    async record(event, signal) {
      const dropped = await insert([event], signal)
      if (dropped > 0) log(`memory: AW dropped ${dropped} event(s)`)
    },
    async recent(kind, n, signal) {
      if (n <= 0) return []
      const last = latestTime(now())
      return (await latest(signal)).filter(({ kind: found, at }) => found === kind && at.getTime() <= last).slice(0, n)
    },
    latest,
    async range(from, to, limit, signal) {
      return limit <= 0 ? [] : (await client.range(bucket, from, to, limit, signal)).flatMap(fromAw)
    },
    async look(from, to, limit, signal) {
      const events = await client.range(bucket, from, to, limit, signal)
      return { events: events.flatMap(fromAw), isCut: events.length >= limit }
    },
    remove: (isMeant, signal) => removeFrom(client, bucket, (event) => fromAw(event).some(isMeant), signal),
  }
}

export type AwStore = EventStore & AwBulk

export interface AwBulk {
  /** All or none of them, in one request. Resolves with how many the server dropped. */
  insert(events: readonly KeelEvent[], signal?: AbortSignal): Promise<number>
  /** As `range`; `isCut` tells that there may be more, of whatever sort. */
  look(from: Date, to: Date, limit: number, signal?: AbortSignal): Promise<{ readonly events: KeelEvent[]; readonly isCut: boolean }>
  /** Deletes those of ours that are meant, wherever in the bucket they lie. Resolves when none is left. */
  remove(isMeant: (event: KeelEvent) => boolean, signal?: AbortSignal): Promise<void>
}

export function toAw({ kind, at, data }: KeelEvent): AwEvent {
  return { timestamp: at, duration: 0, data: { ...data, [KIND_KEY]: kind } }
}

/** Anything can write to the bucket: what has no kind is not ours. */
function fromAw({ timestamp, data }: AwEvent): KeelEvent[] {
  const { [KIND_KEY]: kind, ...rest } = data
  return typeof kind === 'string' ? [{ kind, at: timestamp, data: rest }] : []
}
