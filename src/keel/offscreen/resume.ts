/** What a run before has left: what was said to its proposals, and the one that is still open. */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EventStore } from '../memory/store.ts'
import { isAhead, MOST_SNOOZE_MINUTES, type RememberedProposal, rememberedProposals } from './remembered.ts'

/** For as long a proposal may be taken up again, from when it was last open. Milliseconds. */
export const RESUME_WINDOW = 60 * 60 * 1000
/** What wakes later than that was written by a clock that was wrong. Milliseconds. */
const LONGEST_SLEEP = MOST_SNOOZE_MINUTES * 60_000

/**
 * The proposals of this machine, newest first: what is open elsewhere is for whoever sits there to confirm. Where nothing is kept here, all that
 * the memory has. None where it cannot be read. Never throws.
 */
export async function recall(
  memory: EventStore,
  signal: AbortSignal,
  log: (line: string) => void = () => {},
): Promise<readonly RememberedProposal[]> {
  try {
    return rememberedProposals(await (memory.own === undefined ? memory.latest(signal) : memory.own(signal)))
  } catch (error) {
    // What follows is a daemon that begins with nothing proposed.
    log(printable(`offscreen: memory read: ${reason(error)}; nothing is taken up again`))
    return []
  }
}

/** The newest proposal, where it is `unactioned` or `unknown`, and was open lately. Pure. */
export function openProposal(remembered: readonly RememberedProposal[], now: Date): RememberedProposal | undefined {
  const newest = remembered.find(({ at }) => !isAhead(at, now))
  if (newest === undefined || (newest.outcome !== 'unactioned' && newest.outcome !== 'unknown')) return undefined
  const isBeyond = (time: Date): boolean => isAhead(time, new Date(now.getTime() + LONGEST_SLEEP))
  const { snoozedUntil, ...rest } = newest
  const openSince = isBeyond(newest.openSince) ? newest.at : newest.openSince
  if (now.getTime() - openSince.getTime() > RESUME_WINDOW) return undefined
  return snoozedUntil === undefined || isBeyond(snoozedUntil) ? rest : newest
}
