/** Where the off-screen mode stands, and what the page sees of it. */
import { MemuError, reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { RememberedProposal } from './remembered.ts'
import type { OffscreenView } from './view.ts'

export type Made = NonNullable<OffscreenView['proposal']>
export type Problem = NonNullable<OffscreenView['error']>

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
  /** The words that were proposed, where its user has changed them. */
  readonly original?: string
  /** Titles of the open tasks that its brief was made with; undefined where they are not known, as for a proposal of a run before. */
  readonly listed?: readonly string[] | undefined
  readonly outcome?: 'confirmed' | 'dismissed'
  /** Of a dismissal. */
  readonly reason?: string
  /** The task was on the list already. */
  readonly existing?: true
  readonly snoozedUntil?: Date
  readonly error?: Problem
  /** The proposal may be a task already: said for as long as it is open, whatever else is said to it. */
  readonly doubt?: Problem
  readonly run?: Run
  /** A task is being added; settles when that, and its event, is over. */
  readonly confirming?: Promise<void>
}

/** The words of its proposal: the user's own first, then those they stand for. */
export function wordsOf({ proposal, original }: State): string[] {
  return [...new Set([proposal!.nextAction, ...(original === undefined ? [] : [original])])]
}

/** Its proposal, as it will be remembered. */
export function asRemembered(state: State, outcome: 'confirmed' | 'dismissed' | 'put_aside', at: Date): RememberedProposal {
  const { id, rationale } = state.proposal!
  const [action = '', original] = wordsOf(state)
  return { id, at, action, rationale, outcome, outcomeAt: at, openSince: at, ...(original === undefined ? {} : { original }) }
}

/** What was said of the last command is over with the next; a doubt stays. */
export function withoutError({ error: _, ...state }: State): State {
  return state
}

/** As `start` leaves it. */
export function awake({ snoozedUntil: _, ...state }: State): State {
  return withoutError(state)
}

/** By the clock: nothing has to happen for it to be awake. */
export function isAsleep({ status, snoozedUntil }: State, now: Date): boolean {
  return status === 'proposed' && snoozedUntil !== undefined && snoozedUntil > now
}

/** As the page and the API see it. */
export function shown(state: State, now: Date): OffscreenView {
  const { status, proposal, original, outcome, reason: why, existing, snoozedUntil, error, doubt, run, confirming } = state
  const busy = run !== undefined ? 'proposing' : confirming !== undefined ? 'confirming' : undefined
  const problem = error ?? (status === 'proposed' && busy === undefined ? doubt : undefined)
  return {
    status,
    ...(busy === undefined ? {} : { busy }),
    ...(proposal === undefined ? {} : { proposal: original === undefined ? proposal : { ...proposal, original } }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(why === undefined ? {} : { reason: why }),
    ...(existing === undefined ? {} : { existing }),
    ...(isAsleep(state, now) ? { snoozedUntil: snoozedUntil!.toISOString() } : {}),
    ...(problem === undefined ? {} : { error: problem }),
  }
}

/** Characters of a message. */
const MESSAGE_LIMIT = 500

/** On one line, and bounded: it may be the words of a tool. */
export function problemOf(error: unknown): Problem {
  const message = printable(reason(error)).slice(0, MESSAGE_LIMIT)
  if (!(error instanceof MemuError)) return { message }
  return { message, ...(error.hint === undefined ? {} : { hint: error.hint }), code: error.code }
}
