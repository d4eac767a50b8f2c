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

/** The primary result code of a thrown error, or undefined where SQLite did not throw it. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

export function isCannotOpen(error: unknown): boolean {
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
        'Restore it from a backup, or set MEMU_DB to a new file and run `memu commit` with your mirror; `memu doctor` says more.',
      )
    default:
      return make('store_failed', `The store ${path} failed: ${reason(error)}.`, 'Run `memu doctor`.')
  }
}
