/** The days as a picture: one column a day, drawn on the server, without a script. */
import type { HistoryDay } from '../../offscreen/history.ts'
import { type Html, html } from './html.ts'
import { dayWords, noonOf, WEEKDAYS } from './time.ts'

/** In units of the picture, which is scaled to the width of the page. */
interface Size {
  readonly name: 'wide-screen' | 'narrow'
  readonly width: number
  readonly height: number
  /** For the numbers at the left, and the days below. */
  readonly left: number
  readonly bottom: number
  /** Days from one label to the next, where there are more than a week. */
  readonly everyDays: number
}

/** On a small screen the same picture would be too small to read: the style shows the one that fits. */
const SIZES: readonly Size[] = [
  { name: 'wide-screen', width: 720, height: 180, left: 28, bottom: 28, everyDays: 7 },
  { name: 'narrow', width: 360, height: 210, left: 26, bottom: 32, everyDays: 14 },
]

const TOP = 12
/** Of a column's place. */
const FILLED = 0.64
const WIDEST = 26
/** Above the floor, at most. */
const LINES = 4
/** From one line to the next: numbers that are read at a glance, times ten and so on. */
const STEPS = [1, 2, 5]

/** A table with the same numbers stands beside it: to a screen reader the picture is one sentence. */
export function charts(days: readonly HistoryDay[], now: Date): Html[] {
  return SIZES.map((size) => chart(days, now, size))
}

function chart(days: readonly HistoryDay[], now: Date, size: Size): Html {
  const { name, width, height, left } = size
  const floor = height - size.bottom
  const most = Math.max(2, ...days.map(({ proposed }) => proposed))
  const step = stepFor(most)
  const top = Math.ceil(most / step) * step
  const slot = (width - left) / Math.max(days.length, 1)
  const y = (count: number): number => round(floor - (count / top) * (floor - TOP))
  const lines = Array.from({ length: top / step + 1 }, (_, index) => {
    const count = index * step
    return html`<line class="${index === 0 ? 'floor' : 'line'}" x1="${left}" x2="${width}" y1="${y(count)}" y2="${y(count)}"></line><text x="${left - 8}" y="${y(count) + 4}" text-anchor="end">${count}</text>`
  })
  return html`<svg class="chart ${name}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title-${name}">
<title id="title-${name}">${described(days)}</title>
<defs><pattern id="hatch-${name}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"></rect><rect class="hatch-line" width="2.5" height="6"></rect></pattern></defs>
<g class="grid">${lines}</g>
${days.map((day, index) => column(day, left + index * slot, slot, y, name))}
<g class="days">${days.map((day, index) => label(day, days.length - 1 - index, left + (index + 0.5) * slot, days.length, size, now))}</g>
</svg>`
}

function stepFor(most: number): number {
  for (let unit = 1; ; unit *= 10) {
    const step = STEPS.find((count) => count * unit * LINES >= most)
    if (step !== undefined) return step * unit
  }
}

/** From below: confirmed, dismissed, and those of which nothing became. */
function column(
  { proposed, confirmed, dismissed }: HistoryDay,
  left: number,
  slot: number,
  y: (count: number) => number,
  name: Size['name'],
): Html {
  const width = round(Math.min(slot * FILLED, WIDEST))
  const x = round(left + (slot - width) / 2)
  const block = (kind: string, from: number, to: number): Html | false =>
    to > from &&
    html`<rect class="${kind}"${kind === 'dismissed' && html` fill="url(#hatch-${name})"`} x="${x}" y="${y(to)}" width="${width}" height="${round(y(from) - y(to))}" rx="2"></rect>`
  return html`<g>${block('confirmed', 0, confirmed)}${block('dismissed', confirmed, confirmed + dismissed)}${block('open', confirmed + dismissed, proposed)}</g>`
}

/** Every day of a week, else some, counted from today. */
function label({ day }: HistoryDay, before: number, x: number, count: number, { width, height, everyDays }: Size, now: Date): Html | false {
  const isWeek = count <= 7
  if (!isWeek && before % (count > 45 ? 2 * everyDays : everyDays) !== 0) return false
  const isLast = before === 0 && !isWeek
  const words = before === 0 ? 'Today' : isWeek ? WEEKDAYS[noonOf(day).getDay()]!.slice(0, 3) : shortDay(day, now)
  return html`<text x="${isLast ? width : round(x)}" y="${height - 8}" text-anchor="${isLast ? 'end' : 'middle'}">${words}</text>`
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
