/** The last weeks: a picture, the same as a table, and every proposal with what became of it. */
import type { AppState, History, HistoryDay, HistoryEntry } from '../app.ts'
import { charts, totals } from './chart.ts'
import { type DaysContext, entryDays } from './history-days.ts'
import { forgetEverything, forgottenWords } from './history-forget.ts'
import { type Html, html } from './html.ts'
import { alert, document } from './layout.ts'
import type { Notice } from './notice.ts'
import { dayWords, noonOf } from './time.ts'

const RANGES = [
  [7, 'A week'],
  [28, 'Four weeks'],
  [91, 'A quarter'],
] as const

export interface HistoryOutcome {
  /** Something was forgotten, just now, */
  readonly isForgotten?: boolean
  /** or could not be. */
  readonly error?: Notice
}

/** Of the list: more would keep the daemon from everything else, and nobody reads that far. The picture and the sums have all. */
const LISTED = 500
/** Days of a picture at least: what is empty before the first proposal is left out. */
const LEAST_DAYS = 7

export function historyPage({ entries, days, isCut }: History, state: AppState, outcome: HistoryOutcome = {}): string {
  const { isForgotten = false, error } = outcome
  const now = new Date()
  const present = presentIn(state)
  const context: DaysContext = { memory: state.memory, days: days.length, present }
  const drawn = days.slice(
    Math.max(
      Math.min(
        days.findIndex(({ proposed }) => proposed > 0),
        days.length - LEAST_DAYS,
      ),
      0,
    ),
  )
  const main = html`<div class="wide"><h1>History</h1>
${alert(error)}
<p class="said" role="status">${isForgotten && forgottenWords(state.memory)}</p>
<nav class="ranges" aria-label="How far back"><ul>${RANGES.map(
    ([count, label]) => html`<li><a href="/history?days=${count}"${count === days.length && html` aria-current="true"`}>${label}</a></li>`,
  )}</ul></nav>
${
  entries.length === 0
    ? EMPTY
    : html`${sums(days, entries, present?.id)}
<div class="picture">${charts(drawn, now)}</div>
<details class="table"><summary>The picture as a table</summary>${table(days, now)}</details>
${isCut && html`<p class="hint">There is more than is shown here: the oldest days lack some.</p>`}
<h2>Proposals</h2>
${entries.length > LISTED && html`<p class="hint">The newest ${LISTED} of ${entries.length}.</p>`}
${entryDays(entries.slice(0, LISTED), now, context)}`
}
${forgetEverything(context)}</div>`
  return document({
    title: `${error !== undefined ? 'Not forgotten: ' : isForgotten ? 'Forgotten: ' : ''}History – Keel`,
    main,
    path: '/history',
    state,
  })
}

const EMPTY = html`<section class="nothing"><p>Nothing was proposed in this time.</p><p><a class="button" href="/">Ask for a proposal</a></p></section>`

/** What is on the first page is not left open: it is not done with. */
function presentIn({ offscreen: { status, proposal, snoozedUntil } }: AppState): DaysContext['present'] {
  if (status !== 'proposed' || proposal === undefined) return undefined
  return { id: proposal.id, is: snoozedUntil === undefined ? 'now' : 'asleep' }
}

/** What may have been added or not is told apart here, where there is any; in the picture it is open. */
function sums(days: readonly HistoryDay[], entries: readonly HistoryEntry[], present: string | undefined): Html {
  const { proposed, confirmed, dismissed } = totals(days)
  const unknown = entries.filter(({ outcome }) => outcome === 'unknown').length
  const now = entries.filter(({ id, outcome }) => id === present && outcome === 'unactioned').length
  const open = Math.max(proposed - confirmed - dismissed - unknown - now, 0)
  const sum = (label: string, count: number, key?: string): Html =>
    html`<div><dt>${key !== undefined && html`<span class="key ${key}"></span>`}${label}</dt><dd>${count}</dd></div>`
  return html`<dl class="totals">${sum('Proposed', proposed)}${sum('Confirmed', confirmed, 'confirmed')}${sum('Dismissed', dismissed, 'dismissed')}${sum('Left open', open, 'open')}${unknown > 0 && sum('Perhaps added', unknown, 'open')}</dl>`
}

function table(days: readonly HistoryDay[], now: Date): Html {
  const rows = days
    .filter(({ proposed }) => proposed > 0)
    .map(
      ({ day, proposed, confirmed, dismissed }) =>
        html`<tr><th scope="row"><time datetime="${day}">${dayWords(noonOf(day), now)}</time></th><td>${proposed}</td><td>${confirmed}</td><td>${dismissed}</td></tr>`,
    )
  return html`<table><caption>Proposals by day; days without one are left out</caption><thead><tr><th scope="col">Day</th><th scope="col">Proposed</th><th scope="col">Confirmed</th><th scope="col">Dismissed</th></tr></thead><tbody>${rows}</tbody></table>`
}
