/**
 * The daemon's log: lines to standard error. It never throws, stops for nobody who does not read, and keeps little of what nobody reads:
 * what could not be written is counted, and told of with the next line that can.
 */
import { fstatSync, writeSync } from 'node:fs'

export interface Log {
  readonly line: (text: string) => void
  /** Resolves when all is written, or after so many milliseconds. */
  readonly flush: (ms: number) => Promise<void>
}

/** Where the lines go. */
export interface LogSink {
  /** Errors: those of the system: a full disk, a terminal that was closed. */
  readonly write: (text: string) => void
  /** Bytes that nobody has taken yet. */
  readonly waiting: () => number
  /** Resolves when nothing waits any more. */
  readonly drained: () => Promise<void>
}

/** Bytes: some hundred lines, for a reader that is slow and not gone. */
const BACKLOG = 64 * 1024

export function newLog({ write, waiting, drained }: LogSink): Log {
  let missing = 0
  return {
    line(text) {
      if (waiting() > BACKLOG) return void missing++
      const gap = missing === 0 ? '' : `keeld: ${missing} ${missing === 1 ? 'line' : 'lines'} could not be written here\n`
      try {
        write(`${gap}${text}\n`)
        missing = 0
      } catch {
        missing++ // There is nobody else to tell.
      }
    },
    async flush(ms) {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([drained(), over])
      clearTimeout(timer)
    },
  }
}

/** This process' own. A pipe is left to Node's stream: writing to a full one at once would wait for its reader, and the daemon with it. */
export function standardError(): LogSink {
  return isPipe(2) ? piped(process.stderr) : direct(2)
}

function isPipe(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    return found.isFIFO() || found.isSocket()
  } catch {
    return false // It is closed: writing says so.
  }
}

function direct(fd: number): LogSink {
  return {
    write(text) {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    },
    waiting: () => 0,
    drained: async () => {},
  }
}

function piped(stream: NodeJS.WriteStream): LogSink {
  stream.on('error', () => {}) // The reader is gone: there is nobody to tell.
  return {
    write: (text) => void stream.write(text),
    waiting: () => stream.writableLength,
    drained: () =>
      new Promise((resolve) => {
        if (stream.writableLength === 0) resolve()
        else stream.write('', () => resolve())
      }),
  }
}
