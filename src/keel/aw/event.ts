/** ActivityWatch's events: as we have them, and as its servers take and give them. Pure. */
import { AwError } from './errors.ts'

export interface AwEvent {
  /** Milliseconds are all that both servers keep. */
  readonly timestamp: Date
  /** Seconds. */
  readonly duration: number
  readonly data: Readonly<Record<string, unknown>>
}

/** As it lies in a server, which tells its events apart by `id`. */
export interface StoredAwEvent extends AwEvent {
  readonly id: number
}

/** One server counts nanoseconds in 64 bits and stops at 2262; before 1970 its own reads see nothing. */
const FIRST = Date.UTC(1970, 0, 1)
const LAST = Date.UTC(2262, 0, 1)

/**
 * As JSON. Never with an id: one server would replace another bucket's event of that id, the other would lose this one. Errors:
 * `aw_invalid` for what makes a server fail or lose its other events.
 */
export function encodeEvent({ timestamp, duration, data }: AwEvent): object {
  const time = timestamp.getTime()
  if (!(time >= FIRST && time < LAST)) throw new AwError('aw_invalid', 'aw: an event lies outside of the years 1970 to 2261')
  if (!(Number.isFinite(duration) && duration >= 0)) throw new AwError('aw_invalid', 'aw: the duration of an event is no number of seconds')
  if (!isJson(data)) throw new AwError('aw_invalid', 'aw: the data of an event cannot be written as JSON')
  return { timestamp: timestamp.toISOString(), duration, data }
}

/** Not so deep in itself that nothing can write it down, as text that was read may be. */
function isJson(data: AwEvent['data']): boolean {
  try {
    return JSON.stringify(data) !== undefined
  } catch {
    return false
  }
}

/** Newest first; of one time, what was inserted last comes first, which no server promises. What is no event is passed over. */
export function decodeEvents(answer: readonly unknown[]): AwEvent[] {
  return decodeStored(answer).map(({ timestamp, duration, data }) => ({ timestamp, duration, data }))
}

/** As `decodeEvents`; an `id` of -1 is none. */
export function decodeStored(answer: readonly unknown[]): StoredAwEvent[] {
  return answer.flatMap(decoded).sort((a, b) => b.timestamp.getTime() - a.timestamp.getTime() || b.id - a.id)
}

function decoded(item: unknown): StoredAwEvent[] {
  const { id, timestamp, duration, data } = (item ?? {}) as Readonly<Record<string, unknown>>
  const time = typeof timestamp === 'string' ? parseTime(timestamp) : Number.NaN
  if (Number.isNaN(time) || typeof data !== 'object' || data === null || Array.isArray(data)) return []
  return [
    {
      id: typeof id === 'number' ? id : -1,
      timestamp: new Date(time),
      duration: typeof duration === 'number' ? duration : 0,
      data: data as AwEvent['data'],
    },
  ]
}

/** Up to nine digits of a second, and UTC where no offset is named: to JavaScript that would be local time. */
export function parseTime(text: string): number {
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
}
