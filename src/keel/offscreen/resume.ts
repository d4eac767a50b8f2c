/** A proposal that a run before has made and nobody has said anything to. */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EventStore } from '../memory/store.ts'
import { type RememberedProposal, rememberedProposals } from './remembered.ts'

/** For as long it may be taken up again, from when it was made or has woken. Milliseconds. */
export const RESUME_WINDOW = 60 * 60 * 1000

/** The newest proposal, where it is still open. Never throws. */
export async function openProposal(
  memory: EventStore,
  now: () => Date,
  signal: AbortSignal,
  log: (line: string) => void = () => {},
): Promise<RememberedProposal | undefined> {
  try {
    const newest = rememberedProposals(await memory.latest(signal))[0]
    if (newest === undefined || newest.outcome !== 'unactioned') return undefined
    const since = newest.snoozedUntil ?? newest.at
    return now().getTime() - since.getTime() <= RESUME_WINDOW ? newest : undefined
  } catch (error) {
    // What follows is a daemon that begins with nothing proposed.
    log(printable(`offscreen: memory read: ${reason(error)}; nothing is taken up again`))
    return undefined
  }
}
