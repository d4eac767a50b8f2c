/**
 * The one lock between processes: a file that names its owner. A lock whose owner is gone is taken over at once, and one whose owner
 * lives is never broken, where that can be known: the owner runs under this host name, on a system that tells when a process began
 * (Linux, macOS).
 *
 * Where it cannot be known, an owner counts as living for a day, counted from the time that it wrote itself: on Windows, and of an owner
 * that names another host (a home that machines share, and a machine that crashed and has another name since). A run that takes longer
 * is not protected there. A time that lies ahead, by more than clocks differ, is no time: such an owner counts as gone. So does a lock
 * file that nobody can read, after ten seconds.
 *
 * Held for the length of a run, released when the process ends.
 */
import * as fs from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { MemuError, systemCode } from './errors.ts'
import { discardFile, makeDirectory } from './fs.ts'
import { isRunning, processStart } from './process-identity.ts'

export interface LockOwner {
  readonly pid: number
  /** When the process began, as the system tells it: a reused process id is not the same owner. Absent where unknown. */
  readonly started?: string
  /** The machine's name: a home directory may be shared by several. */
  readonly machine: string
  /** What the owner does, for people: `bridge`. */
  readonly purpose: string
  /** ISO time of the taking. */
  readonly since: string
  readonly token: string
}

export interface Lock {
  /** Hand it to `acquireLock` in the same run (another function, a child process) to enter again. */
  readonly token: string
  /** Safe to call twice. The lock of an outer holder stays. */
  release(): void
}

export interface LockOptions {
  readonly purpose: string
  /** The token of a lock that this run holds already: enters without taking. */
  readonly token?: string | undefined
  readonly now?: () => Date
}

/** An owner of another machine, or one whose start is unknown, cannot be asked: after this long it counts as gone. No run is near it. */
const MAX_AGE_MS = 24 * 3600 * 1000
/** A lock file without a readable owner (a crash while it was written, on file systems without hard links). */
const UNREADABLE_AGE_MS = 10_000
/** So far the clocks of two machines that share a home may differ. What lies further ahead was written under a wrong clock. */
const CLOCKS_DIFFER_MS = 60_000
/** An owner takes a few hundred bytes. */
const MOST_BYTES = 4096
const ATTEMPTS = 200
const PAUSE_MS = 5

/**
 * Takes the lock or throws `MemuError('locked')` at once, with who holds it and since when; it does not wait for the holder.
 * Exit code 1; `bridge` turns it into a message and exit 0. Throws `lock_is_no_file` where something else lies in its place.
 */
export function acquireLock(path: string, options: LockOptions): Lock {
  return acquire(path, options, 0)
}

/** Who holds the lock, or undefined where nobody does or the holder is gone. For messages and `doctor`. */
export function lockHolder(path: string, now: () => Date = () => new Date()): LockOwner | undefined {
  try {
    const found = read(path, now)
    return found.state === 'held' ? found.owner : undefined
  } catch {
    return undefined // Nobody holds what is no lock; who wants to take it is told so.
  }
}

function acquire(path: string, options: LockOptions, depth: number): Lock {
  const now = options.now ?? (() => new Date())
  makeDirectory(dirname(path))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = read(path, now)
    if (found.state === 'held') {
      if (found.owner !== undefined && found.owner.token === options.token) return { token: found.owner.token, release: () => {} }
      throw heldBy(path, found.owner)
    }
    const owner = newOwner(options.purpose, now)
    const taken = found.state === 'free' ? create(path, owner) : takeOver(path, owner, now, depth)
    if (taken) return hold(path, owner.token)
    pause()
  }
  throw heldBy(path, undefined)
}

/**
 * Only who holds the guard may replace a lock whose owner is gone, and looks again before doing so: of two that find the same
 * stale lock one wins, and the other then finds a living owner. The guard is a lock of the same kind and heals the same way.
 */
function takeOver(path: string, owner: LockOwner, now: () => Date, depth: number): boolean {
  if (depth >= 3) return false
  let guard: Lock
  try {
    guard = acquire(`${path}.guard`, { purpose: 'taking over a stale lock', now }, depth + 1)
  } catch (error) {
    if (error instanceof MemuError && error.code === 'locked') return false // Someone else takes it over right now: look again.
    throw error
  }
  try {
    const again = read(path, now)
    if (again.state !== 'stale') return false
    const temporary = writeOwner(path, owner)
    fs.renameSync(temporary, path)
    return true
  } finally {
    guard.release()
  }
}

type Found = { readonly state: 'free' } | { readonly state: 'held' | 'stale'; readonly owner?: LockOwner }

function read(path: string, now: () => Date): Found {
  const file = readLockFile(path)
  if (file === undefined) return { state: 'free' }
  const owner = parseOwner(file.text)
  if (owner === undefined) return { state: isWithin(UNREADABLE_AGE_MS, file.changed, now) ? 'held' : 'stale' }
  return { state: isAlive(owner, now) ? 'held' : 'stale', owner }
}

/** Undefined where there is none. Errors: `lock_is_no_file`; opening a pipe would wait for somebody to write. */
function readLockFile(path: string): { readonly text: string; readonly changed: number } | undefined {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0)) // Windows has no such flag, and no such pipes.
    const stat = fs.fstatSync(fd)
    if (!stat.isFile()) throw notAFile(path)
    const buffer = Buffer.alloc(MOST_BYTES)
    return { text: buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, MOST_BYTES, 0)), changed: stat.mtimeMs }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    if (['EISDIR', 'ENXIO'].includes(systemCode(error) ?? '')) throw notAFile(path) // A folder, on Windows; a socket.
    throw error
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

function notAFile(path: string): MemuError {
  return new MemuError('lock_is_no_file', `${path} is the place of a lock, and is no regular file.`, { hint: 'Move it away.' })
}

function isAlive(owner: LockOwner, now: () => Date): boolean {
  const isRecent = isWithin(MAX_AGE_MS, Date.parse(owner.since), now)
  if (owner.machine !== hostname()) return isRecent
  if (!isRunning(owner.pid)) return false
  const started = owner.started === undefined ? undefined : processStart(owner.pid)
  return started === undefined ? isRecent : started === owner.started
}

/** Whether a time lies at most so far back, and not ahead. Milliseconds. */
function isWithin(limit: number, time: number, now: () => Date): boolean {
  const age = now().getTime() - time
  return age < limit && age > -CLOCKS_DIFFER_MS
}

function newOwner(purpose: string, now: () => Date): LockOwner {
  const started = processStart(process.pid)
  return {
    pid: process.pid,
    ...(started === undefined ? {} : { started }),
    machine: hostname(),
    purpose,
    since: now().toISOString(),
    token: `${process.pid}-${Math.random().toString(36).slice(2)}`,
  }
}

/** False where somebody was faster. A hard link appears with its whole content, or not at all. */
function create(path: string, owner: LockOwner): boolean {
  const temporary = writeOwner(path, owner)
  try {
    fs.linkSync(temporary, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    return createWithoutLink(path, owner)
  } finally {
    discardOwn(temporary, `${path}.tmp`)
  }
}

/** A lock does not fail over what is left lying beside it. */
function discardOwn(temporary: string, aside: string): void {
  try {
    discardFile(temporary, aside)
  } catch {
    // It stays under a name that nobody asks for.
  }
}

/** For file systems without hard links: exclusive, but for a moment empty; readers take an unreadable lock for a held one. */
function createWithoutLink(path: string, owner: LockOwner): boolean {
  try {
    fs.writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function writeOwner(path: string, owner: LockOwner): string {
  const temporary = `${path}.${owner.token}.tmp`
  fs.writeFileSync(temporary, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
  return temporary
}

function hold(path: string, token: string): Lock {
  const release = (): void => {
    process.off('exit', release)
    try {
      if (parseOwner(readLockFile(path)?.text ?? '')?.token === token) discardFile(path, `${path}.released`)
    } catch {
      // Gone already, or the disk refuses: the next one finds an owner that no longer runs and takes over.
    }
  }
  process.on('exit', release)
  return { token, release }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockOwner> | null
    if (typeof value?.pid !== 'number' || typeof value.token !== 'string') return undefined
    if (typeof value.machine !== 'string' || typeof value.since !== 'string' || Number.isNaN(Date.parse(value.since))) return undefined
    return { purpose: 'memu', ...value } as LockOwner
  } catch {
    return undefined // Half-written or foreign: the caller judges by its age.
  }
}

function heldBy(path: string, owner: LockOwner | undefined): MemuError {
  const who = owner === undefined ? 'another process' : `${owner.purpose} (process ${owner.pid} on ${owner.machine}, since ${owner.since})`
  return new MemuError('locked', `Another run is at work: ${who} holds ${path}.`, {
    hint: 'Wait until it has ended; a lock whose process is gone is taken over by itself.',
  })
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
