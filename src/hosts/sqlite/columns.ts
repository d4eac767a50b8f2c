/** What a host's tables must have to be understood at all. */
import { MemuError } from '../../util/errors.ts'
import type { SqliteLog } from './open.ts'

/**
 * The names of the table's columns. Each of `names` may be a list, of which one is enough.
 * Errors: `session_unreadable` where one is missing: a newer version of the host keeps what was said elsewhere, and reading past it would
 * lose it.
 */
export function requireColumns(log: SqliteLog, table: string, names: readonly (string | readonly string[])[]): ReadonlySet<string> {
  const there = log.columns(table)
  for (const name of names) {
    const any = [name].flat()
    if (any.some((column) => there.has(column))) continue
    throw new MemuError(
      'session_unreadable',
      `Cannot read the sessions in ${log.path}: the table ${table} has no column ${any.join(' or ')}.`,
      {
        hint: 'Update memU, which may know the newer version of the program. Nothing is passed over: every session stays where it was left.',
      },
    )
  }
  return there
}
