/** The last weeks: a picture, the same as a table, and every proposal with what became of it. */
import type { AppState, History, HistoryDay } from '../app.ts'
import { charts, totals } from './chart.ts'
import { entryDays } from './history-days.ts'
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

export function historyPage({ entries, days, isCut }: History, state: AppState, outcome: HistoryOutcome = {}): string {
  const { isForgotten = false, error } = outcome
  const now = new Date()
  const context = { memory: state.memory, days: days.length }
  const unknown = entries.filter(({ outcome }) => outcome === 'unknown').length
  const main = html`<div class="wide"><h1>History</h1>
${alert(error)}
<p class="said" role="status">${isForgotten && forgottenWords(state.memory)}</p>
<nav class="ranges" aria-label="How far back"><ul>${RANGES.map(
    ([count, label]) => html`<li><a href="/history?days=${count}"${count === days.length && html` aria-current="true"`}>${label}</a></li>`,
  )}</ul></nav>
${
  entries.length === 0
    ? EMPTY
    : html`${sums(days, unknown)}
<div class="picture">${charts(days, now)}</div>
<details class="table"><summary>The picture as a table</summary>${table(days, now)}</details>
${isCut && html`<p class="hint">There is more than is shown here: the oldest days lack some.</p>`}
<h2>Proposals</h2>
${entryDays(entries, now, context)}`
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

/** What may have been added or not is told apart here, where there is any; in the picture it is open. */
function sums(days: readonly HistoryDay[], unknown: number): Html {
  const { proposed, confirmed, dismissed } = totals(days)
  const open = Math.max(proposed - confirmed - dismissed - unknown, 0)
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
