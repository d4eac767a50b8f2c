/** A folder of this process in the system's place for temporary files, which does not outlive it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder {
  /** Without links in it, and private to the user. */
  readonly path: string
  /** With all that is in it. Where nobody calls it, it is done when the process exits. Safe to call twice. */
  remove(): void
}

const folders = new Set<() => void>()

export function newTemporaryFolder(prefix: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  function remove(): void {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    folders.delete(remove)
    if (folders.size === 0) process.off('exit', removeAll)
  }
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(remove)
  return { path, remove }
}

function removeAll(): void {
  for (const remove of folders) {
    try {
      remove()
    } catch {
      // Another program holds a file in it; the system tidies its temporary files itself.
    }
  }
}
