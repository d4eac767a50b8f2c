/** The embedded store's file: private, of our own schema, and safe against a crash. */
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../../util/fs.ts'
import { type Database, type SqlValue, type Statement, sqliteClass } from '../../util/sqlite.ts'

export interface EmbeddedDatabase {
  /** How many rows it changed. */
  run(sql: string, ...values: SqlValue[]): number
  all(sql: string, ...values: SqlValue[]): Readonly<Record<string, unknown>>[]
  /** All of it or nothing. */
  atomically(work: () => void): void
  /** Leaves nothing in the files of what was deleted: neither in free space nor in what SQLite writes first. */
  scrub(): void
  close(): void
}

const SCHEMA = 3
/** Milliseconds that a write waits for another process. The daemon answers nobody meanwhile. */
const BUSY_TIMEOUT = 1_000

/** Deleted text is overwritten. `synchronous = normal`: after a power failure the last moments may be missing, never the file; a crash of the process costs nothing. */
const PRAGMAS = `pragma busy_timeout = ${BUSY_TIMEOUT}; pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on`

/** What makes a file of each version out of one of the version before; the first of them starts with nothing. */
const STEPS = [
  `create table if not exists events (
    id integer primary key autoincrement,
    kind text not null,
    at integer not null,
    data text not null,
    sent integer not null default 0
  ) strict;
  create index if not exists events_at on events (at, id);
  create index if not exists events_kind on events (kind, at, id);
  create index if not exists events_sent on events (id) where sent in (0, 1);`,
  // When an event was seen to be in ActivityWatch. For what is there already the best guess is when it happened.
  `alter table events add column sent_at integer;
  update events set sent_at = at where sent = 2;
  create table facts (name text primary key, value text not null) strict;`,
  // Without a field: everything. Its states are those of `wishes.ts`.
  `create table wishes (
    id integer primary key autoincrement,
    field text,
    value text,
    at integer not null,
    state integer not null default 0
  ) strict;`,
] as const

/** Made where there is none, with its folders. Errors: SQLite's own, the file system's, and one for a file of a later version. */
export function openDatabase(file: string): EmbeddedDatabase {
  makeDirectory(dirname(file))
  // Made here and not by SQLite, so that it is private from its first moment; -wal and -shm get the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const database = connect(file)
  const statements = new Map<string, Statement>()
  const statement = (sql: string): Statement => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  return {
    run: (sql, ...values) => Number((statement(sql).run(...values) as { readonly changes: number | bigint }).changes),
    all: (sql, ...values) => statement(sql).all(...values) as Record<string, unknown>[],
    atomically(work) {
      database.exec('begin immediate')
      try {
        work()
        database.exec('commit')
      } catch (error) {
        // SQLite may have done that already.
        try {
          database.exec('rollback')
        } catch {}
        throw error
      }
    },
    scrub() {
      // Pages that were split may hold copies of what they do not have any more.
      database.exec('vacuum')
      const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { readonly busy: number }
      if (busy !== 0) throw new Error('somebody else reads it')
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

function connect(file: string): Database {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
  try {
    database.exec(PRAGMAS)
    const { user_version: version } = database.prepare('pragma user_version').get() as { readonly user_version: number }
    if (version > SCHEMA) throw new Error('it was written by a later version of keeld')
    if (version < SCHEMA) database.exec(`begin immediate; ${STEPS.slice(version).join(' ')} pragma user_version = ${SCHEMA}; commit`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
