/** Whether a proposal only says again what its user has just spoken about. Pure. */
import { isSameAction } from '../ai/same-action.ts'
import { isAhead, type RememberedProposal } from './remembered.ts'
import type { Repeated } from './view.ts'

/** For as long a decision stands, in milliseconds: tomorrow the same walk, or the call that did not fit today, may be right again. */
export const REPEAT_WINDOW = 24 * 60 * 60 * 1000

/** Words, and what was said to them. */
export interface Said {
  readonly words: string
  readonly outcome: Repeated
}

/** What `own` says of a proposal counts, whatever `remembered` says of the same one. */
export function together(own: readonly RememberedProposal[], remembered: readonly RememberedProposal[]): RememberedProposal[] {
  return [...own, ...remembered.filter(({ id }) => !own.some((other) => other.id === id))]
}

/** What was confirmed, dismissed or put aside within the window, newest first, by when that was. Words that were edited away were put aside. */
export function justSaid(proposals: readonly RememberedProposal[], now: Date): Said[] {
  return proposals
    .flatMap((proposal) => ({ proposal, time: saidAt(proposal, now) }))
    .filter(({ time }) => time !== undefined && now.getTime() - time < REPEAT_WINDOW)
    .sort((a, b) => b.time! - a.time!)
    .flatMap(({ proposal: { action, original, outcome } }) => [
      { words: action, outcome: outcome as Repeated },
      ...(original === undefined ? [] : [{ words: original, outcome: 'put_aside' as const }]),
    ])
}

/** What was said to the first of them that is much the same. */
export function repeated(action: string, said: readonly Said[]): Repeated | undefined {
  return said.find(({ words }) => isSameAction(action, words))?.outcome
}

/** Milliseconds since 1970. Under a clock that was ahead for a moment it was said later than the proposal was made, nobody knows when. */
function saidAt({ at, outcomeAt }: RememberedProposal, now: Date): number | undefined {
  const time = outcomeAt !== undefined && isAhead(outcomeAt, now) ? at : outcomeAt
  return time === undefined || isAhead(time, now) ? undefined : time.getTime()
}
