/** What a survey of a home may cost: so many entries, so many bytes, so much time. */
import * as fs from 'node:fs'

export interface Limits {
  readonly entries: number
  readonly bytes: number
  readonly milliseconds: number
}

/** A home with a dozen agents takes a fifth of each; a network home or one with a million files ends here, and says so. */
export const LIMITS: Limits = { entries: 30_000, bytes: 32 * 1024 * 1024, milliseconds: 500 }

/** What is looked for in a directory, and how far. */
export interface Wanted {
  readonly takes: (entry: fs.Dirent) => boolean
  /** So many that are taken are enough, among the first so many that lie there. */
  readonly most: number
  readonly among: number
}

export interface Listing {
  readonly entries: readonly fs.Dirent[]
  /** Whether there may be more that would be taken. */
  readonly more: boolean
}

export interface Budget {
  /** Nothing of a directory that cannot be listed. A huge one is not listed whole. */
  list(directory: string, wanted: Wanted): Listing
  /** The first bytes of a regular file; undefined where it is none, cannot be read, or nothing may be read any more. No link is followed. */
  head(path: string, bytes: number): Buffer | undefined
  readonly spent: boolean
  /** Something that may matter was passed over: a bound of the caller's own ended a search. */
  passOver(): void
  /** False where anything was passed over, or everything is spent. */
  readonly complete: boolean
}

/** `clock` gives milliseconds. */
export function budget(limits: Limits = LIMITS, clock: () => number = () => performance.now()): Budget {
  const ends = clock() + limits.milliseconds
  let entries = limits.entries
  let bytes = limits.bytes
  let passedOver = false
  const isSpent = (): boolean => entries <= 0 || bytes <= 0 || clock() > ends
  return {
    list(directory, { takes, most, among }) {
      const found: fs.Dirent[] = []
      if (isSpent()) return { entries: found, more: true }
      let seen = 0
      let more = false
      let opened: fs.Dir | undefined
      try {
        opened = fs.opendirSync(directory, { bufferSize: 256 })
        for (let entry = opened.readSync(); entry !== null && !more; entry = opened.readSync()) {
          more = seen === among || isSpent() || (found.length === most && takes(entry))
          if (!more && takes(entry)) found.push(entry)
          seen++
          entries--
        }
      } catch {
        // Not to be listed: then nothing can be said of what lies in it, and the survey goes on.
      } finally {
        opened?.closeSync()
      }
      entries--
      return { entries: found, more }
    },
    head(path, most) {
      if (isSpent()) return undefined
      const read = readHead(path, Math.min(most, bytes))
      bytes -= read?.length ?? 0
      return read
    },
    get spent() {
      return isSpent()
    },
    passOver() {
      passedOver = true
    },
    get complete() {
      return !passedOver && !isSpent()
    },
  }
}

function readHead(path: string, bytes: number): Buffer | undefined {
  let fd: number | undefined
  try {
    // Windows has neither flag: the constants are undefined there.
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0))
    if (!fs.fstatSync(fd).isFile()) return undefined
    const buffer = Buffer.allocUnsafe(bytes)
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, bytes, 0))
  } catch {
    return undefined // What cannot be read tells nothing: the caller goes on with the others.
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}
