/** A proposal that a run before has made and nobody has said anything to, or whose confirmation has no known end. */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EventStore } from '../memory/store.ts'
import { CLOCK_SLACK, MOST_SNOOZE_MINUTES, type RememberedProposal, recentProposals } from './remembered.ts'

/** For as long it may be taken up again, from when it was last open. Milliseconds. */
export const RESUME_WINDOW = 60 * 60 * 1000
/** What wakes later than that was written by a clock that was wrong. */
const FARTHEST_AHEAD = MOST_SNOOZE_MINUTES * 60_000 + CLOCK_SLACK

/** The newest proposal, where it is `unactioned` or `unknown`. Never throws. */
export async function openProposal(
  memory: EventStore,
  now: () => Date,
  signal: AbortSignal,
  log: (line: string) => void = () => {},
): Promise<RememberedProposal | undefined> {
  try {
    const events = await memory.latest(signal)
    const [newest] = recentProposals(events, now())
    if (newest === undefined || newest.outcome === 'confirmed' || newest.outcome === 'dismissed') return undefined
    const age = now().getTime() - newest.openSince.getTime()
    return age <= RESUME_WINDOW && age >= -FARTHEST_AHEAD ? newest : undefined
  } catch (error) {
    // What follows is a daemon that begins with nothing proposed.
    log(printable(`offscreen: memory read: ${reason(error)}; nothing is taken up again`))
    return undefined
  }
}
