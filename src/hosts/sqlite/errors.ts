/** SQLite's error numbers, as they matter to somebody who only reads a database that belongs to another program. */
import { MemuError, reason } from '../../util/errors.ts'

/** Result codes of SQLite (https://www.sqlite.org/rescode.html). */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const CANTOPEN = 14
const PROTOCOL = 15
const SCHEMA = 17
const NOTADB = 26

/** Some calls of @photostructure/sqlite leave the number out; the message is then SQLite's own text. */
const MESSAGES: readonly (readonly [number, string])[] = [
  [BUSY, 'database is locked'],
  [LOCKED, 'table is locked'],
  [READONLY, 'readonly database'],
  [IOERR, 'disk I/O error'],
  [CORRUPT, 'disk image is malformed'],
  [CANTOPEN, 'unable to open database file'],
  [PROTOCOL, 'locking protocol'],
  [SCHEMA, 'schema has changed'],
  [NOTADB, 'file is not a database'],
]

/** The primary result code of a thrown error; undefined where SQLite did not throw it or gave none. */
function resultCode(error: unknown): number | undefined {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  return code === 'ERR_SQLITE_ERROR' ? MESSAGES.find(([, words]) => String(message).includes(words))?.[0] : undefined
}

/** A writer was in the middle of something (a commit, a checkpoint, a migration): a moment later the same call works. */
export function passes(error: unknown): boolean {
  return [BUSY, LOCKED, IOERR, PROTOCOL, SCHEMA].includes(resultCode(error) ?? 0)
}

/**
 * What is needed beside the file (its -shm, a rollback of its journal) cannot be had by somebody who may only read. An I/O error is what
 * comes of an empty -wal without a -shm in a folder that cannot be written.
 */
export function needsWriting(error: unknown): boolean {
  return [CANTOPEN, READONLY, IOERR].includes(resultCode(error) ?? 0)
}

/** `session_unreadable` with the path and the reason in words. Errors of ours pass through. */
export function unreadable(path: string, error: unknown): MemuError {
  if (error instanceof MemuError) return error
  const { why, hint } = explanation(error)
  return new MemuError('session_unreadable', `Cannot read the sessions in ${path}: ${why}.`, { hint, cause: error })
}

const AGAIN = 'Run the command again; every session is taken up where it was left.'

function explanation(error: unknown): { readonly why: string; readonly hint: string } {
  switch (resultCode(error)) {
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return { why: 'another program holds it and did not let go', hint: AGAIN }
    case CORRUPT:
    case NOTADB:
      return {
        why: `it is damaged or no SQLite database (${reason(error)})`,
        hint: 'Start the program that writes it, which may repair it; nothing was changed here.',
      }
    case READONLY:
    case CANTOPEN:
      return {
        why: `it cannot be opened only to read (${reason(error)})`,
        hint: 'Start the program that writes it once, which puts its journal in order, or give yourself the right to read there.',
      }
    default:
      return { why: reason(error), hint: AGAIN }
  }
}
