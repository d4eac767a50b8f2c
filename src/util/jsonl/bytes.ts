/** Bytes of a session log by position. Only regular files are opened: a FIFO or a device would block or never end. */
import * as fs from 'node:fs'
import { MemuError, reason, systemCode } from '../errors.ts'

export interface ByteSource {
  /**
   * Fills `into` from `position` and returns how many bytes it got; fewer than asked, or 0, only at the end.
   * Positions may go back, but going forward is what every source is fast at.
   */
  readAt(position: number, into: Uint8Array): number
  /** Safe to call twice. */
  close(): void
}

/** Errors: `session_unreadable` where the file is gone, is not a regular file, or may not be read. */
export function openFile(path: string): ByteSource {
  const fd = openRegular(path)
  let open = true
  return {
    readAt(position, into) {
      let filled = 0
      while (filled < into.length) {
        const count = fs.readSync(fd, into, filled, into.length - filled, position + filled)
        if (count === 0) break
        filled += count
      }
      return filled
    },
    close() {
      if (open) fs.closeSync(fd)
      open = false
    },
  }
}

/** The descriptor of a regular file. The flags matter: no link is followed, and opening a FIFO returns instead of waiting. */
function openRegular(path: string): number {
  let fd: number | undefined
  try {
    // Windows has neither flag and no FIFOs in a directory: the constants are undefined there.
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0))
    if (!fs.fstatSync(fd).isFile()) throw new Error('it is not a regular file')
    return fd
  } catch (error) {
    if (fd !== undefined) fs.closeSync(fd)
    const why = systemCode(error) === 'ENOENT' ? 'it is gone' : reason(error)
    throw new MemuError('session_unreadable', `Cannot read the session log ${path}: ${why}.`, {
      hint: 'Run the command again; the session is taken up where it was left.',
      cause: error,
    })
  }
}
