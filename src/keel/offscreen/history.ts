/** The last weeks for the page: each proposal with what became of it, and the days as a picture. */
import { localDay } from '../../util/local-day.ts'
import type { EventStore } from '../memory/store.ts'
import { type Outcome, type RememberedProposal, rememberedProposals } from './remembered.ts'

/** One proposal and what became of it. */
export interface HistoryEntry {
  readonly id: string
  /** ISO time. */
  readonly at: string
  /** The user's own words, where they changed it. */
  readonly nextAction: string
  /** What was proposed, where they changed it: the rationale speaks of this. */
  readonly original?: string
  readonly rationale: string
  readonly outcome: Outcome
  readonly outcomeAt?: string
  readonly reason?: string
}

export interface HistoryDay {
  /** `YYYY-MM-DD` where the user is. */
  readonly day: string
  /** Proposals that were made on this day, without those that were put aside for another one, */
  readonly proposed: number
  /** and how many of those were confirmed or dismissed, on whatever day. */
  readonly confirmed: number
  readonly dismissed: number
}

export interface History {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[]
  /** Oldest first, also those on which nothing happened; the last one is today. */
  readonly days: readonly HistoryDay[]
  /** More events lie in the range than were read: the oldest days lack some. */
  readonly isCut: boolean
}

/** Events of one picture: some fifty a day of the longest one. */
export const HISTORY_EVENTS = 5_000
/** Calendar days of one picture. */
export const MOST_DAYS = 92
/** A century: farther no clock is ahead, and servers know no later years. */
const FARTHEST_AHEAD_MS = 100 * 365 * 24 * 60 * 60 * 1000

/** `days` calendar days, today included; 1 to 92 of them. Errors: those of the store. */
export async function readHistory(memory: EventStore, days: number, now: Date, signal: AbortSignal): Promise<History> {
  const calendar = calendarDays(days, now)
  const [year, month, date] = calendar[0]!.split('-').map(Number)
  const from = new Date(year!, month! - 1, date)
  // Also what a clock that was ahead has written: no outcome is missing for it.
  const events = await memory.range(from, new Date(now.getTime() + FARTHEST_AHEAD_MS), HISTORY_EVENTS, signal)
  const proposals = rememberedProposals(events)
  return { entries: proposals.map(entry), days: counted(calendar, proposals), isCut: events.length >= HISTORY_EVENTS }
}

/** By the calendar and not by hours: two days of a year have not 24 of them, and Samoa has once left one out. */
function calendarDays(days: number, now: Date): string[] {
  const count = Number.isFinite(days) ? Math.min(Math.max(Math.trunc(days), 1), MOST_DAYS) : MOST_DAYS
  const found = new Set<string>()
  for (let ago = 0; found.size < count; ago++) {
    found.add(localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago, 12)))
  }
  return [...found].reverse()
}

function counted(calendar: readonly string[], proposals: readonly RememberedProposal[]): HistoryDay[] {
  const counts = new Map(calendar.map((day) => [day, { day, proposed: 0, confirmed: 0, dismissed: 0 }]))
  const today = calendar.at(-1)!
  for (const { at, outcome } of proposals) {
    const made = localDay(at)
    // A clock that was ahead has written of tomorrow.
    const day = counts.get(made) ?? (made > today ? counts.get(today) : undefined)
    if (day === undefined || outcome === 'put_aside') continue
    day.proposed++
    if (outcome === 'confirmed' || outcome === 'dismissed') day[outcome]++
  }
  return [...counts.values()]
}

function entry({ id, at, action, original, rationale, outcome, outcomeAt, reason }: RememberedProposal): HistoryEntry {
  return {
    id,
    at: at.toISOString(),
    nextAction: action,
    ...(original === undefined ? {} : { original }),
    rationale,
    outcome,
    ...(outcomeAt === undefined ? {} : { outcomeAt: outcomeAt.toISOString() }),
    ...(reason === undefined ? {} : { reason }),
  }
}
