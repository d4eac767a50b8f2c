/** Whether a server takes connections at all, found out in a moment: a request may wait for a model that is being loaded, a connection need not. */
import { connect as netConnect, type Socket } from 'node:net'
import { MemuError, systemCode } from '../../../util/errors.ts'

/** Milliseconds. */
export const CONNECT_LIMIT_MS = 3_000

export type Connect = (address: { readonly host: string; readonly port: number }) => Socket

/** Errors: `ai_unavailable` with the transport's reason; the reason of `signal` where it aborts. */
export function checkReachable(
  { title, url, hint }: { readonly title: string; readonly url: URL; readonly hint: string },
  signal: AbortSignal,
  { connect = netConnect, limitMs = CONNECT_LIMIT_MS }: { readonly connect?: Connect; readonly limitMs?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port })
    const settle = (done: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      done()
    }
    const fail = (why: string): void =>
      settle(() => reject(new MemuError('ai_unavailable', `${title} cannot be reached at ${url.host}: ${why}.`, { hint })))
    const onAbort = (): void => settle(() => reject(signal.reason))
    const timer = setTimeout(() => fail(`no connection within ${limitMs / 1000} s`), limitMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('connect', () => settle(resolve))
    // Another error may follow while it is being destroyed; the first one said why.
    socket.on('error', (error) => fail(systemCode(error) ?? error.message))
  })
}
