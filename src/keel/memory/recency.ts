/** What counts as recent where clocks differ. Pure. */
import type { KeelEvent } from './store.ts'

/** `latest` is for one moment: as many of the newest events, of all kinds. */
export const LATEST = 200

/** The same for what this machine recorded: all of an hour, whatever is clicked in it. */
export const LATEST_OWN = 5_000

/**
 * Milliseconds by which an event may lie ahead of our clock and still be recent: clocks of two machines differ by minutes. What lies further
 * ahead was written under a wrong clock. Until its time has come it would be newer than everything that really happens.
 */
const AHEAD_MS = 10 * 60 * 1000

/** The newest time, in milliseconds since 1970, at which something can have happened. */
export function latestTime(now: Date): number {
  return now.getTime() + AHEAD_MS
}

/**
 * `happened`, and of what lies `ahead` that which belongs to the same proposals: it was said to them under a clock that was wrong, but it
 * was said. Both are newest first; at most `limit`.
 */
export function withOutcomes(ahead: readonly KeelEvent[], happened: readonly KeelEvent[], limit = LATEST): KeelEvent[] {
  if (ahead.length === 0) return happened.slice(0, limit)
  const known = new Set(happened.flatMap(({ data }) => (typeof data.proposal_id === 'string' ? data.proposal_id : [])))
  return [...ahead.filter(({ data }) => known.has(data.proposal_id as string)), ...happened].slice(0, limit)
}
