/** What counts as recent where clocks differ. Pure. */

/** `latest` is for one moment: as many of the newest events, of all kinds. */
export const LATEST = 200

/**
 * Milliseconds by which an event may lie ahead of our clock and still be recent: clocks of two machines differ by minutes. What lies further
 * ahead was written under a wrong clock. Until its time has come it would be newer than everything that really happens.
 */
const AHEAD_MS = 10 * 60 * 1000

/** The newest time, in milliseconds since 1970, at which something can have happened. */
export function latestTime(now: Date): number {
  return now.getTime() + AHEAD_MS
}
