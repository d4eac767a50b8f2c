/** The days as a picture: one column a day, drawn on the server, without a script. */
import type { HistoryDay } from '../../offscreen/history.ts'
import { type Html, html } from './html.ts'
import { dayWords, noonOf } from './time.ts'

/** Units of the picture; it is scaled to the width of the page. */
const WIDTH = 720
const HEIGHT = 180
const LEFT = 28
const TOP = 12
const BOTTOM = 28
const FLOOR = HEIGHT - BOTTOM
/** Of a column's place. */
const FILLED = 0.64
const WIDEST = 26
/** Above the floor, at most. */
const LINES = 4

/** A table with the same numbers stands beside it: to a screen reader the picture is one sentence. */
export function chart(days: readonly HistoryDay[], now: Date): Html {
  const most = Math.max(2, ...days.map(({ proposed }) => proposed))
  const step = Math.ceil(most / LINES)
  const top = Math.ceil(most / step) * step
  const slot = (WIDTH - LEFT) / Math.max(days.length, 1)
  const y = (count: number): number => round(FLOOR - (count / top) * (FLOOR - TOP))
  const lines = Array.from({ length: top / step + 1 }, (_, index) => {
    const count = index * step
    return html`<line class="${index === 0 ? 'floor' : 'line'}" x1="${LEFT}" x2="${WIDTH}" y1="${y(count)}" y2="${y(count)}"></line><text x="${LEFT - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`
  })
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="chart-title">
<title id="chart-title">${described(days)}</title>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"></rect><rect class="hatch-line" width="2.5" height="6"></rect></pattern></defs>
<g class="grid">${lines}</g>
${days.map((day, index) => column(day, LEFT + index * slot, slot, y))}
<g class="days">${days.map((day, index) => label(day, days.length - 1 - index, LEFT + (index + 0.5) * slot, days.length, now))}</g>
</svg>`
}

/** From below: confirmed, dismissed, and those of which nothing became. */
function column({ proposed, confirmed, dismissed }: HistoryDay, left: number, slot: number, y: (count: number) => number): Html {
  const width = round(Math.min(slot * FILLED, WIDEST))
  const x = round(left + (slot - width) / 2)
  const block = (kind: string, from: number, to: number): Html | false =>
    to > from &&
    html`<rect class="${kind}"${kind === 'dismissed' && html` fill="url(#hatch)"`} x="${x}" y="${y(to)}" width="${width}" height="${round(y(from) - y(to))}" rx="2"></rect>`
  return html`<g>${block('confirmed', 0, confirmed)}${block('dismissed', confirmed, confirmed + dismissed)}${block('open', confirmed + dismissed, proposed)}</g>`
}

/** Every day of a week, else one a week, counted from today. */
function label({ day }: HistoryDay, before: number, x: number, count: number, now: Date): Html | false {
  if (count > 8 && before % (count > 45 ? 14 : 7) !== 0) return false
  const words = before === 0 ? 'Today' : shortDay(day, now)
  const end = before === 0 && count > 8
  return html`<text x="${end ? WIDTH : round(x)}" y="${HEIGHT - 8}" text-anchor="${end ? 'end' : 'middle'}">${words}</text>`
}

function shortDay(day: string, now: Date): string {
  const [date, month = ''] = dayWords(noonOf(day), now).split(' ')
  return `${date} ${month.slice(0, 3)}`
}

function described(days: readonly HistoryDay[]): string {
  const { proposed, confirmed, dismissed } = totals(days)
  return `${days.length === 1 ? 'Today' : `The last ${days.length} days`}: ${proposed} proposed, ${confirmed} confirmed, ${dismissed} dismissed.`
}

export function totals(days: readonly HistoryDay[]): { readonly proposed: number; readonly confirmed: number; readonly dismissed: number } {
  const sum = (of: 'proposed' | 'confirmed' | 'dismissed'): number => days.reduce((total, day) => total + day[of], 0)
  return { proposed: sum('proposed'), confirmed: sum('confirmed'), dismissed: sum('dismissed') }
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
