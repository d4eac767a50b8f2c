/** Where the daemon's log goes: this process' standard error, whatever that is, without ever waiting for who reads it. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { systemCode } from '../../util/errors.ts'
import type { LogSink } from './log.ts'

/**
 * A pipe is left to Node's stream, which waits beside us; who reads it adds the time, as journald does. A terminal that is stopped (Ctrl-S,
 * an ssh that hangs) takes nothing, and Node's own stream would wait for it.
 */
export function standardError(): LogSink {
  if (isPipe(2)) return piped(process.stderr)
  const terminal = isatty(2) ? reopened() : undefined
  return terminal === undefined ? direct(2) : queued((bytes) => writeSync(terminal, bytes))
}

function isPipe(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    return found.isFIFO() || found.isSocket()
  } catch {
    return false // It is closed: writing says so.
  }
}

/**
 * The terminal once more, and so that it does not block: changed on descriptor 2 itself, that would hold for the shell as well. Undefined
 * where it cannot be had: then the first one has to do.
 */
function reopened(): number | undefined {
  if (process.platform === 'win32') return undefined
  const path = process.platform === 'linux' ? '/proc/self/fd/2' : '/dev/tty'
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    process.once('exit', () => closeSync(fd))
    return fd
  } catch {
    return undefined
  }
}

function direct(fd: number): LogSink {
  return {
    isTimed: true,
    write(text) {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    },
    waiting: () => 0,
    drained: async () => {},
  }
}

/** Milliseconds between two looks whether a terminal takes something again. Nothing tells of it but trying. */
const RETRY_MS = 200

/** `put` writes what is taken at once, and says how much that was. Errors: `EAGAIN` where nothing is; any other one is final for that text. */
export function queued(put: (bytes: Buffer) => number, retryMs = RETRY_MS): LogSink {
  let rest = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  let over: (() => void)[] = []

  function writeOn(): void {
    clearTimeout(timer)
    try {
      while (rest.length > 0) rest = rest.subarray(put(rest))
    } catch (error) {
      if (systemCode(error) === 'EAGAIN') {
        timer = setTimeout(writeLater, retryMs).unref()
        return
      }
      rest = Buffer.alloc(0)
      settle()
      throw error
    }
    settle()
  }

  function writeLater(): void {
    try {
      writeOn()
    } catch {
      // The terminal is gone, and what waited for it with it.
    }
  }

  function settle(): void {
    for (const done of over) done()
    over = []
  }

  return {
    isTimed: true,
    write(text) {
      rest = Buffer.concat([rest, Buffer.from(text)])
      writeOn()
    },
    waiting: () => rest.length,
    drained: () => (rest.length === 0 ? Promise.resolve() : new Promise((resolve) => over.push(resolve))),
  }
}

function piped(stream: NodeJS.WriteStream): LogSink {
  stream.on('error', () => {}) // The reader is gone: there is nobody to tell.
  return {
    isTimed: false,
    write: (text) => void stream.write(text),
    waiting: () => stream.writableLength,
    drained: () =>
      new Promise((resolve) => {
        if (stream.writableLength === 0) resolve()
        else stream.write('', () => resolve())
      }),
  }
}
