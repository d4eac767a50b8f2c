/** Looks at what is on the disk without reading it whole. Not on the hot path. */
import * as fs from 'node:fs'
import { systemCode } from './errors.ts'

/** The names in a directory; none where it does not exist. Other errors are thrown. */
export function entriesIfExists(directory: string): string[] {
  try {
    return fs.readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

/** The first bytes of a file as text, or undefined where it is no regular file or cannot be read. A pipe is never waited for. */
export function headOfFile(path: string, bytes: number): string | undefined {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    if (!fs.fstatSync(fd).isFile()) return undefined
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, bytes, 0))
  } catch {
    return undefined // What cannot be read cannot be told by its head: the caller goes on with the others.
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}
