/** Why a command is not carried out, as the user reads it: one function a code of `OffscreenCommand`. */
import { MemuError } from '../../util/errors.ts'
import type { Problem } from './state.ts'

/** In the seed's words. */
export const nothingToConfirm = (): MemuError =>
  new MemuError('nothing_to_confirm', 'offscreen: nothing to confirm', { hint: 'Ask for a proposal first.', exit: 2 })

export const nothingToDismiss = (): MemuError =>
  new MemuError('nothing_to_dismiss', 'offscreen: nothing to dismiss', { hint: 'Ask for a proposal first.', exit: 2 })

export const nothingToCancel = (): MemuError =>
  new MemuError('nothing_to_cancel', 'No proposal is being made.', { hint: 'It may be there already: load the page again.', exit: 2 })

export const nothingToUndo = (): MemuError =>
  new MemuError('nothing_to_undo', 'No proposal was dismissed just now.', { hint: 'Ask for a proposal.', exit: 2 })

/** In the words that stand beside the proposal. */
export const perhapsAdded = ({ message, hint }: Problem): MemuError =>
  new MemuError('perhaps_added', message, { ...(hint === undefined ? {} : { hint }), exit: 2 })

export const nothingProposed = (): MemuError =>
  new MemuError('nothing_proposed', 'There is no proposal that this could be done to.', { hint: 'Ask for a proposal first.', exit: 2 })

export const staleProposal = (): MemuError =>
  new MemuError('stale_proposal', 'This proposal is not the current one any more.', { hint: 'Load the page again.', exit: 2 })

export const busy = (what: 'proposing' | 'confirming'): MemuError =>
  new MemuError('busy', what === 'proposing' ? 'A proposal is being made.' : 'A task is being added.', { hint: 'Wait a moment.', exit: 2 })

export const stopping = (): MemuError => new MemuError('stopping', 'keeld is about to stop.', { hint: 'Start it again first.' })
