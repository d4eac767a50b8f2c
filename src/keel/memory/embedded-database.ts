/** The embedded store's file: private, of our own schema, and safe against a crash. */
import { closeSync, openSync, renameSync, statSync } from 'node:fs'
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
  /** Whether what it reads and writes still lies where it was opened: not removed, replaced, or cut off, by whomever. */
  isThere(): boolean
  /**
   * Gives its files another name, those that still lie there. It reads on from them, and a new file of the old name is none of its business:
   * another connection to the same one would share its index, also after `close`, which ends one only once its statements are collected.
   */
  putAside(aside: string): void
  /** Errors: where SQLite finds it damaged. */
  check(): void
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
  // Made here and not by SQLite, so that it is private from its first moment; -wal and -shm get the same mode. Not where it is there: that
  // would free the locks of a connection that we have already.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) closeSync(openSync(file, 'a', 0o600))
  const database = connect(file)
  const first = new Map<string, string>()
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
    isThere: () => FILES.every((end) => isUnchanged(first, file + end, end === '' ? HEADER_BYTES : 0)),
    putAside(aside) {
      for (const end of [...FILES].reverse()) {
        if (first.has(file + end) && first.get(file + end) === identity(file + end)) renameSync(file + end, aside + end)
      }
    },
    check() {
      const { quick_check: found } = database.prepare('pragma quick_check(1)').get() as { readonly quick_check: string }
      if (found !== 'ok') throw new DamagedFile(found)
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

/** The file, and those that SQLite keeps beside it, which are made with the first use and stay while it is open. */
export const FILES = ['', '-wal', '-shm'] as const
/** The first page of a SQLite file starts with so many bytes. */
const HEADER_BYTES = 100

/** SQLite reads it, and it is not whole. */
export class DamagedFile extends Error {}

/** One that is not there at first may come; what was there must stay. */
function isUnchanged(first: Map<string, string>, path: string, leastBytes: number): boolean {
  const [known, found] = [first.get(path), identity(path, leastBytes)]
  if (known === undefined && found !== undefined) first.set(path, found)
  return known === undefined || known === found
}

/** Undefined where there is none, or not so much of it. */
function identity(path: string, leastBytes = 0): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.size < leastBytes ? undefined : `${found.dev} ${found.ino}`
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
