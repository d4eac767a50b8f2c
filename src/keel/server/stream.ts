/** Server-sent events: the whole state to every open page, at the beginning and after each change. Nothing has to be replayed. */
import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './headers.ts'

export interface StreamOptions {
  /** The current state as JSON on one line, and its version. */
  readonly snapshot: () => { readonly version: number; readonly json: string }
  /** Returns how to stop. */
  readonly subscribe: (listener: () => void) => () => void
  /** Open streams at once; of more, the oldest ends, and its page asks for another one. */
  readonly maxClients?: number
  /** Milliseconds between two signs of life: what lies in between must not give the connection up. */
  readonly keepAliveMs?: number
  /** Milliseconds within which several changes are one. */
  readonly coalesceMs?: number
}

export interface Stream {
  /** False: this connection has one already, or it is closed; nothing was written. */
  attach(response: ServerResponse): boolean
  readonly clients: number
  /** Ends every stream; no further one is taken. */
  close(): void
}

const MAX_CLIENTS = 64
const KEEP_ALIVE_MS = 20_000
const COALESCE_MS = 25
/** When a page tries again after the stream broke. */
const RETRY_MS = 2_000

const HEADERS = { ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform' }

interface Client {
  readonly response: ServerResponse
  /** The client does not take what was written: it gets the newest state once it does. */
  isBehind: boolean
  /** It took nothing when it was looked at last. */
  isStuck: boolean
}

/** Wakes for nothing while nobody listens. `snapshot` must not throw. */
export function newStream({ snapshot, subscribe, ...options }: StreamOptions): Stream {
  const { maxClients = MAX_CLIENTS, keepAliveMs = KEEP_ALIVE_MS, coalesceMs = COALESCE_MS } = options
  const clients = new Set<Client>()
  let isClosed = false
  let unsubscribe: (() => void) | undefined
  let beat: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  const message = (): string => {
    const { version, json } = snapshot()
    return `id: ${version}\nevent: state\ndata: ${json}\n\n`
  }

  function send(client: Client, text: string): void {
    // What is not taken is not piled up: one state is as good as all that came before it.
    if (client.response.writableNeedDrain) client.isBehind = true
    else client.response.write(text)
  }

  function changed(): void {
    soon ??= setTimeout(() => {
      soon = undefined
      const text = message()
      for (const client of clients) send(client, text)
    }, coalesceMs)
  }

  function tick(): void {
    for (const client of clients) {
      // Nothing at two looks, and not in between: whoever it was does not listen any more.
      if (client.isStuck) client.response.destroy()
      else if (client.response.writableNeedDrain) client.isStuck = true
      else client.response.write(':\n\n')
    }
  }

  /** Requests may follow each other on one connection: one page has one stream. */
  function hasOne({ socket }: ServerResponse['req']): boolean {
    return [...clients].some(({ response }) => response.req.socket === socket)
  }

  /** Refusing the newest would leave a page without one that somebody has just opened, for as long as others hold theirs open. */
  function makeRoom(): void {
    const [oldest] = clients
    if (clients.size <= maxClients || oldest === undefined) return
    clients.delete(oldest)
    if (oldest.response.writableNeedDrain) oldest.response.destroy()
    else oldest.response.end()
  }

  function begin(): void {
    unsubscribe ??= subscribe(changed)
    beat ??= setInterval(tick, keepAliveMs)
  }

  /** Without a listener the daemon does not wake up for anything. */
  function rest(): void {
    unsubscribe?.()
    clearInterval(beat)
    clearTimeout(soon)
    unsubscribe = beat = soon = undefined
  }

  return {
    get clients() {
      return clients.size
    },
    attach(response) {
      if (isClosed || hasOne(response.req)) return false
      const client: Client = { response, isBehind: false, isStuck: false }
      clients.add(client)
      makeRoom()
      response.on('drain', () => {
        client.isStuck = false
        if (!client.isBehind) return
        client.isBehind = false
        send(client, message())
      })
      response.on('close', () => {
        clients.delete(client)
        if (clients.size === 0) rest()
      })
      response.on('error', () => {}) // It goes with `close`.
      begin()
      response.writeHead(200, HEADERS)
      response.write(`retry: ${RETRY_MS}\n${message()}`)
      return true
    },
    close() {
      isClosed = true
      for (const { response } of clients) response.end()
      rest()
    },
  }
}
