/** Opens a store file: creates it private, sets what every connection needs, and brings its schema up to date. */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { MemuError } from '../../util/errors.ts'
import { makeDirectory } from '../../util/fs.ts'
import { checkSchema, migrate, SCHEMA } from '../sql/migrate.ts'
import { sqlStore } from '../sql/sql-store.ts'
import type { Store } from '../store.ts'
import { type Database, sqliteClass } from './api.ts'
import { isCannotOpen, translated } from './errors.ts'
import { sqliteDriver } from './sqlite-driver.ts'

/** How long a writer waits for another one, in milliseconds. A commit takes far less; a rewrite of a large corpus some seconds. */
const BUSY_TIMEOUT = 10_000

/** Reads without copying through SQLite's own cache, and large blobs without a system call a page. */
const MMAP_BYTES = 1 << 30

export interface OpenOptions {
  /** Never writes, and works on a file that cannot be written. */
  readonly readOnly?: boolean
}

/** `undefined` where a read-only store is asked for and no file exists. */
export async function openSqlite(path: string, options: OpenOptions = {}): Promise<Store | undefined> {
  const readOnly = options.readOnly === true
  if (!readOnly) prepareFile(path)
  else if (!fs.existsSync(path)) return undefined
  const database = connect(path, readOnly)
  const driver = sqliteDriver(database, path)
  try {
    if (readOnly) {
      const schema = await checkSchema(driver)
      if (schema === 0) {
        await driver.close()
        return undefined
      }
      if (schema < SCHEMA) {
        throw new MemuError('store_older', `The store ${path} has the older schema ${schema}.`, {
          hint: 'Run `memu doctor --fix` or any commit.',
        })
      }
    } else {
      await migrate(driver)
    }
  } catch (error) {
    await driver.close()
    throw error
  }
  return sqlStore(driver)
}

/** Made here and not by SQLite, so that it is private from its first moment; SQLite gives -wal and -shm the same mode. */
function prepareFile(path: string): void {
  try {
    makeDirectory(dirname(path))
    fs.closeSync(fs.openSync(path, 'a', 0o600))
  } catch (error) {
    throw new MemuError('store_unreachable', `The store ${path} cannot be opened for writing (${(error as NodeJS.ErrnoException).code}).`, {
      hint: 'Give yourself the right to write there, or set MEMU_DB to another place.',
      cause: error,
    })
  }
}

function connect(path: string, readOnly: boolean): Database {
  const DatabaseSync = sqliteClass()
  try {
    const database = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT })
    if (!readOnly) database.exec('pragma journal_mode = wal')
    database.exec(`pragma mmap_size = ${MMAP_BYTES}${readOnly ? '' : '; pragma synchronous = normal; pragma foreign_keys = on'}`)
    return database
  } catch (error) {
    if (!(readOnly && isCannotOpen(error))) throw translated(error, path)
    throw translated(error, path)
  }
}
