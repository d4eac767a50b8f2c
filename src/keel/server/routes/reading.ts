/** What is only read: pages, the state, the history, the stream, the page's own files. */
import { withinTime } from '../../../util/time-limit.ts'
import { MOST_DAYS } from '../../offscreen/history.ts'
import type { History } from '../app.ts'
import type { AppRoute, Backing, Exchange, OpenRoute } from '../exchange.ts'
import { RequestError } from '../failure.ts'
import { briefPage, historyPage, mainPage } from '../pages/pages.ts'
import { respond, respondEmpty, respondHtml, respondJson } from '../respond.ts'

export const mainView: AppRoute = {
  method: 'GET',
  kind: 'page',
  handle: ({ response }, { app }) => respondHtml(response, mainPage(app.state())),
}

export const briefView: AppRoute = {
  method: 'GET',
  kind: 'page',
  handle: ({ response }, { app }) => respondHtml(response, briefPage(app.brief(), app.state())),
}

export const historyView: AppRoute = {
  method: 'GET',
  kind: 'page',
  async handle(exchange, { app }) {
    respondHtml(exchange.response, historyPage(await history(exchange, app), app.state(), { isForgotten: exchange.query.has(FORGOTTEN) }))
  },
}

/** `GET /api/history?days=28` */
export const apiHistory: AppRoute = {
  method: 'GET',
  kind: 'api',
  async handle(exchange, { app }) {
    respondJson(exchange.response, await history(exchange, app))
  },
}

/** `GET /api/state`: the same as in the stream, for who asks now and then; 304 costs next to nothing. */
export const apiState: AppRoute = {
  method: 'GET',
  kind: 'api',
  handle({ request, response }, { app, instance }) {
    const state = app.state()
    const etag = `"${instance}-${state.version}"`
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
    if (known?.includes(etag)) respondEmpty(response, 304, { etag })
    else respondJson(response, state, 200, { etag })
  },
}

export const apiStream: AppRoute = {
  method: 'GET',
  kind: 'api',
  handle({ request, response }, { stream }) {
    if (request.method === 'HEAD') return respondEmpty(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
    if (stream.attach(response)) return
    throw new RequestError(503, 'no_stream', 'There is no further stream here.', { hint: 'Ask for /api/state now and then.' })
  },
}

/** The signature by which a second daemon tells that one is there. */
export const SIGNATURE = 'keeld'

export const health: OpenRoute = {
  open: true,
  method: 'GET',
  kind: 'health',
  handle: ({ response }, { version }) => respondJson(response, { name: SIGNATURE, version }),
}

/** `/assets/<name>`: kept by the browser, and asked for again each time whether it is still the same. */
export const asset: OpenRoute = {
  open: true,
  method: 'GET',
  kind: 'asset',
  handle({ request, response, path }, { assets }) {
    const found = assets.get(path.slice(ASSETS.length))
    if (found === undefined) throw new RequestError(404, 'not_found', 'There is no such file.')
    const headers = { etag: found.etag, 'cache-control': 'no-cache' }
    if (request.headers['if-none-match'] === found.etag) respondEmpty(response, 304, headers)
    else respond(response, 200, found.type, found.body, headers)
  },
}

export const ASSETS = '/assets/'

/** In the address of the history to which a form that was carried out leads. */
export const FORGOTTEN = 'forgotten'

export const DEFAULT_DAYS = 28
/** Of one read, whatever the memory waits for. */
const HISTORY_LIMIT_MS = 5_000

function history({ query, signal }: Exchange, app: Backing['app']): Promise<History> {
  const days = Number(query.get('days') ?? DEFAULT_DAYS)
  if (!canShow(days)) {
    throw new RequestError(400, 'invalid_argument', `days has to be a whole number from 1 to ${MOST_DAYS}.`)
  }
  return historyOf(app, days, signal)
}

/** Errors: those of the app; that it took longer than 5 s. */
export function historyOf(app: Backing['app'], days: number, signal: AbortSignal): Promise<History> {
  return withinTime(HISTORY_LIMIT_MS, signal, (limit) => app.history(days, limit))
}

/** Whether a history of so many days can be asked for. */
export function canShow(days: number): boolean {
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS
}
