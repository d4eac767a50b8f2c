/** Calendar days as task tools write them. */
import { localDay } from '../../util/local-day.ts'

/**
 * The day of `2026-06-05`, `2026-06-05T10:00:00` (the user's own time), `2026-06-05T10:00:00Z` and `20260605T100000Z` (both moments, so the
 * user's day then); undefined for anything else, a day that no calendar has included.
 */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(value.trim())
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '00', zone] = match
  const written = `${year}-${month}-${day}`
  if (!isDay(written)) return undefined
  if (zone === undefined) return written
  const moment = new Date(`${written}T${hour}:${minute}:${second}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(moment.getTime()) ? undefined : localDay(moment)
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
