/** Times as a person reads them. Pure; the page in the browser uses it too. */
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** `14:05` today, `3 June, 14:05` on another day, with the year where it is another one; in the time zone of whoever calls. */
export function clockTime(time: Date, now: Date): string {
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  if (time.toDateString() === now.toDateString()) return clock
  return `${dayWords(time, now)}, ${clock}`
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
