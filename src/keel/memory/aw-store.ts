/** Events in a bucket of ActivityWatch. Those of all kinds lie in one bucket, so that a kind is picked out of the newest ones. */
import type { AwClient } from '../aw/client.ts'
import type { AwEvent } from '../aw/event.ts'
import type { EventStore, KeelEvent } from './store.ts'

/** How many of the newest events are read, whatever is asked for. What is older is not seen, which is good enough for "recent". */
export const OVERFETCH = 200

/** The field of an event's data that holds its kind. */
export const KIND_KEY = '_kind'

/** What the store needs of the client. */
export type AwStoreClient = Pick<AwClient, 'insert' | 'recent' | 'range'>

/** Errors: those of the client. `log` is told where the server drops an event. */
export function newAwStore(client: AwStoreClient, bucket: string, log: (line: string) => void = () => {}): EventStore & AwBulk {
  const insert = async (events: readonly KeelEvent[], signal?: AbortSignal): Promise<void> => {
    const dropped = await client.insert(bucket, events.map(toAw), signal)
    if (dropped > 0) log(`memory: AW dropped ${dropped} event(s)`)
  }
  const latest = async (signal?: AbortSignal): Promise<KeelEvent[]> => (await client.recent(bucket, OVERFETCH, signal)).flatMap(fromAw)
  return {
    insert,
    record: (event, signal) => insert([event], signal),
    async recent(kind, n, signal) {
      if (n <= 0) return []
      return (await latest(signal)).filter((event) => event.kind === kind).slice(0, n)
    },
    latest,
    async range(from, to, limit, signal) {
      return limit <= 0 ? [] : (await client.range(bucket, from, to, limit, signal)).flatMap(fromAw)
    },
  }
}

export interface AwBulk {
  /** All or none of them, in one request. */
  insert(events: readonly KeelEvent[], signal?: AbortSignal): Promise<void>
}

export function toAw({ kind, at, data }: KeelEvent): AwEvent {
  return { timestamp: at, duration: 0, data: { ...data, [KIND_KEY]: kind } }
}

/** Anything can write to the bucket: what has no kind is not ours. */
function fromAw({ timestamp, data }: AwEvent): KeelEvent[] {
  const { [KIND_KEY]: kind, ...rest } = data
  return typeof kind === 'string' ? [{ kind, at: timestamp, data: rest }] : []
}
