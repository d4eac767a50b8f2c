/** The daemon's own HTTP server: which addresses it listens on, how long it waits for whom, and how it ends. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { App } from './app.ts'
import type { Assets } from './assets.ts'
import { limitConnections } from './connections.ts'
import type { Backing, Ground } from './exchange.ts'
import { LOOPBACK_NAMES } from './guard.ts'
import { newHandler } from './handle.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { respond } from './respond.ts'
import { newSeldomLog } from './seldom.ts'
import { newStream, type Stream, type StreamOptions } from './stream.ts'
import { tokenCheck } from './token.ts'

export interface ServerOptions {
  /** What is behind it; requests wait for it, `/healthz` and the page's files do not. */
  readonly app: Promise<App>
  readonly assets: Assets
  readonly version: string
  readonly log: (line: string) => void
  /** Hosts that it goes by beyond the loopback's. */
  readonly names?: readonly string[]
  /** Asked for on every request. */
  readonly token?: string | undefined
  readonly stream?: Pick<StreamOptions, 'maxClients' | 'keepAliveMs' | 'coalesceMs'>
  readonly limits?: Partial<Limits>
}

/** Milliseconds, and how many. */
export interface Limits {
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  /** Between two looks for who is too slow. */
  readonly checkMs: number
  /** At once, on all addresses together. */
  readonly connections: number
}

export interface KeelServer {
  /** Errors: those of the system, `EADDRINUSE` for example. Returns the port. */
  listen(host: string, port: number): Promise<number>
  /** Takes nobody further, ends the streams, and waits for what is being answered; `signal` cuts that short. */
  close(signal: AbortSignal): Promise<void>
}

/** A browser or a script on this machine is quick; whoever is not holds a connection open for nothing. */
const LIMITS: Limits = { headersMs: 3_000, requestMs: 20_000, idleMs: 10_000, checkMs: 2_000, connections: 256 }
const MAX_HEADER_BYTES = 16 * 1024

/** Listens nowhere yet. Never throws. */
export function newKeelServer(options: ServerOptions): KeelServer {
  const { assets, version } = options
  const log = newSeldomLog(options)
  const limits = { ...LIMITS, ...options.limits }
  const ground: Ground = { assets, version, token: options.token === undefined ? undefined : tokenCheck(options.token) }
  const closing = new AbortController()
  let stream: Stream | undefined
  const backing = options.app.then((app): Backing => {
    stream = newStream({ snapshot: () => snapshotOf(app), subscribe: app.subscribe, ...options.stream })
    if (closing.signal.aborted) stream.close()
    return { ...ground, app, stream, instance: randomBytes(4).toString('hex') }
  })
  backing.catch(() => {}) // Whoever started the server has that promise too; requests get it as their failure.
  const names = new Set<string>([...LOOPBACK_NAMES, ...(options.names ?? [])])
  const handle = newHandler({ ground, backing, names, log })
  const servers: Server[] = []
  const limit = limitConnections({
    limit: limits.connections,
    onFull: () => log('server: too many connections; those that ask for nothing are ended'),
  })

  function newServer(): Server {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkMs,
      // The guard answers that one, like every wrong host.
      requireHostHeader: false,
    })
    // Else headers beyond a thousand are dropped, and the guard would not see them; their bytes are bounded.
    server.maxHeadersCount = 0
    limit(server)
    server.on('request', (request, response) => {
      // A connection that becomes idle while the server ends would be kept for the next request.
      response.on('close', () => {
        if (closing.signal.aborted) server.closeIdleConnections()
      })
      void handle(request, response)
    })
    server.on('checkExpectation', (_request, response) => respond(response, 417, 'text/plain', 'Nothing can be expected here.\n'))
    server.on('clientError', answerMalformed)
    return server
  }

  return {
    async listen(host, port) {
      const server = newServer()
      server.listen({ host, port })
      await once(server, 'listening')
      servers.push(server)
      return (server.address() as AddressInfo).port
    },
    async close(signal) {
      closing.abort()
      const closed = servers.filter(({ listening }) => listening).map((server) => once(server, 'close'))
      for (const server of servers) server.close()
      stream?.close()
      for (const server of servers) server.closeIdleConnections()
      const cut = (): void => {
        for (const server of servers) server.closeAllConnections()
      }
      if (signal.aborted) cut()
      signal.addEventListener('abort', cut, { once: true })
      await Promise.all(closed)
      signal.removeEventListener('abort', cut)
    },
  }
}

function snapshotOf(app: App): { readonly version: number; readonly json: string } {
  const state = app.state()
  return { version: state.version, json: JSON.stringify(state) }
}

const MALFORMED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** What is no request, or comes too slowly. */
function answerMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const headers = Object.entries({ ...SECURITY_HEADERS, connection: 'close', 'content-length': '0' })
  const lines = [`HTTP/1.1 ${MALFORMED[error.code ?? ''] ?? '400 Bad Request'}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy())
}
