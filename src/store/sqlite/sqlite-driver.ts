/** The SQL driver over one SQLite connection: prepared statements kept, transactions one after the other. */
import * as fs from 'node:fs'
import type { Database, Statement } from '../../util/sqlite.ts'
import type { Dialect, Driver, Row, Value } from '../sql/driver.ts'
import { translated } from './errors.ts'
import { rowFiles } from './row-file.ts'

const dialect: Dialect = {
  integer: 'integer',
  blob: 'blob',
  text: 'text',
  clustered: ' without rowid',
  strings: '(select value from json_each(?))',
  integers: '(select value from json_each(?))',
  tableExists: "select 1 from sqlite_master where type = 'table' and name = ?",
}

export function sqliteDriver(database: Database, path: string): Driver {
  const statements = new Map<string, Statement>()
  let last: Promise<unknown> = Promise.resolve()
  let open = true
  let wrote = false

  function prepare(sql: string): Statement {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }

  /** The calls below are synchronous inside; the promises are the port's, for databases behind a socket. */
  async function guarded<T>(use: () => T): Promise<T> {
    try {
      return use()
    } catch (error) {
      throw translated(error, path)
    }
  }

  async function inTransaction<T>(mode: 'read' | 'write', use: () => Promise<T>): Promise<T> {
    await guarded(() => database.exec(mode === 'write' ? 'begin immediate' : 'begin'))
    wrote ||= mode === 'write'
    try {
      const result = await use()
      await guarded(() => database.exec('commit'))
      return result
    } catch (error) {
      try {
        database.exec('rollback')
      } catch {
        // SQLite has rolled back by itself (a full disk does that); the error that matters is the first one.
      }
      throw error
    }
  }

  return {
    kind: 'sqlite',
    location: path,
    dialect,
    rowFiles: rowFiles(path),
    all: <R = Row>(sql: string, params: readonly Value[] = []) => guarded(() => prepare(sql).all(...params) as R[]),
    get: <R = Row>(sql: string, params: readonly Value[] = []) => guarded(() => prepare(sql).get(...params) as R | undefined),
    run: (sql, params = []) =>
      guarded(() => {
        prepare(sql).run(...params)
      }),
    runMany: (sql, rows) =>
      guarded(() => {
        if (rows.length === 0) return
        const statement = prepare(sql)
        for (const row of rows) statement.run(...row)
      }),
    transaction(mode, use) {
      const result = last.then(() => inTransaction(mode, use))
      // The next one waits for this one, however it ends; its error goes to its own caller.
      last = result.catch(() => {})
      return result
    },
    async check() {
      const rows = await guarded(() => prepare('pragma integrity_check(20)').all() as { integrity_check: string }[])
      return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
    },
    async backup() {
      const copy = `${path}.backup-${new Date().toISOString().replaceAll(':', '')}`
      // Made private first: SQLite fills an empty file that it finds.
      fs.closeSync(fs.openSync(copy, 'wx', 0o600))
      await guarded(() => prepare('vacuum into ?').run(copy))
      return copy
    },
    async close() {
      if (!open) return
      open = false
      await last
      statements.clear()
      try {
        // Into the main file what is still in the log, as far as no reader needs it: a copy of that file is then the whole store.
        if (wrote) database.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
      } catch {
        // A reader is at work, or the disk is full: the log stays, and the next one to open the store reads it.
      }
      database.close()
    },
  }
}
