/** `keeld`: listens first, puts everything else together behind it, and stops without leaving anything behind. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { reason } from '../util/errors.ts'
import { packageFile } from '../util/package-root.ts'
import { printable } from '../util/printable.ts'
import type { System } from '../util/system.ts'
import { HELP } from './daemon/help.ts'
import { listen } from './daemon/listen.ts'
import { openPage } from './daemon/open-page.ts'
import { type DaemonOptions, readOptions } from './daemon/options.ts'
import { trackPrograms } from './daemon/programs.ts'
import { createApp } from './harness/app.ts'
import { loadAssets } from './server/assets.ts'
import { newKeelServer } from './server/http.ts'

export interface DaemonIo {
  readonly system: System
  readonly args: readonly string[]
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Aborted when it shall stop. */
  readonly signal: () => AbortSignal
}

/** For what was recorded to be stored, and for requests to be answered. */
const STOP_MS = 2_000
/** A program that does not end when it is asked to is ended after a grace; that has to be lived to see. */
const PROGRAMS_MS = 10_000

/** Returns the exit code once it has stopped. Errors: `usage`, those of `listen`, `InvalidSetting`. */
export async function keeld(io: DaemonIo, create: typeof createApp = createApp): Promise<number> {
  const asked = readOptions(io.args, io.system.env)
  if ('run' in asked) return runDaemon(asked.run, io, create)
  io.out(asked.show === 'help' ? HELP : `${version()}\n`)
  return 0
}

async function runDaemon(options: DaemonOptions, io: DaemonIo, create: typeof createApp): Promise<number> {
  const stop = io.signal()
  const log = (line: string): void => io.err(`${line}\n`)
  const { system, ended } = trackPrograms(io.system)
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
  try {
    const port = await listen(server, options.hosts, options.port, system)
    const url = `http://${addressOf(options.hosts)}:${port}`
    log(`keeld: ${options.demo ? 'the demo is' : 'ready'} at ${url} (Ctrl-C stops it)`)
    begin()
    const app = await opening
    if (options.open) openPage(url, io.system, (error) => log(printable(`keeld: cannot open a browser (${reason(error)})`)))
    if (!stop.aborted) await once(stop, 'abort')
    log('keeld: stopping')
    const late = AbortSignal.timeout(STOP_MS)
    await Promise.all([server.close(late), app.close(late)])
  } finally {
    await server.close(AbortSignal.abort())
    await Promise.race([ended(), wait(PROGRAMS_MS, undefined, { ref: false })])
  }
  return 0
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
