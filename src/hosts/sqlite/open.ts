/**
 * A host's database, opened to read and nothing else. The choices:
 *
 * - Opened read-only in the ordinary way, so that SQLite sees what is in the write-ahead log and waits while a writer commits. `immutable`,
 *   which skips both, is used only where nobody is writing: for a database at rest, and in a folder in which SQLite cannot make what it
 *   needs and no log is pending. There the file is looked at before and after each use, and opened anew when somebody was there.
 * - No transaction stays open while records are handed out. In WAL mode it would keep the log from being reset, in DELETE mode it would
 *   lock the host out. What is read together is read in one `snapshot`, which is short.
 * - A database that is replaced while it is read stays the old one until it is closed; the next read opens the new one.
 * - Over a network, locks and times may be late or missing: what is read may then be a moment old or give an error, which a later run
 *   repairs; nothing is written that could be wrong.
 */
import type { SqlValue } from '../../util/sqlite.ts'
import { pause } from './at-rest.ts'
import { BUSY_TIMEOUT, connect, disconnect, identity, inTransaction, isUndisturbed, statement } from './connection.ts'
import { passes, unreadable } from './errors.ts'
import { keepIdle, takeIdle } from './idle.ts'

/** Whole numbers over 2^53, which only damage or a broken clock makes, are rounded. */
export type Row = Readonly<Record<string, SqlValue>>

export interface SqliteLog {
  readonly path: string
  /** The names of a table's columns; none where there is no such table. */
  columns(table: string): ReadonlySet<string>
  /** The rows of a query with a small result. */
  all(sql: string, ...params: readonly SqlValue[]): Row[]
  first(sql: string, ...params: readonly SqlValue[]): Row | undefined
  /** Row by row, inside `snapshot`; the caller stops when it has enough. */
  each(sql: string, ...params: readonly SqlValue[]): Iterable<Row>
  /** What `use` reads is of one moment. It may run again where a writer came in between, and must not be asynchronous. */
  snapshot<T>(use: () => T): T
  /** Safe to call twice. */
  close(): void
}

/** A checkpoint under a reader's eyes gives an error that is gone a moment later. */
const TRIES = 4
const PAUSE = 50

/** Errors: `session_unreadable` where it is gone, is not a regular file, is damaged, or may not be read. */
export function openSqliteLog(path: string): SqliteLog {
  const file = identity(path)
  let connection = takeIdle(path, file) ?? persistently(path, () => connect(path))
  let open = true
  let inside = false
  let failed = false

  function undisturbed<T>(use: () => T): T {
    for (let left = TRIES; left > 0; left--) {
      try {
        const result = inTransaction(connection, use)
        if (isUndisturbed(path, connection)) return result
      } catch (error) {
        // Pages that were changed in between do not fit together; pages that nobody changed are damaged.
        if (isUndisturbed(path, connection)) throw error
      }
      const stale = connection
      connection = connect(path)
      disconnect(stale)
    }
    throw new Error('it is written all the time in a way that cannot be waited for')
  }

  function snapshot<T>(use: () => T): T {
    if (inside) return use()
    failed = true
    const result = persistently(path, () => {
      inside = true
      try {
        return undisturbed(use)
      } finally {
        inside = false
      }
    })
    failed = false
    return result
  }

  const all = (sql: string, ...params: readonly SqlValue[]) =>
    snapshot(() =>
      statement(connection, sql)
        .all(...params)
        .map(asRow),
    )
  return {
    path,
    columns: (table) => new Set(all('select name from pragma_table_info(?)', table).map(({ name }) => String(name))),
    all,
    first: (sql, ...params) =>
      snapshot(() => {
        const found = statement(connection, sql).get(...params)
        return found === undefined ? undefined : asRow(found)
      }),
    *each(sql, ...params) {
      for (const found of statement(connection, sql).iterate(...params)) yield asRow(found)
    },
    snapshot,
    close() {
      if (!open) return
      open = false
      if (failed) disconnect(connection)
      else keepIdle(path, file, connection)
    },
  }
}

function asRow(found: unknown): Row {
  const row = found as Record<string, SqlValue | bigint>
  for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name])
  return row as Row
}

/** Opens, uses and closes. Errors: as `openSqliteLog`. */
export function withSqliteLog<T>(path: string, use: (log: SqliteLog) => T): T {
  const log = openSqliteLog(path)
  try {
    return use(log)
  } finally {
    log.close()
  }
}

/** Where SQLite itself has waited for a lock in vain, it is not asked again: somebody keeps the file to itself. */
function persistently<T>(path: string, use: () => T): T {
  const began = performance.now()
  for (let left = TRIES - 1; ; left--) {
    try {
      return use()
    } catch (error) {
      if (left === 0 || !passes(error) || performance.now() - began > BUSY_TIMEOUT / 2) throw unreadable(path, error)
      pause(PAUSE)
    }
  }
}
