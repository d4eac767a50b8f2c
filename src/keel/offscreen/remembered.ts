/** What events say of proposals and their outcomes. Anything may write to the bucket: what is no proposal of ours is passed over. Pure. */
import { ACTION_LIMIT, oneLine, RATIONALE_LIMIT, shortened } from '../ai/proposal.ts'
import { latestTime } from '../memory/recency.ts'
import type { KeelEvent } from '../memory/store.ts'
import * as kinds from './kinds.ts'

/** `put_aside`: another one was wanted. `unknown`: it was confirmed, and nobody knows whether the task was added. */
export type Outcome = 'confirmed' | 'dismissed' | 'put_aside' | 'unactioned' | 'unknown'

export interface RememberedProposal {
  readonly id: string
  readonly at: Date
  /** The user's own words, where they changed it. */
  readonly action: string
  /** Those that were proposed, where they changed them. */
  readonly original?: string
  readonly rationale: string
  readonly outcome: Outcome
  /** Of an unknown one: when it was confirmed. */
  readonly outcomeAt?: Date
  /** Of a dismissal. */
  readonly reason?: string
  readonly snoozedUntil?: Date
  /** When it was made, wakes, was confirmed without a known end, or came back from a dismissal, whichever was last. */
  readonly openSince: Date
}

/** Characters of a reason. */
export const REASON_LIMIT = 200
/** A day: longer than that nobody waits for a proposal. */
export const MOST_SNOOZE_MINUTES = 24 * 60
/** A proposal's id has 16; another program's may have more. */
const ID_LIMIT = 100

/** Newest first, each proposal once. `events` are newest first. */
export function rememberedProposals(events: readonly KeelEvent[]): RememberedProposal[] {
  const lives = new Map<string, KeelEvent[]>()
  const made = new Set<string>()
  for (const event of events) {
    const id = idOf(event)
    if (id === undefined) continue
    if (event.kind === kinds.PROPOSAL_MADE) made.add(id)
    const life = lives.get(id)
    if (life === undefined) lives.set(id, [event])
    else life.push(event)
  }
  return [...made].flatMap((id) => remembered(id, lives.get(id)!))
}

/** The same without those that a clock which was far ahead has made: they would be the newest until that time comes. */
export function recentProposals(events: readonly KeelEvent[], now: Date): RememberedProposal[] {
  return rememberedProposals(events).filter(({ at }) => !isAhead(at, now))
}

/** By more than the clocks of two machines differ: it was written under a wrong one. */
export function isAhead(time: Date, now: Date): boolean {
  return time.getTime() > latestTime(now)
}

/** Of another mode, or without an id: none. */
function idOf({ data: { proposal_id: id, mode } }: KeelEvent): string | undefined {
  if (mode !== kinds.MODE && mode !== undefined) return undefined
  return typeof id === 'string' && id !== '' && id.length <= ID_LIMIT ? id : undefined
}

/** `life`: all that is known of it, newest first. Of several of one kind the newest counts: a copy that came twice is one. */
function remembered(id: string, life: readonly KeelEvent[]): RememberedProposal[] {
  const last = (kind: string): KeelEvent | undefined => life.find((event) => event.kind === kind)
  const made = last(kinds.PROPOSAL_MADE)!
  const action = [last(kinds.ACTION_TAKEN), last(kinds.PROPOSAL_EDITED), made].map(actionOf).find((text) => text !== '')
  if (action === undefined) return []
  const proposed = actionOf(made)
  const sleep = life.find(isSnooze)
  const until = sleep && new Date(sleep.at.getTime() + Number(sleep.data.minutes) * 60_000)
  const times = [made.at, until, last(kinds.CONFIRM_BEGUN)?.at, last(kinds.DISMISSAL_UNDONE)?.at]
  return [
    {
      id,
      at: made.at,
      action,
      ...(proposed === '' || proposed === action ? {} : { original: proposed }),
      rationale: shortened(textOf(made.data.rationale), RATIONALE_LIMIT),
      ...outcomeOf(life),
      ...(until === undefined ? {} : { snoozedUntil: until }),
      openSince: new Date(Math.max(...times.flatMap((time) => time?.getTime() ?? []))),
    },
  ]
}

/** What was confirmed was confirmed, whatever came before or after. */
function outcomeOf(life: readonly KeelEvent[]): Pick<RememberedProposal, 'outcome' | 'outcomeAt' | 'reason'> {
  const taken = life.find(({ kind }) => kind === kinds.ACTION_TAKEN)
  if (taken !== undefined) return { outcome: 'confirmed', outcomeAt: taken.at }
  const dismissed = life.find(({ kind }) => kind === kinds.PROPOSAL_DISMISSED || kind === kinds.DISMISSAL_UNDONE)
  if (dismissed?.kind === kinds.PROPOSAL_DISMISSED) {
    const reason = shortened(textOf(dismissed.data.reason), REASON_LIMIT)
    return { outcome: 'dismissed', outcomeAt: dismissed.at, ...(reason === '' ? {} : { reason }) }
  }
  const begun = openConfirmation(life)
  if (begun !== undefined) return { outcome: 'unknown', outcomeAt: begun.at }
  const aside = life.find(({ kind }) => kind === kinds.PROPOSAL_PUT_ASIDE)
  return aside === undefined ? { outcome: 'unactioned' } : { outcome: 'put_aside', outcomeAt: aside.at }
}

/** The last one, unless each has failed. A failure of one that is not known leaves no mark on the next. */
function openConfirmation(life: readonly KeelEvent[]): KeelEvent | undefined {
  const [begun, failed] = [kinds.CONFIRM_BEGUN, kinds.CONFIRM_FAILED].map((wanted) => life.filter(({ kind }) => kind === wanted)) as [
    KeelEvent[],
    KeelEvent[],
  ]
  const [newest, end] = [begun[0], failed[0]]
  if (newest === undefined || end === undefined) return newest
  return begun.length > failed.length || newest.at > end.at ? newest : undefined
}

function actionOf(event: KeelEvent | undefined): string {
  return shortened(textOf(event?.data.next_action), ACTION_LIMIT)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value.slice(0, 10_000)) : ''
}

/** Of no longer sleep than a command may ask for; 0 minutes: it was woken. */
function isSnooze({ kind, data: { minutes } }: KeelEvent): boolean {
  return kind === kinds.PROPOSAL_SNOOZED && typeof minutes === 'number' && minutes >= 0 && minutes <= MOST_SNOOZE_MINUTES
}
