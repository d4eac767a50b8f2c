/**
 * A host's database, opened to read and nothing else. The choices:
 *
 * - `readOnly` and not `immutable`: SQLite then sees what is in the write-ahead log, and waits while a writer commits. Immutable skips
 *   both and is used only where nobody can be writing: the folder is read-only, so that the -shm file cannot be made, and no log is
 *   pending.
 * - No transaction stays open while records are handed out. In WAL mode it would keep the log from being reset, in DELETE mode it would
 *   lock the host out. What is read together is read in one `snapshot`, which is short.
 * - The file is never opened or closed by `fs` here: on POSIX that would drop the locks that SQLite holds on it in this process.
 * - A database that is replaced while it is read stays the old one until it is closed; the next read opens the new one.
 */
import * as fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { MemuError, reason } from '../../util/errors.ts'
import { type Database, type SqlValue, sqliteClass } from '../../util/sqlite.ts'
import { needsWriting, passes, unreadable } from './errors.ts'

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

/** How long SQLite waits for a lock, in milliseconds. A host's commit takes far less. */
const BUSY_TIMEOUT = 5_000
/** A checkpoint under a reader's eyes gives an error that is gone a moment later. */
const TRIES = 4
const PAUSE = 50

/** Errors: `session_unreadable` where it is gone, is not a regular file, is damaged, or may not be read. */
export function openSqliteLog(path: string): SqliteLog {
  refuseOtherThanFile(path)
  const database = persistently(path, () => connect(path))
  const statements = new Map<string, ReturnType<Database['prepare']>>()
  let open = true
  let inside = false

  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  function snapshot<T>(use: () => T): T {
    if (inside) return use()
    return persistently(path, () => {
      database.exec('begin')
      inside = true
      try {
        return use()
      } finally {
        inside = false
        endTransaction(database)
      }
    })
  }

  const all = (sql: string, ...params: readonly SqlValue[]) => snapshot(() => prepared(sql).all(...params) as Row[])
  return {
    path,
    columns: (table) => new Set(all('select name from pragma_table_info(?)', table).map(({ name }) => String(name))),
    all,
    first: (sql, ...params) => snapshot(() => prepared(sql).get(...params) as Row | undefined),
    *each(sql, ...params) {
      for (const row of prepared(sql).iterate(...params)) yield row as Row
    },
    snapshot,
    close() {
      if (open) database.close()
      open = false
    },
  }
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

function refuseOtherThanFile(path: string): void {
  let why = 'it is not a regular file'
  try {
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile()) return
    if (found === undefined) why = 'it is gone'
  } catch (error) {
    why = reason(error)
  }
  throw new MemuError('session_unreadable', `Cannot read the sessions in ${path}: ${why}.`, {
    hint: 'Run the command again; every session is taken up where it was left.',
  })
}

/** A connection that has proven that it can read. */
function connect(path: string): Database {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'ro')
  try {
    return reader(url)
  } catch (error) {
    if (!needsWriting(error) || hasPendingLog(path)) throw error
  }
  url.searchParams.set('immutable', '1')
  return reader(url)
}

function reader(url: URL): Database {
  const DatabaseSync = sqliteClass()
  // `timeout` is known to the built-in API only from Node 22.16 on, so that it is said again below.
  const database = new DatabaseSync(url.href, { readOnly: true, timeout: BUSY_TIMEOUT })
  try {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma query_only = on; select 1 from sqlite_schema limit 1`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Whether changes lie beside the file that only a writer can bring into it. */
function hasPendingLog(path: string): boolean {
  return ['-wal', '-journal'].some((suffix) => {
    try {
      return (fs.statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0
    } catch {
      return true // Nobody can tell: the error of the first attempt is shown.
    }
  })
}

function persistently<T>(path: string, use: () => T): T {
  for (let left = TRIES - 1; ; left--) {
    try {
      return use()
    } catch (error) {
      if (left === 0 || !passes(error)) throw unreadable(path, error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}

function endTransaction(database: Database): void {
  try {
    database.exec('rollback')
  } catch {
    // SQLite had already ended it after an error, which is the one that is thrown.
  }
}
