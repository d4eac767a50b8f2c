/** How long ago, coarsely and rounded down. Pure. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `milliseconds` below zero are a clock that was set back: just now. */
export function relativeAge(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'just now'
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)}m ago`
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)}h ago`
  return `${Math.floor(milliseconds / DAY)}d ago`
}
