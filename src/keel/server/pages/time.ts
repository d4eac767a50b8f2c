/** Times as a person reads them. Pure; the page in the browser uses it too. */
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `14:05` */
export function clock(time: Date): string {
  return `${two(time.getHours())}:${two(time.getMinutes())}`
}

/** `14:05` today, `3 June, 14:05` on another day, with the year where it is another one; in the time zone of whoever calls. */
export function clockTime(time: Date, now: Date): string {
  return time.toDateString() === now.toDateString() ? clock(time) : `${dayWords(time, now)}, ${clock(time)}`
}

/** `Today`, `Yesterday`, `Wednesday, 3 June` */
export function dayHeading(time: Date, now: Date): string {
  const day = time.toDateString()
  if (day === now.toDateString()) return 'Today'
  if (day === new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 12).toDateString()) return 'Yesterday'
  return `${WEEKDAYS[time.getDay()]}, ${dayWords(time, now)}`
}

/** `3 June`, or `31 December 2025` in another year. */
export function dayWords(time: Date, now: Date): string {
  const year = time.getFullYear() === now.getFullYear() ? '' : ` ${time.getFullYear()}`
  return `${time.getDate()} ${MONTHS[time.getMonth()]}${year}`
}

/** `2026-06-03`: noon of that day where the user is, so that no change of the clock moves it. */
export function noonOf(day: string): Date {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
