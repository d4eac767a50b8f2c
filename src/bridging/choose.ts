/** Which sessions a run takes: newest first, with places kept for the oldest of a backlog, so that it drains while new ones come in. */
import type { SessionRef } from '../hosts/transcript-source.ts'

/** Of ten places three are for the oldest (fewer places: up to half; a single place is the oldest's). */
const KEPT_FOR_OLDEST = 3

export interface Chooser {
  /** The next session to try, or undefined when the places are filled or nothing is left. */
  next(): SessionRef | undefined
  /** Says that the session just given takes a place. One that turned out to hold nothing takes none, and another is tried. */
  take(): void
  /** How many were never tried. */
  readonly left: number
}

/** `changed` in any order; at most `places` sessions are taken. */
export function chooser(changed: readonly SessionRef[], places: number): Chooser {
  const queue = [...changed].sort((a, b) => a.modified - b.modified || (a.id < b.id ? -1 : 1))
  const kept = Math.min(KEPT_FOR_OLDEST, Math.max(1, Math.floor(places / 2)))
  let taken = 0
  return {
    next() {
      if (taken >= places) return undefined
      return taken < places - kept ? queue.pop() : queue.shift()
    },
    take: () => {
      taken++
    },
    get left() {
      return queue.length
    },
  }
}
