/**
 * The one door for writing small files (mirrors, cursors, manifests, `config.env`): readers see the old file or the new
 * one, never half of it, and a crash leaves at most a temporary file beside the target.
 */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'

export interface WriteOptions {
  /** Mode of a new file; an existing file keeps its own unless `forceMode`. Default 0600: memory is private. */
  readonly mode?: number
  readonly forceMode?: boolean
  /** Flush to the disk before the rename; for state whose loss would repeat or lose work. Default true. */
  readonly durable?: boolean
}

/** Makes the directory and its parents, private to the user. Existing ones keep their mode. */
export function makeDirectory(path: string): void {
  fs.mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Replaces `path` atomically. A symbolic link is followed, so that the link stays and its target changes. */
export function writeFileAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): void {
  const { path: target, mode: kept } = targetOf(path)
  makeDirectory(dirname(target))
  const mode = (options.forceMode ? undefined : kept) ?? options.mode ?? 0o600
  // Exclusive creation is what keeps two writers apart; loading `node:crypto` for a name would cost every prompt 3 ms.
  const temporary = join(dirname(target), `.${Math.random().toString(36).slice(2)}.tmp`)
  try {
    const fd = fs.openSync(temporary, 'wx', mode)
    try {
      fs.writeFileSync(fd, data)
      fs.fchmodSync(fd, mode)
      if (options.durable !== false) fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
    fs.renameSync(temporary, target)
  } catch (error) {
    // The error that matters is the first one; the temporary file is removed as far as the disk lets us.
    try {
      fs.unlinkSync(temporary)
    } catch {}
    throw error
  }
}

/** The text of a file, or undefined where it does not exist. Other errors are thrown. */
export function readTextIfExists(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

interface Target {
  readonly path: string
  /** Of the file that is there. */
  readonly mode?: number
}

/** Where a write really goes: behind a symbolic link, if `path` is one. */
function targetOf(path: string): Target {
  try {
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return { path }
    if (!found.isSymbolicLink()) return { path, mode: found.mode & 0o777 }
    return { path: fs.realpathSync(path), mode: fs.statSync(path).mode & 0o777 }
  } catch {
    return { path } // A dangling link: the rename then replaces the link itself.
  }
}
