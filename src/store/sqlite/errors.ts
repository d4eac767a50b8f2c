/** SQLite's error numbers in words: what failed, on which file, and what to do. */
import { MemuError, reason } from '../../util/errors.ts'
import { RESULT, sqliteResult } from '../../util/sqlite-result.ts'

/** Whether SQLite could not open what it needs; a read-only folder gives either code. */
export function cannotOpen(error: unknown): boolean {
  const code = sqliteResult(error)
  return code === RESULT.cantopen || code === RESULT.readonly
}

/** The error as the program shows it. Errors that are not SQLite's pass through. */
export function translated(error: unknown, path: string): unknown {
  const code = sqliteResult(error)
  const make = (name: string, message: string, hint: string) => new MemuError(name, message, { hint, cause: error })
  switch (code) {
    case undefined:
      return error
    case RESULT.busy:
    case RESULT.locked:
      return make('store_busy', `The store ${path} is being written by another program and did not become free.`, 'Try again in a moment.')
    case RESULT.readonly:
      return make(
        'store_readonly',
        `The store ${path} cannot be written: the file or its folder is read-only.`,
        'Give yourself the right to write there, or set MEMU_DB to another place.',
      )
    case RESULT.cantopen:
      return make(
        'store_unreachable',
        `The store ${path} cannot be opened.`,
        'Check that its folder exists and that you may read and write there, or set MEMU_DB to another place.',
      )
    case RESULT.full:
      return make(
        'disk_full',
        `The disk is full: nothing was written to the store ${path}.`,
        'Free some space and run the command again; what was stored before is untouched.',
      )
    case RESULT.ioerr:
      return make(
        'store_io',
        `The store ${path} could not be read or written (${reason(error)}): nothing was changed.`,
        'Check the disk: free space, quota, file size limit, health.',
      )
    case RESULT.corrupt:
    case RESULT.notadb:
      return make(
        'store_corrupt',
        `The store ${path} is damaged or no SQLite database (${reason(error)}).`,
        'Restore it from a backup, or set MEMU_DB to a new file and run `memu-<host> commit`, which fills it from the mirror; `memu doctor` says more.',
      )
    default:
      return make('store_failed', `The store ${path} failed: ${reason(error)}.`, 'Run `memu doctor`.')
  }
}
