/**
 * Who may speak to the daemon: this machine's programs and the daemon's own pages, and no other page that a browser has open. Pure.
 * The Host header is checked on every request: it is the only thing that a page behind a rebound name cannot make look right.
 */
import { type Authority, isOriginOf, parseAuthority } from './authority.ts'

/** `page` and `asset` are read by a browser, `form` is sent by a page, `api` speaks JSON, `health` is for whoever asks. */
export type RouteKind = 'page' | 'asset' | 'form' | 'api' | 'health'

/** Headers as they came; several of one name joined with a comma. */
export interface GuardedRequest {
  readonly method: string
  readonly kind: RouteKind
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly secFetchSite?: string | undefined
  readonly secFetchMode?: string | undefined
  readonly secFetchDest?: string | undefined
  readonly contentType?: string | undefined
}

export interface Refusal {
  readonly status: 403 | 405 | 415
  readonly code: 'wrong_host' | 'wrong_method' | 'cross_site' | 'wrong_type'
  readonly message: string
  readonly hint: string
}

export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const

const READING = ['GET', 'HEAD']
const METHODS = [...READING, 'POST', 'OPTIONS']
const JSON_TYPE = 'application/json'
/** What is sent there; elsewhere nothing is taken, whatever it is. */
const TAKEN: Partial<Record<RouteKind, string>> = { api: JSON_TYPE, form: 'application/x-www-form-urlencoded' }

/** Undefined: it may pass. `names`: the hosts that this daemon goes by, as `Authority` has them; the port may be any, behind a tunnel. */
export function guard(request: GuardedRequest, names: ReadonlySet<string>): Refusal | undefined {
  const host = parseAuthority(request.host)
  if (host === undefined || !names.has(host.name)) return WRONG_HOST
  if (!METHODS.includes(request.method)) return WRONG_METHOD
  // It does nothing and allows nothing: without further headers a browser goes no further.
  if (request.method === 'OPTIONS') return undefined
  const foreign = isForeign(request, host)
  if (READING.includes(request.method)) return foreign && !isLink(request) ? CROSS_SITE : undefined
  if (foreign) return CROSS_SITE
  const type = mediaType(request.contentType)
  // No browser, or one so old that it does not say where a form came from. A page cannot send JSON elsewhere without asking first.
  if (request.origin === undefined && request.secFetchSite === undefined && type !== JSON_TYPE) return CROSS_SITE
  const taken = TAKEN[request.kind]
  return taken === undefined || type === taken ? undefined : WRONG_TYPE
}

/** Sent by a page of another origin, or by none that can be named. */
function isForeign({ origin, secFetchSite }: GuardedRequest, host: Authority): boolean {
  if (secFetchSite === undefined) return origin !== undefined && !isOriginOf(origin, host)
  if (secFetchSite !== 'same-origin' && secFetchSite !== 'none') return true
  // `null` is what a page sends that keeps its address to itself; any other name would contradict the browser.
  return origin !== undefined && origin !== 'null' && !isOriginOf(origin, host)
}

/**
 * A link from elsewhere may lead to a page; nothing else of ours is to be seen there, and no stream to be held open. A frame, which nobody
 * sees and which shows nothing, would only make work.
 */
function isLink({ kind, secFetchMode, secFetchDest }: GuardedRequest): boolean {
  return kind === 'page' && secFetchMode === 'navigate' && secFetchDest === 'document'
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase()
}

const WRONG_HOST: Refusal = {
  status: 403,
  code: 'wrong_host',
  message: 'The Host header does not name this daemon.',
  hint: 'Open it as http://localhost with its port, or name the host in KEEL_ALLOWED_HOSTS.',
}
const WRONG_METHOD: Refusal = { status: 405, code: 'wrong_method', message: 'There is no such method here.', hint: 'Use GET or POST.' }
const CROSS_SITE: Refusal = {
  status: 403,
  code: 'cross_site',
  message: 'The request came from another site, or does not say where it came from.',
  hint: `Send it from the daemon's own page, or as ${JSON_TYPE}.`,
}
const WRONG_TYPE: Refusal = {
  status: 415,
  code: 'wrong_type',
  message: 'The request is of another type than is taken here.',
  hint: `The API takes ${JSON_TYPE}.`,
}
