/**
 * What every source over a database does alike: verify the cursor, read on from it or start anew, a page of rows at a time. Which rows a
 * session has and what they mean is the dialect's.
 */
import { digest, type JsonObject } from '../../util/jsonl.ts'
import type { SqlValue } from '../../util/sqlite.ts'
import { delivery, type Taker } from '../delivery.ts'
import { storedState } from '../fields.ts'
import type { ReadResult, SessionFacts, SessionRecord, SourceCursor } from '../transcript-source.ts'
import type { SqliteLog } from './open.ts'

/** Where a row stands in its session: plain JSON, small, and enough to find the rows after it (`seq`, `[time, id]`). */
export type Place = SqlValue | readonly SqlValue[]

export interface PlacedRow<R> {
  readonly place: Place
  readonly row: R
}

/** What rows are read from: a database, or what looks like one to a dialect. */
export interface RowStore {
  snapshot<T>(use: () => T): T
}

export interface RowDialect<State, R, Store extends RowStore = SqliteLog> {
  /** What is remembered from read to read (plain JSON), from a cursor or, where there is none, at the start of the session. */
  readonly restore: (stored: JsonObject | undefined) => State
  /**
   * The session's rows after `after` (all where undefined) in the order of their places, loaded as they are asked for: a page of them at
   * a time is taken. A row that the host is still writing, and all after it, are left for the next read.
   */
  readonly rows: (log: Store, after: Place | undefined) => Iterable<PlacedRow<R>>
  /**
   * A value that is the same as long as the rows up to `place` are the ones that were read: their number and the content of the last one,
   * for example. Undefined where the row at `place` is gone. Made once a read, so that counting over an index is cheap enough.
   */
  readonly mark: (log: Store, place: Place) => readonly SqlValue[] | undefined
  /** The host's own number of rewrites; where it changes while a session is read, the next read starts anew. */
  readonly generation?: (log: Store) => SqlValue
  /** What one row holds for the miner; notes in `state` what it says of the session. A row on which it throws counts as bad. */
  readonly classify: (row: R, state: State) => readonly SessionRecord[]
  /** Of the session as it is now, from its own row and from the state. */
  readonly facts: (state: State, log: Store) => SessionFacts
}

export interface RowsRead extends Taker {
  readonly since: SourceCursor | undefined
}

/** One page: what is held in memory and read in one transaction. A single row may be longer. */
const PAGE_BYTES = 2 * 1024 * 1024
const PAGE_ROWS = 2_000

interface RowCursor {
  readonly place: Place | null
  readonly mark: string
  readonly rows: number
  readonly state: JsonObject
}

/** Errors: `session_unreadable` as `openSqliteLog`; the signal's reason when aborted. The log stays open. */
export async function readRows<State extends object, R, Store extends RowStore = SqliteLog>(
  log: Store,
  dialect: RowDialect<State, R, Store>,
  { since, emit, signal }: RowsRead,
): Promise<ReadResult> {
  const made = asCursor(since)
  const markAt = (place: Place | null): string | undefined => {
    const marked = place === null ? [] : dialect.mark(log, place)
    return marked && digest(JSON.stringify([dialect.generation?.(log) ?? null, place, marked], bytesAsHex))
  }
  const goesOn = made !== undefined && log.snapshot(() => markAt(made.place)) === made.mark
  const state = dialect.restore(goesOn ? made.state : undefined)
  const out = delivery({ emit, signal })
  let place = goesOn ? made.place : null
  let rows = goesOn ? made.rows : 0
  let generation: SqlValue | undefined
  let mark: string | undefined
  let more = false
  do {
    signal?.throwIfAborted()
    const page = log.snapshot(() => {
      generation ??= dialect.generation?.(log)
      if (generation !== undefined && dialect.generation?.(log) !== generation) return { rows: [], mark: '' }
      const taken = takePage(dialect.rows(log, place ?? undefined))
      const last = taken.rows.at(-1)?.place ?? place
      // Numbers too large for their kind may give two rows one place; there the next read starts anew.
      if (taken.more && JSON.stringify(last) === JSON.stringify(place)) return { rows: [], mark: '' }
      return { rows: taken.rows, mark: taken.more ? undefined : (markAt(last) ?? '') }
    })
    mark = page.mark
    for (const [number, { place: at, row }] of page.rows.entries()) {
      const hasEnough = await out.handOut(out.attempt({ record: rows + 1 }, () => dialect.classify(row, state)))
      place = at
      rows++
      more = hasEnough && (mark === undefined || number < page.rows.length - 1)
      if (more) break
    }
    if (more) mark = log.snapshot(() => (dialect.generation?.(log) === generation ? markAt(place) : undefined)) ?? ''
  } while (mark === undefined)

  const cursor: RowCursor = { place, mark, rows, state: storedState(state) }
  return {
    cursor: { ...cursor },
    restarted: since !== undefined && !goesOn,
    ...(more && { more }),
    ...out.counts(),
    facts: dialect.facts(state, log),
  }
}

function takePage<R>(rows: Iterable<PlacedRow<R>>): { readonly rows: readonly PlacedRow<R>[]; readonly more: boolean } {
  const taken: PlacedRow<R>[] = []
  let bytes = 0
  for (const row of rows) {
    taken.push(row)
    bytes += sizeOf(row.row)
    if (bytes >= PAGE_BYTES || taken.length >= PAGE_ROWS) return { rows: taken, more: true }
  }
  return { rows: taken, more: false }
}

/** About how much memory the value takes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 16)
}

function asCursor(value: SourceCursor | undefined): RowCursor | undefined {
  const { place, mark, rows, state } = value ?? {}
  if (typeof mark !== 'string' || typeof rows !== 'number' || !isPlace(place)) return undefined
  return { place, mark, rows, state: (state ?? {}) as JsonObject }
}

function isPlace(value: unknown): value is Place | null {
  return Array.isArray(value)
    ? value.every((part) => !Array.isArray(part) && isPlace(part))
    : value === null || /^(string|number)$/.test(typeof value)
}

function bytesAsHex(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
