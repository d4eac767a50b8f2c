/** What a survey of a home may cost: so many entries, so many bytes, so much time. */
import * as fs from 'node:fs'

export interface Limits {
  readonly entries: number
  readonly bytes: number
  readonly milliseconds: number
}

/** A home with a dozen agents takes a fifth of each; a network home or one with a million files ends here, and says so. */
export const LIMITS: Limits = { entries: 30_000, bytes: 32 * 1024 * 1024, milliseconds: 500 }

export interface Budget {
  /** Up to `most` entries of a directory; none of one that cannot be listed. A huge directory is not listed whole. */
  list(directory: string, most: number): fs.Dirent[]
  /** The first bytes of a regular file; undefined where it is none, cannot be read, or nothing may be read any more. No link is followed. */
  head(path: string, bytes: number): Buffer | undefined
  readonly spent: boolean
}

/** `clock` gives milliseconds. */
export function budget(limits: Limits = LIMITS, clock: () => number = () => performance.now()): Budget {
  const ends = clock() + limits.milliseconds
  let entries = limits.entries
  let bytes = limits.bytes
  const isSpent = (): boolean => entries <= 0 || bytes <= 0 || clock() > ends
  return {
    list(directory, most) {
      const found: fs.Dirent[] = []
      if (isSpent()) return found
      let opened: fs.Dir | undefined
      try {
        opened = fs.opendirSync(directory, { bufferSize: 256 })
        for (let entry = opened.readSync(); entry !== null && found.length < most; entry = opened.readSync()) found.push(entry)
      } catch {
        // Not to be listed: then nothing can be said of what lies in it, and the survey goes on.
      } finally {
        opened?.closeSync()
      }
      entries -= found.length + 1
      return found
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
