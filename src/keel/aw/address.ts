/** Where an ActivityWatch server is, as people write it. Pure. */
import { MemuError } from '../../util/errors.ts'
import { isLoopback } from '../../util/proxy.ts'

export const DEFAULT_URL = 'http://localhost:5600'

export interface AwAddress {
  /** As it is configured, without what follows the server: for people. */
  readonly shown: string
  /** Where requests go: without a slash at its end. */
  readonly base: string
  /** Surely this machine. */
  readonly isLoopback: boolean
  /** `5600`, also where the address names none. */
  readonly port: string
}

/**
 * A path before `/api/0` stays, for servers behind a proxy. Empty: the default. Errors: `invalid_setting` for anything but http and https,
 * and for credentials, which would be shown with the address.
 */
export function awAddress(configured: string): AwAddress {
  const text = configured.trim() || DEFAULT_URL
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalid('is not an http:// or https:// address', `Give it as ${DEFAULT_URL}.`)
  if (url.username !== '' || url.password !== '')
    throw invalid('holds a user name or password', 'Take it out; a key is a setting of its own.')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(?:\/0)?$/, '')
  // The server listens on IPv4 alone, and looking the name up gives ::1 first on many machines.
  const host = url.hostname === 'localhost' ? url.host.replace('localhost', '127.0.0.1') : url.host
  return {
    shown: `${url.protocol}//${url.host}${path}`,
    base: `${url.protocol}//${host}${path}`,
    // A name below localhost is for whoever resolves it to say.
    isLoopback: isLoopback(url.hostname) && !url.hostname.endsWith('.localhost'),
    port: url.port || (url.protocol === 'https:' ? '443' : '80'),
  }
}

function invalid(what: string, hint: string): MemuError {
  return new MemuError('invalid_setting', `The address of ActivityWatch ${what}.`, { hint, exit: 2 })
}
