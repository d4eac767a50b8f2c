/** Takes the port, or says who has it. */
import { MemuError, reason, systemCode } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import type { KeelServer } from '../server/http.ts'
import { SIGNATURE } from '../server/routes/reading.ts'
import type { LeaseHolder } from './lease.ts'

/** This machine has no such address: IPv6 is switched off. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']
const ASK_MS = 1_000

const OPEN_OR_STOP = 'Open it in a browser (keeld --open), or stop it first'

/** Another one is there already. */
export class AlreadyRunning extends MemuError {
  /** Of its page, where that is known. */
  readonly url: string | undefined

  constructor(message: string, url: string | undefined, options: { hint: string; cause?: unknown }) {
    super('already_running', message, options)
    this.name = 'AlreadyRunning'
    this.url = url
  }
}

/**
 * Listens on every host, all with one port, which is returned. A second address may be missing, and where any port will do, taken.
 * Errors: `already_running`, `port_taken`, `cannot_listen`; then nothing listens once the server is closed.
 */
export async function listen(server: KeelServer, hosts: readonly string[], port: number, system: Pick<System, 'fetch'>): Promise<number> {
  const [first, ...others] = hosts as readonly [string, ...string[]]
  const taken = await tryOne(server, first, port, system)
  for (const host of others) {
    try {
      await server.listen(host, taken)
    } catch (error) {
      if (NO_ADDRESS.includes(systemCode(error) ?? '') || port === 0) continue
      throw await explained(error, host, taken, system)
    }
  }
  return taken
}

async function tryOne(server: KeelServer, host: string, port: number, system: Pick<System, 'fetch'>): Promise<number> {
  try {
    return await server.listen(host, port)
  } catch (error) {
    throw await explained(error, host, port, system)
  }
}

async function explained(cause: unknown, host: string, port: number, system: Pick<System, 'fetch'>): Promise<MemuError> {
  if (systemCode(cause) !== 'EADDRINUSE') {
    const hint =
      systemCode(cause) === 'EACCES' ? 'Ports below 1024 are the system’s: choose another one with --port.' : 'See KEEL_ADDR and --port.'
    return new MemuError('cannot_listen', `keeld cannot listen on ${host}, port ${port} (${reason(cause)}).`, { cause, hint })
  }
  if (await isKeeld(host, port, system)) {
    const url = `http://localhost:${port}`
    return new AlreadyRunning(`keeld already runs at ${url}`, url, { cause, hint: `${OPEN_OR_STOP}.` })
  }
  return new MemuError('port_taken', `Another program uses port ${port}.`, { cause, hint: 'Choose another one with --port.' })
}

/** Over the same data folder, on whatever port. */
export function alreadyRunning(holder: LeaseHolder | 'unknown'): AlreadyRunning {
  if (holder === 'unknown') return new AlreadyRunning('keeld already runs for this user', undefined, { hint: 'Stop it first.' })
  const { pid, url, since } = holder
  return new AlreadyRunning(printable(`keeld already runs at ${url} (process ${pid}, since ${since})`), url, {
    hint: `${OPEN_OR_STOP}; \`keeld --demo\` runs beside it.`,
  })
}

/** For one that has the port, and does not answer: it was stopped (Ctrl-Z), or is busy. */
export function silentlyRunning({ pid, url, since }: LeaseHolder): MemuError {
  return new MemuError('already_running', printable(`keeld already runs at ${url} (process ${pid}, since ${since}), but does not answer`), {
    hint: `Where it was stopped with Ctrl-Z, \`fg\` or \`kill -CONT ${pid}\` lets it go on; \`kill -9 ${pid}\` ends it.`,
  })
}

async function isKeeld(host: string, port: number, system: Pick<System, 'fetch'>): Promise<boolean> {
  try {
    const address = host.includes(':') ? `[${host}]` : host
    const answer = await system.fetch(`http://${address}:${port}/healthz`, { redirect: 'error', signal: AbortSignal.timeout(ASK_MS) })
    return ((await answer.json()) as { readonly name?: unknown } | null)?.name === SIGNATURE
  } catch {
    return false // Whatever it is, it does not speak as we do: then it is another program.
  }
}
