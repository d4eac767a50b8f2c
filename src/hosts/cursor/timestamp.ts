/**
 * The time in a prompt's `<timestamp>`: `Tuesday, Sep 1, 2026, 8:00 AM`, with `(UTC-7)` behind it in some versions. Cursor writes the clock
 * of the machine it runs on, to the minute. Where it names no zone, this machine's is taken, as the log is read where it was written; a
 * time that then lies behind the log's last change shows that it was not, and is left out. So is one of the last hour: a minute is too
 * coarse to say what came first just now, such as a run or the session in which it is carried out.
 */
import { asTime } from '../fields.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const FORM =
  /\b([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4}),?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?(?:\s*\(?(?:utc|gmt)(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)?)?\s*$/i
const ZONE = /\b(?:utc|gmt)\b/i
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** UTC ISO time; absent where the text says none. `changed` and `now` are milliseconds since 1970. */
export function timeOf(text: string, changed: number, now: number): string | undefined {
  const parts = FORM.exec(text.trim())
  if (parts === null) return undefined
  const [, name = '', day, year, hour, minute, second, half, sign, hours = '0', minutes = '0'] = parts
  const month = MONTHS.indexOf(name.toLowerCase())
  if (month < 0) return undefined
  const clock = [Number(year), month, Number(day), hourOf(Number(hour), half), Number(minute), Number(second ?? 0)] as const
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE
  const time = ZONE.test(text) ? Date.UTC(...clock) - offset : new Date(...clock).getTime()
  const isCoarse = second === undefined && time > now - HOUR
  return isCoarse || time > changed + MINUTE ? undefined : asTime(time, now)
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}
