/** SQLite's error numbers in words: what failed, on which file, and what to do. */
import { MemuError, reason } from '../../util/errors.ts'

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
const GENERIC = 1

const MESSAGES: readonly (readonly [number, string])[] = [
  [BUSY, 'database is locked'],
  [LOCKED, 'table is locked'],
  [READONLY, 'readonly database'],
  [IOERR, 'disk I/O error'],
  [CORRUPT, 'disk image is malformed'],
  [FULL, 'disk is full'],
  [CANTOPEN, 'unable to open database file'],
  [NOTADB, 'file is not a database'],
]

/** The primary result code of a thrown error, or undefined where SQLite did not throw it. */
export function sqliteCode(error: unknown): number | undefined {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  // Some calls of @photostructure/sqlite leave the number out; the message is then SQLite's own text.
  const text = String(message)
  return MESSAGES.find(([, words]) => text.includes(words))?.[0] ?? GENERIC
}

/** Whether SQLite could not open what it needs; a read-only folder gives either code. */
export function cannotOpen(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === CANTOPEN || code === READONLY
}

/** The error as the program shows it. Errors that are not SQLite's pass through. */
export function translated(error: unknown, path: string): unknown {
  const code = sqliteCode(error)
  const make = (name: string, message: string, hint: string) => new MemuError(name, message, { hint, cause: error })
  switch (code) {
    case undefined:
      return error
    case BUSY:
    case LOCKED:
      return make('store_busy', `The store ${path} is being written by another program and did not become free.`, 'Try again in a moment.')
    case READONLY:
      return make(
        'store_readonly',
        `The store ${path} cannot be written: the file or its folder is read-only.`,
        'Give yourself the right to write there, or set MEMU_DB to another place.',
      )
    case CANTOPEN:
      return make(
        'store_unreachable',
        `The store ${path} cannot be opened.`,
        'Check that its folder exists and that you may read and write there, or set MEMU_DB to another place.',
      )
    case FULL:
      return make(
        'disk_full',
        `The disk is full: nothing was written to the store ${path}.`,
        'Free some space and run the command again; what was stored before is untouched.',
      )
    case IOERR:
      return make(
        'store_io',
        `The store ${path} could not be read or written (${reason(error)}): nothing was changed.`,
        'Check the disk: free space, quota, file size limit, health.',
      )
    case CORRUPT:
    case NOTADB:
      return make(
        'store_corrupt',
        `The store ${path} is damaged or no SQLite database (${reason(error)}).`,
        'Restore it from a backup, or set MEMU_DB to a new file and run `memu-<host> commit`, which fills it from the mirror; `memu doctor` says more.',
      )
    default:
      return make('store_failed', `The store ${path} failed: ${reason(error)}.`, 'Run `memu doctor`.')
  }
}
