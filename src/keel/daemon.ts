/** `keeld`: listens first, puts everything else together behind it, and stops without leaving anything behind. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { reason } from '../util/errors.ts'
import { packageFile } from '../util/package-root.ts'
import { printable } from '../util/printable.ts'
import type { System } from '../util/system.ts'
import { HELP } from './daemon/help.ts'
import type { Lease } from './daemon/lease.ts'
import { AlreadyRunning, listen } from './daemon/listen.ts'
import { type LogSink, newLog } from './daemon/log.ts'
import { holderInstead, leaseOf } from './daemon/only-one.ts'
import { openPage } from './daemon/open-page.ts'
import { type DaemonOptions, readOptions } from './daemon/options.ts'
import { trackPrograms } from './daemon/programs.ts'
import { createApp, type RunningApp } from './harness/app.ts'
import { loadAssets } from './server/assets.ts'
import { type KeelServer, newKeelServer } from './server/http.ts'

export interface DaemonIo {
  readonly system: System
  readonly args: readonly string[]
  readonly out: (text: string) => void
  readonly log: LogSink
  /** Aborted when it shall stop. `beforeExit` is called when the process exits, also where it does not wait for that. */
  readonly signal: (beforeExit: () => void) => AbortSignal
}

/** For what was recorded to be stored. */
const STOP_MS = 2_000
/** For requests to be answered, once what they waited for has been ended. */
const ANSWER_MS = 500
/** A program that does not end when it is asked to is ended after a grace; that has to be lived to see. */
const PROGRAMS_MS = 10_000
/** For a log that is read slowly. */
const LOG_MS = 1_000

/** Returns the exit code once it has stopped. Errors: `usage`, `already_running`, those of `listen`, `InvalidSetting`. */
export async function keeld(io: DaemonIo, create: typeof createApp = createApp): Promise<number> {
  const asked = readOptions(io.args, io.system.env)
  if ('run' in asked) return runDaemon(asked.run, io, create)
  io.out(asked.show === 'help' ? HELP : `${version()}\n`)
  return 0
}

/** Whoever wants to see the page sees it, whichever process has made it. The demo is another page. Errors: the same one, where that is not so. */
async function openInstead(error: unknown, { open, demo }: DaemonOptions, system: System, log: (line: string) => void): Promise<void> {
  if (!open || demo || !(error instanceof AlreadyRunning) || error.url === undefined) throw error
  if (!(await show(error.url, system, log))) throw error
  log(printable(`keeld: ${error.message.replace(/^keeld /, '')}; its page is opened`))
}

/** False where it cannot be opened; the log says why. */
async function show(url: string, system: System, log: (line: string) => void): Promise<boolean> {
  try {
    await openPage(url, system)
    return true
  } catch (error) {
    log(printable(`keeld: cannot open a browser (${reason(error)})`))
    return false
  }
}

async function runDaemon(options: DaemonOptions, io: DaemonIo, create: typeof createApp): Promise<number> {
  const { system, ended, kill } = trackPrograms(io.system)
  const stop = io.signal(kill)
  const { line: log, flush } = newLog(io.log, () => io.system.now())
  let begin = (): void => {}
  const listening = new Promise<void>((resolve) => {
    begin = resolve
  })
  const opening = listening.then(() => create(system, { log, demo: options.demo }))
  opening.catch(() => {}) // Thrown below.
  const server = newKeelServer({
    app: opening,
    assets: loadAssets(packageFile('dist', 'web')),
    version: version(),
    names: options.names,
    token: options.token,
    log,
  })
  let lease: Pick<Lease, 'release'> | undefined
  const taken = new AbortController()
  try {
    let url: string
    try {
      const port = await listen(server, options.hosts, options.port, system)
      url = `http://${addressOf(options.hosts)}:${port}`
      // The demo has a folder of its own.
      lease = options.demo ? undefined : leaseOf({ system, url, log, onTaken: (error) => taken.abort(error) })
    } catch (error) {
      await openInstead(options.demo ? error : holderInstead(error, options.port, system), options, io.system, log)
      return 0
    }
    begin()
    const app = await opening
    log(`keeld: ${options.demo ? 'the demo is' : 'ready'} at ${url} (Ctrl-C stops it)`)
    if (options.open) void show(url, io.system, log)
    if (!stop.aborted) await Promise.race([once(stop, 'abort'), once(taken.signal, 'abort')])
    if (taken.signal.aborted) log(`keeld: its lock was taken away, and another one has it now`)
    log('keeld: stopping')
    await close(server, app)
    taken.signal.throwIfAborted()
  } finally {
    await server.close(AbortSignal.abort())
    await Promise.race([ended(), wait(PROGRAMS_MS, undefined, { ref: false })])
    kill()
    lease?.release()
    await flush(LOG_MS)
  }
  return 0
}

/** Who waits for what is under way gets its answer before the connection is cut. */
async function close(server: KeelServer, app: RunningApp): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), STOP_MS)
  const cut = new AbortController()
  const answered = server.close(cut.signal)
  await app.close(late.signal)
  await Promise.race([answered, wait(ANSWER_MS, undefined, { ref: false })])
  clearTimeout(timer)
  cut.abort()
  await answered
}

const LOCAL = ['127.0.0.1', '0.0.0.0', '::']

/** As a browser on this machine writes it. */
function addressOf([host = '']: readonly string[]): string {
  if (LOCAL.includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function version(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}
