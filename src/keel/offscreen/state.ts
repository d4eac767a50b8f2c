/** Where the off-screen mode stands, and what the page sees of it. */
import { MemuError, reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { OffscreenView } from './view.ts'

export type Made = NonNullable<OffscreenView['proposal']>

/** A proposal that is being made. */
export interface Run {
  readonly abort: AbortController
  /** What was on the table before: it comes back where nothing new does. */
  readonly before: State
}

export interface State {
  readonly status: OffscreenView['status']
  /** With `proposed` and `done`. */
  readonly proposal?: Made
  readonly outcome?: 'confirmed' | 'dismissed'
  readonly snoozedUntil?: Date
  readonly error?: NonNullable<OffscreenView['error']>
  readonly run?: Run
  /** A task is being added; settles when that, and its event, is over. */
  readonly confirming?: Promise<void>
}

export function withoutError({ error: _, ...state }: State): State {
  return state
}

export function awake({ snoozedUntil: _, ...state }: State): State {
  return withoutError(state)
}

export function shown({ status, proposal, outcome, snoozedUntil, error, run, confirming }: State, now: Date): OffscreenView {
  const busy = run !== undefined ? 'proposing' : confirming !== undefined ? 'confirming' : undefined
  return {
    status,
    ...(busy === undefined ? {} : { busy }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(snoozedUntil === undefined || snoozedUntil <= now ? {} : { snoozedUntil: snoozedUntil.toISOString() }),
    ...(error === undefined ? {} : { error }),
  }
}

/** Characters of a message. */
const MESSAGE_LIMIT = 500

export function explained(error: unknown): NonNullable<OffscreenView['error']> {
  const message = printable(reason(error)).slice(0, MESSAGE_LIMIT)
  return error instanceof MemuError && error.hint !== undefined ? { message, hint: error.hint } : { message }
}
