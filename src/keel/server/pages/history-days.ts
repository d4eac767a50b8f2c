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

export function entryDays(entries: readonly HistoryEntry[], now: Date, context: ForgetContext): Html[] {
  const list = (some: readonly HistoryEntry[]): Html => html`<ol class="entries">${some.map((entry) => item(entry, context))}</ol>`
  return byDay(entries, now).map(([heading, ofDay]) => {
    const count = ofDay.length < SHOWN + LEAST_HIDDEN ? ofDay.length : SHOWN
    const hidden = ofDay.slice(count)
    return html`<section class="day"><h3>${heading}</h3>${list(ofDay.slice(0, count))}${
      hidden.length > 0 && html`<details><summary>${hidden.length} more of that day</summary>${list(hidden)}</details>`
    }</section>`
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

function item(entry: HistoryEntry, context: ForgetContext): Html {
  const { at, nextAction, rationale, outcome, outcomeAt, reason } = entry
  const made = new Date(at)
  return html`<li><p class="what"><span dir="auto">${nextAction}</span> <span class="outcome ${outcome}">${OUTCOMES[outcome]}</span></p>
${rationale !== '' && html`<p class="why" dir="auto">${rationale}</p>`}
${reason !== undefined && html`<p class="why">Because: <q dir="auto">${reason}</q></p>`}
${outcome === 'unknown' && html`<p class="why">Whether it was added to your tasks is not known.</p>`}
<div class="foot"><p class="made"><time datetime="${at}">${clock(made)}</time>${
    (outcome === 'confirmed' || outcome === 'dismissed') &&
    outcomeAt !== undefined &&
    html`, ${OUTCOMES[outcome].toLowerCase()} <time datetime="${outcomeAt}">${clockTime(new Date(outcomeAt), made)}</time>`
  }</p>${forgetEntry(entry, context)}</div></li>`
}
