/** Opens a store file: creates it private, sets what every connection needs, and brings its schema up to date. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MemuError, systemCode } from '../../util/errors.ts'
import { makeDirectory } from '../../util/fs.ts'
import { type Database, sqliteClass } from '../../util/sqlite.ts'
import { checkSchema, migrate, SCHEMA } from '../sql/migrate.ts'
import { sqlStore } from '../sql/sql-store.ts'
import type { Store } from '../store.ts'
import { cannotOpen, translated } from './errors.ts'
import { sqliteDriver } from './sqlite-driver.ts'

/** How long a writer waits for another one, in milliseconds. A commit takes far less; rewriting a large corpus some seconds. */
const BUSY_TIMEOUT = 15_000
/** How long a reader waits: only for a process that holds the whole file, which ours never do. A prompt waits with it. */
const READER_TIMEOUT = 1_000

/** Pages are read from the mapped file instead of being copied through SQLite's cache; what lies beyond is read as usual. */
const MMAP_BYTES = 1 << 30

/** A commit dirties a page for almost each of its terms, thousands of them: with SQLite's 2 MB it would write many more than once. */
const WRITER_CACHE_KB = 32 * 1024

/** Pages in the log before a commit moves them to the main file (16 MB): fewer moves of the same pages while many commits follow. */
const CHECKPOINT_PAGES = 4000

/**
 * `synchronous = full`: a commit is on the disk when it returns. Cursors and mirrors, which are written next and synced, say that memory
 * has what was learned; with less, a power failure could take the commit and leave them.
 */
const WRITER_PRAGMAS = [
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  `mmap_size = ${MMAP_BYTES}`,
  `cache_size = -${WRITER_CACHE_KB}`,
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
]

export interface OpenOptions {
  /** Never writes to a store of this schema, creates none, and works on a file that cannot be written. */
  readonly readOnly?: boolean
  /** Milliseconds that a writer waits for another one. */
  readonly busyTimeout?: number
}

/**
 * `undefined` where a store is to be read that does not exist yet. A store of an older schema is migrated also where it is only
 * to be read. Errors: `store_newer`, `store_foreign`, `store_corrupt`, `store_unreachable`, `store_busy`, `disk_full`.
 */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<Store | undefined> {
  const timeout = options.busyTimeout ?? BUSY_TIMEOUT
  if (options.readOnly === true) {
    if (!isThere(path)) return undefined
    const driver = sqliteDriver(connectReader(path), path)
    const schema = await closedOnError(driver, () => checkSchema(driver))
    if (schema === SCHEMA) return sqlStore(driver)
    await driver.close()
    if (schema === 0) return undefined
  }
  prepareFile(path)
  const driver = sqliteDriver(connectWriter(path, timeout), path)
  await closedOnError(driver, () => migrate(driver))
  return sqlStore(driver)
}

/** Made here and not by SQLite, so that it is private from its first moment; SQLite gives -wal and -shm the same mode. */
function prepareFile(path: string): void {
  isThere(path)
  try {
    makeDirectory(dirname(path))
    fs.closeSync(fs.openSync(path, 'a', 0o600))
  } catch (error) {
    throw unreachable(path, 'cannot be opened for writing', error)
  }
}

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw unreachable(path, 'cannot be looked at', error)
  }
}

function unreachable(path: string, what: string, cause: unknown): MemuError {
  return new MemuError('store_unreachable', `The store ${path} ${what} (${systemCode(cause) ?? 'unknown reason'}).`, {
    hint: 'Give yourself the right to read and write there, or set MEMU_DB to another place.',
    cause,
  })
}

/**
 * Whether there is a file. Anything else is refused before it is opened: SQLite's reason for a folder would send a person to their disk,
 * and opening a pipe waits for whoever writes to it.
 */
function isThere(path: string): boolean {
  const found = statOf(path)
  if (found === undefined || found.isFile()) return found !== undefined
  const folder = found.isDirectory()
  throw new MemuError('store_unreachable', `The store ${path} is ${folder ? 'a folder' : 'no regular file'}; a file is needed.`, {
    hint: folder ? `Set MEMU_DB to a file in it, for example ${join(path, 'memory.db')}` : 'Set MEMU_DB to a file.',
    exit: 2,
  })
}

/** A connection for `openSqlite`, which sets what SQLite does not keep in the file. */
export function connectWriter(path: string, timeout: number): Database {
  const DatabaseSync = sqliteClass()
  const deadline = Date.now() + timeout
  for (;;) {
    let database: Database | undefined
    try {
      database = new DatabaseSync(path, { timeout })
      // Said here too: the built-in API knows the option only from Node 22.16 on.
      database.exec([`busy_timeout = ${timeout}`, ...WRITER_PRAGMAS].map((pragma) => `pragma ${pragma}`).join('; '))
      return database
    } catch (error) {
      database?.close()
      const failure = translated(error, path)
      // Turning a new file to WAL does not wait for another process that does the same, so it is tried again here.
      if ((failure as { code?: unknown }).code !== 'store_busy' || Date.now() > deadline) throw failure
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

/** A connection that has proven that it can read. */
function connectReader(path: string): Database {
  try {
    return reader(path)
  } catch (error) {
    if (!cannotOpen(error) || hasPendingWal(path)) throw translated(error, path)
  }
  // The folder cannot be written, so that SQLite cannot make its -shm file; nobody can write the store there either, and
  // without a write-ahead log the file itself is the whole store.
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  try {
    return reader(url.href)
  } catch (error) {
    throw translated(error, path)
  }
}

function reader(path: string): Database {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(path, { readOnly: true, timeout: READER_TIMEOUT })
  try {
    database.exec(`pragma mmap_size = ${MMAP_BYTES}; select 1 from sqlite_schema limit 1`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function hasPendingWal(path: string): boolean {
  try {
    return fs.statSync(`${path}-wal`).size > 0
  } catch {
    return false // No such file: nothing is pending.
  }
}

async function closedOnError<T>(driver: { close(): Promise<void> }, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    await driver.close()
    throw error
  }
}
