/** The last weeks: a picture, the same as a table, and every proposal with what became of it. */
import type { AppState, History, HistoryDay, HistoryEntry } from '../app.ts'
import { charts, totals } from './chart.ts'
import { type Html, html } from './html.ts'
import { document } from './layout.ts'
import { clockTime, dayWords, noonOf } from './time.ts'

const RANGES = [
  [7, 'A week'],
  [28, 'Four weeks'],
  [91, 'A quarter'],
] as const

const OUTCOMES = { confirmed: 'Confirmed', dismissed: 'Dismissed', unactioned: 'Left open', unknown: 'Perhaps added' } as const

export function historyPage({ entries, days, isCut }: History, state: AppState): string {
  const now = new Date()
  const { proposed, confirmed, dismissed } = totals(days)
  const main = html`<div class="wide"><h1>History</h1>
<nav class="ranges" aria-label="How far back"><ul>${RANGES.map(
    ([count, label]) => html`<li><a href="/history?days=${count}"${count === days.length && html` aria-current="true"`}>${label}</a></li>`,
  )}</ul></nav>
<dl class="totals"><div><dt>Proposed</dt><dd>${proposed}</dd></div><div><dt><span class="key confirmed"></span>Confirmed</dt><dd>${confirmed}</dd></div><div><dt><span class="key dismissed"></span>Dismissed</dt><dd>${dismissed}</dd></div><div><dt><span class="key open"></span>Left open</dt><dd>${Math.max(proposed - confirmed - dismissed, 0)}</dd></div></dl>
<div class="picture">${charts(days, now)}</div>
${isCut && html`<p class="hint">There is more than is shown here: the oldest days lack some.</p>`}
<details class="table"><summary>The picture as a table</summary>${table(days, now)}</details>
<h2>Proposals</h2>
${entries.length === 0 ? html`<p class="hint">Nothing was proposed in this time.</p>` : html`<ol class="entries">${entries.map((entry) => item(entry, now))}</ol>`}</div>`
  return document({ title: 'History – Keel', main, path: '/history', state })
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

function item({ at, nextAction, rationale, outcome, outcomeAt, reason }: HistoryEntry, now: Date): Html {
  const made = new Date(at)
  return html`<li><p class="what"><span dir="auto">${nextAction}</span> <span class="outcome ${outcome}">${OUTCOMES[outcome]}</span></p>
${rationale !== '' && html`<p class="why" dir="auto">${rationale}</p>`}
${reason !== undefined && html`<p class="why">Because: <q dir="auto">${reason}</q></p>`}
<p class="made"><time datetime="${at}">${clockTime(made, now)}</time>${
    outcomeAt !== undefined &&
    html`, ${OUTCOMES[outcome].toLowerCase()} <time datetime="${outcomeAt}">${clockTime(new Date(outcomeAt), made)}</time>`
  }</p></li>`
}
