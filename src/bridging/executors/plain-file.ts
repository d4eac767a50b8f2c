/** What an executor may write to. An agent works in the tree and may have left links there: through one, a file elsewhere would change. */
import { lstatSync } from 'node:fs'
import { MemuError, systemCode } from '../../util/errors.ts'

/** Whether a regular file lies there, or nothing yet. Says nothing about the folders above it. */
export function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch (error) {
    return systemCode(error) === 'ENOENT'
  }
}

/** Errors: `not_a_file` where `isPlainFile` says no. */
export function requirePlainFile(path: string): void {
  if (isPlainFile(path)) return
  throw new MemuError('not_a_file', `${path} is not a regular file and cannot be written`, { hint: 'Move it away.' })
}
