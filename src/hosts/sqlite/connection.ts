/** A connection to a host's database that can read and nothing else. */
import * as fs from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MemuError, reason } from '../../util/errors.ts'
import { type Database, type Statement, sqliteClass } from '../../util/sqlite.ts'
import { appearance, hasPendingLog, isAtRest } from './at-rest.ts'
import { needsWriting } from './errors.ts'

export interface Connection {
  readonly database: Database
  /** By their text. */
  readonly statements: Map<string, Statement>
  /** What the file looked like when it was opened as one that nobody writes. */
  readonly appearance?: string | undefined
}

/** How long SQLite waits for a lock, in milliseconds. A host's commit takes far less. */
export const BUSY_TIMEOUT = 5_000

/** A connection that has proven that it can read. Throws SQLite's own errors. */
export function connect(path: string): Connection {
  const before = appearance(path)
  const undisturbed = (): Connection => ({ database: reader(immutable(path)), statements: new Map(), appearance: before })
  if (isAtRest(path)) return undisturbed()
  try {
    return { database: reader(resolve(path)), statements: new Map() }
  } catch (error) {
    if (!needsWriting(error) || hasPendingLog(path)) throw error
    return undisturbed()
  }
}

/** SQLite itself sees to it, except where it was told that nobody writes. */
export function isUndisturbed(path: string, connection: Connection): boolean {
  return connection.appearance === undefined || connection.appearance === appearance(path)
}

/** Prepared once for each text. */
export function statement({ database, statements }: Connection, sql: string): Statement {
  const known = statements.get(sql)
  if (known !== undefined) return known
  const prepared = database.prepare(sql)
  prepared.setReadBigInts(true)
  statements.set(sql, prepared)
  return prepared
}

/** What `use` reads is of one moment. */
export function inTransaction<T>({ database }: Connection, use: () => T): T {
  database.exec('begin')
  try {
    return use()
  } finally {
    try {
      database.exec('rollback')
    } catch {
      // SQLite had already ended it after an error, which is the one that is thrown.
    }
  }
}

export function disconnect({ database, statements }: Connection): void {
  statements.clear()
  database.close()
}

/** As a URL, in which SQLite wants the server of a Windows share in the path. */
export function immutable(path: string, windows = process.platform === 'win32'): string {
  const { host, pathname } = pathToFileURL(path, { windows })
  return `file://${host === '' ? '' : `//${host}`}${pathname}?immutable=1`
}

function reader(place: string): Database {
  const DatabaseSync = sqliteClass()
  // `timeout` is known to the built-in API only from Node 22.16 on, so that it is said again below.
  const database = new DatabaseSync(place, { readOnly: true, timeout: BUSY_TIMEOUT })
  try {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}; pragma query_only = on; select 1 from sqlite_schema limit 1`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Which file it is, and in what state, as a string: pages that a connection remembers are those of that state. Errors:
 * `session_unreadable` where it is gone or not a regular file; links are not followed.
 */
export function identity(path: string): string {
  let why = 'it is not a regular file'
  try {
    const found = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (found?.isFile()) return [found.dev, found.ino, found.mode, found.size, found.mtimeNs].join(' ')
    if (found === undefined) why = 'it is gone'
  } catch (error) {
    why = reason(error)
  }
  throw new MemuError('session_unreadable', `Cannot read the sessions in ${path}: ${why}.`, {
    hint: 'Run the command again; every session is taken up where it was left.',
  })
}
