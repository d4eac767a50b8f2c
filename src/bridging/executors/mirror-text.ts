/**
 * Reads and writes mirror files for executors in this process, as strictly as commit reads them: a file that commit refuses (a link, a
 * folder, no UTF-8, too large) is left as it is and fails the job that would write it, so that its session comes again once it is repaired.
 */
import { MemuError } from '../../util/errors.ts'
import { discardFile, writeFileAtomic } from '../../util/fs.ts'
import type { Layout } from '../layout.ts'
import { mirrorPath, readMirrorFile } from '../mirror-files.ts'

/** What commit takes; a test holds the two together. */
const MAX_BYTES = 1024 * 1024

/** A mirror file as it is to be; without a text it is to be removed. */
export interface MirrorChange {
  /** Below the tree, with forward slashes: `memory/shop-facts.md`. */
  readonly path: string
  readonly text?: string
}

/** Undefined where there is no such file. Errors: `unreadable_memory`. */
export function mirrorText(tree: Layout, path: string): string | undefined {
  const read = readMirrorFile(tree, path)
  if (read?.ok === false) throw refused(tree, path, read.reason)
  return read?.text
}

/** Asks all files again before the first is written: the session took its time to read. Errors: `unreadable_memory`; then none is changed. */
export function writeMirror(tree: Layout, changes: readonly MirrorChange[]): void {
  for (const { path, text = '' } of changes) {
    mirrorText(tree, path)
    if (Buffer.byteLength(text) > MAX_BYTES) throw refused(tree, path, `it would be larger than ${MAX_BYTES} bytes`)
  }
  for (const { path, text } of changes) {
    if (text === undefined) discardFile(mirrorPath(tree, path))
    // What was read holds no NUL; one in a session's words would make the file one that commit refuses for good.
    else writeFileAtomic(mirrorPath(tree, path), text.replaceAll('\0', ''))
  }
}

function refused(tree: Layout, path: string, reason: string): MemuError {
  return new MemuError('unreadable_memory', `cannot add to ${mirrorPath(tree, path)}: ${reason}`, {
    hint: 'Repair the file or move it away.',
  })
}
