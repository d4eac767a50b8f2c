/**
 * One daemon a data folder: two would send the same events twice, and offer the same proposal twice. The lock is the operating
 * system's, on a small SQLite file, so that it is free again whatever way the process ended. Who holds it is in the file's one row; on a
 * disk that has no room even for that it is held without one. Where SQLite can lock nothing, a file that names its owner does instead
 * (`util/lock.ts`: the rule for runs that end by themselves; of a daemon that crashed under another host name it would wait for a day).
 */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MemuError } from '../../util/errors.ts'
import { makeDirectory } from '../../util/fs.ts'
import { acquireLock } from '../../util/lock.ts'
import { type Database, sqliteClass } from '../../util/sqlite.ts'
import { RESULT, sqliteResult } from '../../util/sqlite-result.ts'

export interface LeaseHolder {
  readonly pid: number
  /** Where its page is. */
  readonly url: string
  /** ISO time. */
  readonly since: string
}

export interface Lease {
  /** Of the other one, where it is held already; undefined where its row says nothing. Absent where it is ours now. */
  readonly heldBy?: LeaseHolder | 'unknown'
  /** Whether the file is still the one that is locked: where it was removed or replaced, another one keeps nobody out. */
  isThere(): boolean
  /** Safe to call twice, and where it was not had. */
  release(): void
}

/** Milliseconds; another one holds the file only while it writes its row, and its lock for as long as it runs. */
const BUSY_MS = 200
const TRIES = 10
/** A disk that is full, and a limit for files. */
const NO_ROOM = [RESULT.full, RESULT.ioerr]

const TABLE = 'create table if not exists holder (id integer primary key check (id = 1), pid integer, url text, since text)'

/** Held until `release`, or the end of the process. Errors: those of the file system and of SQLite, where there can be no lock of any sort. */
export function takeLease(file: string, own: LeaseHolder): Lease {
  makeDirectory(dirname(file))
  // Made here and not by SQLite, so that it is private from its first moment.
  closeSync(openSync(file, 'a', 0o600))
  const first = identity(file)
  const isThere = (): boolean => identity(file) === first
  const database = new (sqliteClass())(file, { timeout: BUSY_MS })
  try {
    // So that a row can be changed where no room is left.
    database.exec('pragma journal_mode = memory')
    if (hold(database, own)) return { isThere, release: once(() => letGo(database)) }
    const holder = holderOf(database)
    database.close()
    return { heldBy: holder === undefined || isSame(holder, own) ? 'unknown' : holder, isThere, release: () => {} }
  } catch (error) {
    database.close()
    return lockBeside(file, error)
  }
}

/** Errors: `cause`, where that does not go either. */
function lockBeside(file: string, cause: unknown): Lease {
  const isThere = (): boolean => true // A lock of that sort is its owner's as long as he lives.
  try {
    const { release } = acquireLock(`${file}.owner`, { purpose: 'keeld' })
    return { isThere, release }
  } catch (error) {
    if (error instanceof MemuError && error.code === 'locked') return { heldBy: 'unknown', isThere, release: () => {} }
    throw cause
  }
}

function identity(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/** Who holds it just now, without taking it; undefined where nobody does, or nobody can tell. Never throws. */
export function leaseHolder(file: string): LeaseHolder | undefined {
  if (!existsSync(file)) return undefined
  try {
    const database = new (sqliteClass())(file, { timeout: BUSY_MS })
    try {
      return begin(database) ? undefined : holderOf(database)
    } finally {
      letGo(database)
    }
  } catch {
    return undefined // It is no such file, or not for us.
  }
}

/** The row has to be stored before the lock is held, and in between another one may come: then the row says whose it was last. */
function hold(database: Database, own: LeaseHolder): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    if (!begin(database)) return false
    if (isSame(holderOf(database), own)) return true
    if (!name(database, own)) return begin(database)
  }
  return false
}

/** False where there is no room for it; then the lock is free again. */
function name(database: Database, own: LeaseHolder): boolean {
  try {
    database.exec(TABLE)
    database.prepare('insert or replace into holder values (1, ?, ?, ?)').run(own.pid, own.url, own.since)
    database.exec('commit')
    return true
  } catch (error) {
    if (!NO_ROOM.some((result) => result === sqliteResult(error))) throw error
    try {
      database.exec('rollback')
    } catch {
      // SQLite has done that already.
    }
    return false
  }
}

/** False where another process has it. Reading stays possible for it, and for us meanwhile. */
function begin(database: Database): boolean {
  try {
    database.exec('begin immediate')
    return true
  } catch (error) {
    if (sqliteResult(error) === RESULT.busy) return false
    throw error
  }
}

/** Closing alone would keep the lock for as long as a statement is not collected as garbage. */
function letGo(database: Database): void {
  try {
    database.exec('rollback')
  } catch {
    // The file has gone wrong meanwhile; closing it is all that is left.
  }
  database.close()
}

function holderOf(database: Database): LeaseHolder | undefined {
  try {
    const row = database.prepare('select pid, url, since from holder').get() as Partial<LeaseHolder> | undefined
    if (typeof row?.pid !== 'number' || typeof row.url !== 'string' || typeof row.since !== 'string') return undefined
    return { pid: row.pid, url: row.url, since: row.since }
  } catch (error) {
    const result = sqliteResult(error)
    if (result === RESULT.error || result === RESULT.busy) return undefined // There is no such table yet, or its row is just being written.
    throw error
  }
}

function isSame(found: LeaseHolder | undefined, own: LeaseHolder): boolean {
  return found?.pid === own.pid && found.url === own.url && found.since === own.since
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
