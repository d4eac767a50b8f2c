/** Lines on their way to disk with bounded memory, whatever the size of a session. */
import * as fs from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { discardFile } from '../util/fs.ts'

/** Characters that wait in memory before they are written. */
const WRITE_CHUNK = 256 * 1024
/** Characters that are held in memory at the most; nearly every session's new part is smaller and never touches the disk here. */
const HOLD_LIMIT = 4 * 1024 * 1024
const READ_CHUNK = 1024 * 1024

export interface LineWriter {
  /** `line` ends with its newline. */
  write(line: string): void
  /** Creates the file even where nothing was written. */
  close(): void
}

/** Writes a new file, private to the user, chunk by chunk; an existing one is replaced. */
export function lineWriter(path: string): LineWriter {
  let fd: number | undefined
  let waiting: string[] = []
  let size = 0
  const flush = (): void => {
    fd ??= fs.openSync(path, 'w', 0o600)
    if (size > 0) fs.writeFileSync(fd, waiting.join(''))
    waiting = []
    size = 0
  }
  return {
    write(line) {
      waiting.push(line)
      size += line.length
      if (size >= WRITE_CHUNK) flush()
    },
    close() {
      flush()
      if (fd !== undefined) fs.closeSync(fd)
    },
  }
}

export interface HeldLines {
  write(line: string): void
  /** The lines in order, each with its newline; ends the writing. */
  lines(): Generator<string>
  /** Removes what was put on disk. Safe to call at any time. */
  discard(): void
}

/** Holds lines until they are read back: in memory, and once there are too many in the file `path`. */
export function heldLines(path: string): HeldLines {
  let inMemory: string[] = []
  let size = 0
  let onDisk: LineWriter | undefined
  return {
    write(line) {
      if (onDisk !== undefined) return onDisk.write(line)
      inMemory.push(line)
      size += line.length
      if (size < HOLD_LIMIT) return
      onDisk = lineWriter(path)
      for (const held of inMemory) onDisk.write(held)
      inMemory = []
    },
    *lines() {
      if (onDisk === undefined) yield* inMemory
      else {
        onDisk.close()
        yield* linesOf(path)
      }
    },
    discard() {
      inMemory = []
      if (onDisk !== undefined) discardFile(path)
    },
  }
}

function* linesOf(path: string): Generator<string> {
  const fd = fs.openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(READ_CHUNK)
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  try {
    for (let read = fs.readSync(fd, buffer); read > 0; read = fs.readSync(fd, buffer)) {
      const text = decoder.write(buffer.subarray(0, read))
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        rest.push(text.slice(start, end + 1))
        yield rest.length === 1 ? (rest[0] ?? '') : rest.join('')
        rest = []
        start = end + 1
      }
      if (start < text.length) rest.push(text.slice(start))
    }
  } finally {
    fs.closeSync(fd)
  }
}
