/**
 * The only file that sets the exit code. Runs one command, prints what it throws and maps it: 0 done, 1 failed, 2 used wrongly
 * or refused, 130 interrupted. On the hot path: small.
 */
import { writeSync } from 'node:fs'
import { MemuError, systemCode } from '../util/errors.ts'
import { realSystem } from '../util/system.ts'
import { phase, timingReport } from '../util/timing.ts'
import type { Command, Io } from './io.ts'

/** Runs `command` on this process' arguments and streams, and sets the exit code. Never throws. */
export async function run(command: Command): Promise<void> {
  phase('start')
  const io = processIo()
  try {
    process.exitCode = await command(io)
  } catch (error) {
    const { describe, exitCode, isDebugging } = await import('./failure.ts')
    process.exitCode = exitCode(error)
    io.err(describe(error, io.args.includes('--json'), isDebugging(io.system)))
  }
  const timing = timingReport()
  if (timing !== undefined) io.err(`${timing}\n`)
  // All is written; taking the heap apart in good order would cost a prompt some milliseconds. A slow reader is waited for.
  if (streams.size === 0) process.exit()
}

function processIo(): Io {
  let interruption: AbortController | undefined
  return {
    system: realSystem(),
    args: process.argv.slice(2),
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    interactive: () => process.stderr.isTTY === true,
    terminal: () => process.stdout.isTTY === true,
    colour: () => process.stdout.isTTY === true && !process.env.NO_COLOR,
    readStdin,
    typed: () => process.stdin.isTTY === true,
    signal: () => {
      interruption ??= interruptible()
      return interruption.signal
    },
  }
}

/** Descriptors that went over to Node's stream; later text must follow on it, to stay in order. */
const streams = new Map<number, NodeJS.WriteStream>()

/** Written at once; starting Node's own stream for it would cost a millisecond on every prompt. */
function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  let done = 0
  try {
    while (!streams.has(fd) && done < bytes.length) done += writeSync(fd, bytes, done)
  } catch (error) {
    if (systemCode(error) === 'EPIPE') return // The reader has what it wanted.
    if (systemCode(error) !== 'EAGAIN') {
      if (fd === 2) return // Talk that nobody can hear: a full disk, a closed terminal. The work goes on.
      throw error
    }
    // A full pipe that does not block: the stream waits for the reader, and the process for the stream.
    const stream = fd === 1 ? process.stdout : process.stderr
    stream.on('error', (failure) => {
      if (fd === 1 && systemCode(failure) !== 'EPIPE') throw failure
    })
    streams.set(fd, stream)
  }
  streams.get(fd)?.write(bytes.subarray(done))
}

async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) write(2, 'Reading standard input; Ctrl-D ends it.\n')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** The second signal finds no handler any more, and ends the process as if there had never been one. */
function interruptible(): AbortController {
  const controller = new AbortController()
  const stop = (): void => controller.abort(new MemuError('interrupted', 'Interrupted; what was finished is kept.'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  return controller
}
