/** From a request to its answer: the guard, the route, the token, the daemon behind it; and what becomes of a failure. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { printable } from '../../util/printable.ts'
import type { AppRoute, Backing, Exchange, Ground, Route } from './exchange.ts'
import { type Failure, failureBody, failureOf, RequestError, refused } from './failure.ts'
import { guard, type RouteKind } from './guard.ts'
import { errorPage, notFoundPage, tokenPage } from './pages/pages.ts'
import { respond, respondEmpty, respondHtml, respondJson } from './respond.ts'
import { methodsOf, routesOf } from './routes.ts'

export interface HandlerOptions {
  readonly ground: Ground
  /** Requests that need it wait for it. */
  readonly backing: Promise<Backing>
  /** Hosts that the daemon goes by. */
  readonly names: ReadonlySet<string>
  readonly log: (line: string) => void
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Changes that are waited for at once. A task tool may take half a minute to confirm: who asks for it again and again meanwhile does not use
 * up the connections of everybody.
 */
const MOST_CHANGES = 32

/** Never rejects. */
export function newHandler({ ground, backing, names, log }: HandlerOptions): Handler {
  let changing = 0

  async function carryOut(route: AppRoute, exchange: Exchange): Promise<void> {
    if (route.method === 'GET') return route.handle(exchange, await backing)
    if (changing >= MOST_CHANGES)
      throw new RequestError(503, 'too_many_requests', 'Too much is asked for at once.', { hint: 'Try again in a moment.' })
    changing++
    try {
      await route.handle(exchange, await backing)
    } finally {
      changing--
    }
  }

  return async (request, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const target = targetOf(request.url ?? '')
    const routes = target === undefined ? [] : routesOf(target.pathname)
    const route = routeFor(request.method, routes)
    const kind = route?.kind ?? kindOf(target?.pathname, routes)
    const exchange: Exchange = {
      request,
      response,
      path: target?.pathname ?? '',
      query: target?.searchParams ?? new URLSearchParams(),
      signal: gone.signal,
    }
    try {
      const refusal = guard(guarded(request, kind), names)
      if (refusal !== undefined) throw refused(refusal)
      if (request.method === 'OPTIONS') return respondEmpty(response, 204, { allow: methodsOf(routes) })
      if (target === undefined) throw new RequestError(400, 'wrong_target', 'The address of the request is none.')
      if (routes.length === 0) throw new RequestError(404, 'not_found', 'There is no such page.')
      if (route === undefined) throw new RequestError(405, 'wrong_method', `Use ${methodsOf(routes)} here.`)
      if (route.open) return await route.handle(exchange, ground)
      if (ground.token !== undefined && !ground.token.admits(request.headers)) throw noToken()
      await carryOut(route, exchange)
    } catch (error) {
      if (gone.signal.aborted) return // Nobody is there to be told.
      const failure = failureOf(error)
      if (failure.unexpected !== undefined) log(printable(`server: ${request.method} ${exchange.path} failed (${failure.unexpected})`))
      answerFailure(exchange, kind, routes, failure)
    }
  }
}

function answerFailure({ request, response, path, query }: Exchange, kind: RouteKind, routes: readonly Route[], failure: Failure): void {
  const { status, notice, code } = failure
  if (status === 405) response.setHeader('allow', methodsOf(routes))
  if (status === 401) response.setHeader('www-authenticate', 'Bearer')
  // The rest of it is not waited for.
  if (code === 'too_large' && !request.complete) response.setHeader('connection', 'close')
  if (kind === 'api' || kind === 'health') respondJson(response, failureBody(failure), status)
  else if (kind === 'asset' || code === 'wrong_host') respond(response, status, 'text/plain; charset=utf-8', textOf(failure))
  else if (code === 'no_token') respondHtml(response, tokenPage(undefined, kind === 'page' ? addressOf(path, query) : undefined), status)
  else respondHtml(response, status === 404 ? notFoundPage() : errorPage(notice), status)
}

function addressOf(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`
}

function textOf({ notice: { message, hint } }: Failure): string {
  return `${message}${hint === undefined ? '' : ` ${hint}`}\n`
}

function noToken(): RequestError {
  return new RequestError(401, 'no_token', 'This daemon asks for its token.', { hint: 'Send it as a bearer token.' })
}

/** Undefined for a target that is no path of ours: `*`, or another server's address. */
function targetOf(url: string): URL | undefined {
  return url.startsWith('/') && !url.startsWith('//') && URL.canParse(url, BASE) ? new URL(url, BASE) : undefined
}

const BASE = 'http://keeld'

function routeFor(method: string | undefined, routes: readonly Route[]): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return routes.find((route) => route.method === wanted)
}

/** Of a path without such a route: what fails there fails in the way of its neighbours. */
function kindOf(path: string | undefined, routes: readonly Route[]): RouteKind {
  return routes[0]?.kind ?? (path?.startsWith('/api/') ? 'api' : 'page')
}

function guarded(request: IncomingMessage, kind: RouteKind): Parameters<typeof guard>[0] {
  const header = (name: string): string | undefined => request.headersDistinct[name]?.join(', ')
  return {
    method: request.method ?? '',
    kind,
    host: header('host'),
    origin: header('origin'),
    secFetchSite: header('sec-fetch-site'),
    secFetchMode: header('sec-fetch-mode'),
    secFetchDest: header('sec-fetch-dest'),
    contentType: header('content-type'),
  }
}
