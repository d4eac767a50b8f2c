/** The events of one session in an agent's database, oldest first, whatever the version stores them as. */
import type { Decompress } from 'fzstd'
import { digest } from '../../util/jsonl.ts'
import type { SqlValue } from '../../util/sqlite.ts'
import { jsonOf, largeColumn, type Row, requireColumns, type SqliteLog, textOf } from '../sqlite-log.ts'
import { FRAME_LIMIT, unpackFrame } from './frame.ts'

/** As much of an event as tells that it is noise. */
const HEAD = 1024

export interface StoredEvent {
  readonly seq: number
  /** The JSON as bytes or text; or packed, with the length that it has unpacked. */
  readonly json: SqlValue
  readonly json_bytes: SqlValue
  readonly packed: SqlValue
  readonly unpacked_bytes: SqlValue
}

/** Where events come from: the table, or an archive of a session that nobody has touched for long. */
export interface EventStore {
  /** Those after a number, loaded as they are asked for. */
  after(seq: number): Iterable<StoredEvent>
  /** How many there are up to one, and a hash of its content; undefined where it is gone. The same in every store. */
  mark(seq: number): readonly [count: number, content: string] | undefined
}

/** Errors: `session_unreadable` where the table has nothing that could be an event. */
export function eventTable(log: SqliteLog, session: string, decompressor: typeof Decompress): EventStore {
  const columns = requireColumns(log, 'transcript_events', ['seq', 'session_id', ['event_json', 'event_zstd']])
  const json = columns.has('event_json') ? largeColumn('event_json', 'json') : 'null as json, null as json_bytes'
  const packed = columns.has('event_zstd')
    ? `case when length(event_zstd) <= ${FRAME_LIMIT} then event_zstd end as packed, ${columns.has('event_utf8_bytes') ? 'event_utf8_bytes' : 'null'} as unpacked_bytes`
    : 'null as packed, null as unpacked_bytes'
  const select = `select seq, ${json}, ${packed} from transcript_events where session_id = ?`
  return {
    *after(seq) {
      for (const row of log.each(`${select} and seq > ? order by seq`, session, seq)) yield storedEvent(row)
    },
    mark(seq) {
      const row = log.first(`${select} and seq = ?`, session, seq)
      const counted = log.first('select count(*) as n from transcript_events where session_id = ? and seq <= ?', session, seq)
      return row && [Number(counted?.n), contentMark(storedEvent(row), decompressor)]
    },
  }
}

/** The event's text, shortened where it is very long. Throws with a reason in words where it cannot be had. */
export function eventJson(event: StoredEvent, decompressor: typeof Decompress): ReturnType<typeof jsonOf> {
  return event.packed === null ? jsonOf(event.json, event.json_bytes) : jsonOf(unpacked(event, decompressor))
}

/** Equal for equal events, whether packed or not. */
export function contentMark(event: StoredEvent, decompressor: typeof Decompress): string {
  try {
    const text = event.packed === null ? textOf(event.json, event.json_bytes) : Buffer.from(unpacked(event, decompressor)).toString('utf8')
    return digest(text ?? '')
  } catch {
    return 'unreadable' // It is counted as bad where it is read; that it stays so is all that matters here.
  }
}

/** The beginning of the event where it can be had for nothing, for telling noise. */
export function eventHead({ json }: StoredEvent): string {
  if (json instanceof Uint8Array) return Buffer.from(json.buffer, json.byteOffset, Math.min(json.length, HEAD)).toString('latin1')
  return typeof json === 'string' ? json.slice(0, HEAD) : ''
}

function unpacked({ packed, unpacked_bytes: length }: StoredEvent, decompressor: typeof Decompress): Uint8Array {
  if (!(packed instanceof Uint8Array) || typeof length !== 'number') throw new Error('the packed event has no length')
  return unpackFrame(packed, length, decompressor)
}

function storedEvent(row: Row): StoredEvent {
  const { seq, json = null, json_bytes = null, packed = null, unpacked_bytes = null } = row
  return { seq: Number(seq), json, json_bytes, packed, unpacked_bytes }
}
