/** The proposals of the history, under the day on which they were made. */
import type { HistoryEntry } from '../app.ts'
import { type ForgetContext, forgetEntry } from './history-forget.ts'
import { type Html, html } from './html.ts'
import { clock, clockTime, dayHeading } from './time.ts'

/** Of one day, at once: the others wait behind a line that says how many they are. */
const SHOWN = 8
/** A line that hides fewer is longer than what it hides. */
const LEAST_HIDDEN = 3

const OUTCOMES = {
  confirmed: 'Confirmed',
  dismissed: 'Dismissed',
  put_aside: 'Put aside',
  unactioned: 'Left open',
  unknown: 'Perhaps added',
} as const

/** Of what is on the first page, and so not done with. */
export type Present = 'now' | 'asleep'
const PRESENT = { now: 'Proposed now', asleep: 'Snoozed' } as const

export interface DaysContext extends ForgetContext {
  readonly present?: { readonly id: string; readonly is: Present } | undefined
}

/** What was put aside is behind a line of its own: it says little, and there may be much of it. */
export function entryDays(entries: readonly HistoryEntry[], now: Date, context: DaysContext): Html[] {
  const list = (some: readonly HistoryEntry[]): Html | false =>
    some.length > 0 && html`<ol class="entries">${some.map((entry) => item(entry, context))}</ol>`
  return byDay(entries, now).map(([heading, ofDay]) => {
    const aside = ofDay.filter(({ outcome }) => outcome === 'put_aside')
    const others = ofDay.filter((entry) => !aside.includes(entry))
    const count = others.length < SHOWN + LEAST_HIDDEN ? others.length : SHOWN
    const hidden = others.slice(count)
    return html`<section class="day"><h3>${heading}</h3>${list(others.slice(0, count))}${
      hidden.length > 0 && html`<details><summary>${hidden.length} more of that day</summary>${list(hidden)}</details>`
    }${aside.length > 0 && html`<details><summary>${aside.length} put aside for another one</summary>${list(aside)}</details>`}</section>`
  })
}

/** In their order: newest first. */
function byDay(entries: readonly HistoryEntry[], now: Date): readonly (readonly [string, readonly HistoryEntry[]])[] {
  const days = new Map<string, HistoryEntry[]>()
  for (const entry of entries) {
    const heading = dayHeading(new Date(entry.at), now)
    const day = days.get(heading)
    if (day === undefined) days.set(heading, [entry])
    else day.push(entry)
  }
  return [...days]
}

function item(entry: HistoryEntry, context: DaysContext): Html {
  const { id, at, nextAction, outcome, outcomeAt, reason } = entry
  const made = new Date(at)
  const present = context.present?.id === id && outcome === 'unactioned' ? context.present.is : undefined
  return html`<li><p class="what"><span dir="auto">${nextAction}</span> <span class="outcome ${present ?? outcome}">${
    present === undefined ? OUTCOMES[outcome] : PRESENT[present]
  }</span></p>
${why(entry)}
${reason !== undefined && html`<p class="why">Because: <q dir="auto">${reason}</q></p>`}
${outcome === 'unknown' && html`<p class="why">Whether it was added to your tasks is not known.</p>`}
<div class="foot"><p class="made"><time datetime="${at}">${clock(made)}</time>${
    (outcome === 'confirmed' || outcome === 'dismissed') &&
    outcomeAt !== undefined &&
    html`, ${OUTCOMES[outcome].toLowerCase()} <time datetime="${outcomeAt}">${clockTime(new Date(outcomeAt), made)}</time>`
  }</p>${forgetEntry(entry, context)}</div></li>`
}

/** The reason speaks of what was proposed, and not of what its user made of it. */
function why({ original, rationale }: HistoryEntry): Html | false {
  if (original !== undefined) return html`<p class="why">In your own words. What was proposed: <q dir="auto">${original}</q></p>`
  return rationale !== '' && html`<p class="why" dir="auto">${rationale}</p>`
}
