/** What `keeld` is started with: arguments before the environment. Pure. */
import { parseArgs } from 'node:util'
import { MemuError, reason } from '../../util/errors.ts'
import { parseAuthority } from '../server/authority.ts'

export interface DaemonOptions {
  /** To listen on; the loopback's two where nothing else was asked for. */
  readonly hosts: readonly string[]
  /** 0: any that is free. */
  readonly port: number
  /** Hosts that it goes by, beyond the loopback's. */
  readonly names: readonly string[]
  readonly token?: string
  readonly demo: boolean
  /** Open the page in a browser. */
  readonly open: boolean
}

export type Asked = { readonly show: 'help' | 'version' } | { readonly run: DaemonOptions }

const DEFAULT_PORT = 7777
const LOOPBACK = ['127.0.0.1', '::1'] as const
const WILDCARDS = ['0.0.0.0', '::']
/** Nobody guesses 16 characters over a network. */
const TOKEN_LENGTH = 16
/** What a bearer token may be (`token68` of RFC 9110): anything else no program could send. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/** Errors: `usage` (exit 2). */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Asked {
  const given = parsed(args)
  if (given.help) return { show: 'help' }
  if (given.version) return { show: 'version' }
  const address = parseAddress(env.KEEL_ADDR ?? '')
  const token = parseToken(env.KEEL_TOKEN ?? '')
  const isLoopback = address.hosts.every((host) => (LOOPBACK as readonly string[]).includes(host))
  if (!isLoopback) checkRemote(address.hosts[0]!, given['allow-remote'] === true, token)
  const names = (env.KEEL_ALLOWED_HOSTS ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(parseName)
  if (names.length > 0) checkToken('KEEL_ALLOWED_HOSTS', token)
  const own = isLoopback
    ? []
    : address.hosts.filter((host) => !WILDCARDS.includes(host)).map((host) => (host.includes(':') ? `[${host}]` : host))
  return {
    run: {
      hosts: address.hosts,
      port: given.port === undefined ? address.port : parsePort(given.port, '--port'),
      names: [...own, ...names],
      ...(token === undefined ? {} : { token }),
      demo: given.demo === true,
      open: given.open === true,
    },
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        demo: { type: 'boolean' },
        open: { type: 'boolean' },
        'allow-remote': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    }).values
  } catch (error) {
    // The library's first sentence says what; what follows is about its own syntax.
    throw usage(`${reason(error).split(/\. /, 1)[0]!.replace(/\.$/, '')}.`, 'keeld --help shows the options.')
  }
}

/** `7777`, `:7777`, `localhost:7777`, `127.0.0.1`, `[::1]:7777`. Without a host it is the loopback, never every address there is. */
function parseAddress(text: string): { readonly hosts: readonly string[]; readonly port: number } {
  const [, only, address, host, port] = /^(?:(\d+)|(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d+))?)$/.exec(text.trim()) ?? []
  if (text.trim() !== '' && only === undefined && address === undefined && host === undefined) {
    throw usage(`KEEL_ADDR is ${JSON.stringify(text.slice(0, 100))}.`, 'It has to be an address like localhost:7777 or [::1]:7777.')
  }
  const digits = only ?? port
  const name = (address ?? host ?? '').toLowerCase()
  return {
    hosts: name === '' || name === 'localhost' ? LOOPBACK : [name],
    port: digits === undefined ? DEFAULT_PORT : parsePort(digits, 'The port of KEEL_ADDR'),
  }
}

function parsePort(text: string, what: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw usage(`${what} is ${JSON.stringify(text.slice(0, 100))}; it has to be a number from 0 to 65535.`, 'The default is 7777.')
}

function parseName(text: string): string {
  const authority = parseAuthority(text)
  if (authority !== undefined) return authority.name
  throw usage(`KEEL_ALLOWED_HOSTS names ${JSON.stringify(text.slice(0, 100))}.`, 'It has to be host names, with commas between them.')
}

function checkRemote(host: string, isAllowed: boolean, token: string | undefined): void {
  if (!isAllowed) {
    throw usage(
      `On ${host} other machines could reach the page.`,
      'Leave KEEL_ADDR at localhost; or give --allow-remote, and a token in KEEL_TOKEN.',
    )
  }
  checkToken('--allow-remote', token)
}

/** Whatever makes the page reachable for others needs one. */
function checkToken(what: string, token: string | undefined): void {
  if (token !== undefined && token.length >= TOKEN_LENGTH) return
  throw usage(`${what} needs KEEL_TOKEN, with at least ${TOKEN_LENGTH} characters.`, EXAMPLE)
}

/** Without what a shell or a file left around it: it is typed on a page too. */
function parseToken(text: string): string | undefined {
  const token = text.trim()
  if (token === '') return undefined
  if (TOKEN.test(token)) return token
  throw usage('KEEL_TOKEN has a character that no token can have; letters, digits and - . _ ~ + / are possible, and = at its end.', EXAMPLE)
}

const EXAMPLE = 'For example: KEEL_TOKEN="$(openssl rand -hex 16)"'

function usage(message: string, hint: string): MemuError {
  return new MemuError('usage', message, { hint, exit: 2 })
}
