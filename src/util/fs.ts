/**
 * The one door for writing small files (mirrors, cursors, manifests, `config.env`): readers see the old file or the new
 * one, never half of it, and a crash leaves at most a temporary file beside the target.
 */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { MemuError, systemCode } from './errors.ts'

export interface WriteOptions {
  /** Mode of a new file; an existing file keeps its own unless `forceMode`. Default 0600: memory is private. */
  readonly mode?: number
  readonly forceMode?: boolean
  /** Flush to the disk before the rename; for state whose loss would repeat or lose work. Default true. */
  readonly durable?: boolean
}

/** Makes the directory and its parents, private to the user. Existing ones keep their mode. */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  try {
    fs.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (isDirectory(path)) return // Another process was faster.
    // One by one, and not by `recursive`: below a parent that can never be made (`/proc/x`) Node.js tries for ever, and of a disk that is
    // read-only, or a link to nowhere, it says that something is missing.
    const parent = dirname(path)
    if (systemCode(error) !== 'ENOENT' || isDirectory(parent)) throw error
    makeDirectory(parent)
    makeDirectory(path)
  }
}

function isDirectory(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false // Below a file, or where we may not look: making it says so.
  }
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
    replaceFile(temporary, target)
  } catch (error) {
    // The error that matters is the first one; the temporary file is removed as far as the disk lets us.
    try {
      fs.unlinkSync(temporary)
    } catch {}
    throw about(path, error)
  }
}

/** Milliseconds between two tries: a scanner looks at a file for about as long as all of them together. */
const PAUSES_MS = [1, 5, 20, 50, 100, 200, 400]
const HELD = ['EPERM', 'EACCES', 'EBUSY']

/** What `replaceFile` does to the outside; given by tests. */
export interface Replacing {
  readonly platform: NodeJS.Platform
  rename(from: string, to: string): void
  pause(milliseconds: number): void
}

/**
 * Renames over an existing file. On Windows that fails while somebody reads the file, a virus scanner for example: then it is tried
 * again for a moment. Elsewhere the same errors mean that it is forbidden.
 */
export function replaceFile(from: string, to: string, { platform, rename, pause }: Replacing = REAL): void {
  for (const wait of platform === 'win32' ? PAUSES_MS : []) {
    try {
      rename(from, to)
      return
    } catch (error) {
      if (!HELD.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      pause(wait)
    }
  }
  rename(from, to)
}

const REAL: Replacing = {
  platform: process.platform,
  rename: (from, to) => fs.renameSync(from, to),
  pause: (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
}

/**
 * Takes a file away; one that is gone already is no error. Some agents put a wrapper around Node.js that moves deletions into a trash
 * and often fails: then the file is renamed to `aside`, over the one from the last time, so that its name is free and nothing piles up.
 */
export function discardFile(path: string, aside: string = join(dirname(path), '.discarded')): void {
  try {
    fs.unlinkSync(path)
  } catch (error) {
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return
    if (found.isDirectory()) throw about(path, error)
    try {
      replaceFile(path, aside)
    } catch {
      throw about(path, error) // Why it could not be deleted says more.
    }
  }
}

/** The text of a file, or undefined where it does not exist. Other errors are thrown; `bad_path`: a pipe or a device. */
export function readTextIfExists(path: string): string | undefined {
  return readBytesIfExists(path)?.toString('utf8')
}

/** The same, in bytes. A pipe without a writer would be waited for without end, and a device may never end: neither is read. */
export function readBytesIfExists(path: string): Buffer | undefined {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)) // Windows has no such flag, and no such pipes.
    const found = fs.fstatSync(fd)
    if (!found.isFile() && !found.isDirectory()) throw notAFile(path)
    return fs.readFileSync(fd)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw about(path, error)
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

function notAFile(path: string): MemuError {
  return new MemuError('bad_path', `Cannot read ${path}: it is a pipe or a device, not a file.`, {
    hint: 'Move it out of the way; what it stood for is made anew.',
  })
}

/** The same error, about the path that was meant: Node.js names none of an open file, and a temporary one says nothing to a person. */
function about(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  const words = error.message.replace(/^\w+: /, '').replace(/, \w+(?: '.*)?$/s, '')
  return Object.assign(error, { message: `${code}: ${words}, ${syscall} '${path}'`, path, dest: undefined })
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
