/** Whether a proposal only says again what was just decided. Pure. */
import { isSameAction } from '../ai/same-action.ts'
import { isAhead, type RememberedProposal } from './remembered.ts'

/** For as long a decision stands, in milliseconds: tomorrow the same walk, or the call that did not fit today, may be right again. */
export const REPEAT_WINDOW = 24 * 60 * 60 * 1000

/** What was confirmed or dismissed within the window, newest first, by when it was decided. */
export function justDecided(remembered: readonly RememberedProposal[], now: Date): string[] {
  return remembered
    .filter(({ outcomeAt }) => outcomeAt !== undefined && !isAhead(outcomeAt, now) && now.getTime() - outcomeAt.getTime() < REPEAT_WINDOW)
    .sort((a, b) => b.outcomeAt!.getTime() - a.outcomeAt!.getTime())
    .map(({ action }) => action)
}

export function isRepeat(action: string, of: readonly string[]): boolean {
  return of.some((other) => isSameAction(action, other))
}
