/** SQLite's error numbers, as they matter to somebody who only reads a database that belongs to another program. */
import { MemuError, reason } from '../../util/errors.ts'
import { RESULT, sqliteResult } from '../../util/sqlite-result.ts'

const PASSING: ReadonlySet<number | undefined> = new Set([RESULT.busy, RESULT.locked, RESULT.ioerr, RESULT.protocol, RESULT.schema])
const UNWRITABLE: ReadonlySet<number | undefined> = new Set([RESULT.cantopen, RESULT.readonly, RESULT.ioerr])

/** A writer was in the middle of something (a commit, a checkpoint, a migration): a moment later the same call works. */
export function passes(error: unknown): boolean {
  return PASSING.has(sqliteResult(error))
}

/**
 * What is needed beside the file (its -shm, a rollback of its journal) cannot be had by somebody who may only read. An I/O error is what
 * comes of an empty -wal without a -shm in a folder that cannot be written.
 */
export function needsWriting(error: unknown): boolean {
  return UNWRITABLE.has(sqliteResult(error))
}

/** `session_unreadable` with the path and the reason in words. Errors of ours pass through. */
export function unreadable(path: string, error: unknown): MemuError {
  if (error instanceof MemuError) return error
  const { why, hint } = explanation(error)
  return new MemuError('session_unreadable', `Cannot read the sessions in ${path}: ${why}.`, { hint, cause: error })
}

const AGAIN = 'Run the command again; every session is taken up where it was left.'

function explanation(error: unknown): { readonly why: string; readonly hint: string } {
  switch (sqliteResult(error)) {
    case RESULT.busy:
    case RESULT.locked:
    case RESULT.protocol:
      return { why: 'another program holds it and did not let go', hint: AGAIN }
    case RESULT.corrupt:
    case RESULT.notadb:
      return {
        why: `it is damaged or no SQLite database (${reason(error)})`,
        hint: 'Start the program that writes it, which may repair it; nothing was changed here.',
      }
    case RESULT.readonly:
    case RESULT.cantopen:
      return {
        why: `it cannot be opened only to read (${reason(error)})`,
        hint: 'Start the program that writes it once, which puts its journal in order, or give yourself the right to read there.',
      }
    default:
      return { why: reason(error), hint: AGAIN }
  }
}
