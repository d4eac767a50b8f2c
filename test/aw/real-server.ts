/** The real server on loopback, with a home of its own, which can be stopped and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../src/util/retry.ts'

export interface RealServer {
  readonly url: string
  start(): Promise<void>
  /** Ends the process, and waits until it is gone. */
  stop(): Promise<void>
  /** As `stop`, and its home is removed. */
  remove(): Promise<void>
}

const START_LIMIT_MS = 60_000
const TERM_LIMIT_MS = 5_000

export async function realServer(program: string): Promise<RealServer> {
  const home = mkdtempSync(join(tmpdir(), 'memu-aw-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''

  // A run that is broken off leaves no server behind.
  process.once('exit', () => child?.kill('SIGKILL'))

  async function start(): Promise<void> {
    const env = {
      PATH: process.env.PATH,
      SystemRoot: process.env.SystemRoot,
      HOME: home,
      USERPROFILE: home,
      APPDATA: home,
      LOCALAPPDATA: home,
    }
    // Its mode for tests has a database of its own.
    child = spawn(program, ['--testing', '--host', '127.0.0.1', '--port', String(port)], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output = `${output}${chunk}`.slice(-4000)))
    const deadline = Date.now() + START_LIMIT_MS
    while (!(await answers(url))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server does not start:\n${output}`)
      await pause(50)
    }
  }

  async function stop(): Promise<void> {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'exit')
    ending.kill('SIGTERM')
    const timer = setTimeout(() => ending.kill('SIGKILL'), TERM_LIMIT_MS)
    await gone
    clearTimeout(timer)
  }

  return {
    url,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/0/info`, { signal: AbortSignal.timeout(1000) })).ok
  } catch {
    return false // Not listening yet.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
