/**
 * Whether a database is at rest: in WAL mode, and nobody has it open. SQLite would then have to make a -wal and a -shm file beside it only
 * to read it, and leave them there. A database at rest is read as it is instead (`immutable`), for as long as it stays so.
 */
import * as fs from 'node:fs'

/** Where the header of a database says how it is written (https://www.sqlite.org/fileformat.html): 2 is WAL. */
const WRITE_VERSION = 18
const WAL = 2
/** What lies beside a database while somebody has it open, or after a crash. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** A file system tells times only so exactly, in milliseconds: a change within one step of its clock does not show. */
const CLOCK_STEP = 20

/**
 * What the file and its companions look like, as one string; undefined where it cannot be told. Another string means that somebody was
 * there. Where the last change is only just over, it waits until the next one would show.
 */
export function appearance(path: string): string | undefined {
  try {
    const { ino, size, mtimeNs } = fs.statSync(path, { bigint: true })
    if (Math.abs(Date.now() - Number(mtimeNs / 1_000_000n)) < CLOCK_STEP) pause(CLOCK_STEP)
    return [ino, size, mtimeNs, ...COMPANIONS.map((suffix) => sizeOf(path + suffix))].join(' ')
  } catch {
    return undefined // It is gone, or no longer ours to look at: opening it says which.
  }
}

/**
 * Opening and closing a file drops the locks that this process holds on it. Where none of the companions is there, it holds none: that is
 * asked first.
 */
export function isAtRest(path: string): boolean {
  if (COMPANIONS.some((suffix) => sizeOf(path + suffix) !== undefined)) return false
  let fd: number | undefined
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    const header = Buffer.alloc(WRITE_VERSION + 1)
    return fs.readSync(fd, header, 0, header.length, 0) === header.length && header[WRITE_VERSION] === WAL
  } catch {
    return false // SQLite says what is wrong with it.
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}

/** Whether changes lie beside the file that only a writer can bring into it. */
export function hasPendingLog(path: string): boolean {
  return ['-wal', '-journal'].some((suffix) => (sizeOf(path + suffix) ?? 0) > 0)
}

/** Blocks this thread, as SQLite does when it waits for a lock. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

function sizeOf(path: string): number | undefined {
  return fs.statSync(path, { throwIfNoEntry: false })?.size
}
