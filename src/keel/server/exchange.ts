/** One request on its way to an answer, and what the routes share. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from './app.ts'
import type { Assets } from './assets.ts'
import type { RouteKind } from './guard.ts'
import type { Stream } from './stream.ts'
import type { TokenCheck } from './token.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: URLSearchParams
  /** Aborted when whoever asked went away. */
  readonly signal: AbortSignal
}

/** What is there before the daemon behind it is. */
export interface Ground {
  readonly assets: Assets
  readonly version: string
  readonly token?: TokenCheck | undefined
}

export interface Backing extends Ground {
  readonly app: App
  readonly stream: Stream
  /** Differs from start to start: versions begin anew. */
  readonly instance: string
}

interface Common {
  readonly method: 'GET' | 'POST'
  readonly kind: RouteKind
}

/** Answered at once, whoever asks: neither the daemon nor a token is needed. */
export interface OpenRoute extends Common {
  readonly open: true
  readonly handle: (exchange: Exchange, ground: Ground) => void | Promise<void>
}

export interface AppRoute extends Common {
  readonly open?: false
  readonly handle: (exchange: Exchange, backing: Backing) => void | Promise<void>
}

export type Route = OpenRoute | AppRoute
