/** What a command needs to find, or is refused. */
import * as refusal from './refusals.ts'
import type { Made, State } from './state.ts'

/** A command that names a proposal is for that one alone, and one that names its words is for these. */
export function refuseStale({ proposal }: State, id: string | undefined, text?: string): void {
  if (id !== undefined && id !== proposal?.id) throw refusal.staleProposal()
  if (text !== undefined && proposal !== undefined && text !== proposal.nextAction) throw refusal.staleProposal()
}

/** Errors: `busy`. */
export function refuseWhileBusy({ run, confirming }: State): void {
  if (run !== undefined) throw refusal.busy('proposing')
  if (confirming !== undefined) throw refusal.busy('confirming')
}

/** The proposal that is open, where nothing is under way. Errors: `stale_proposal`, `busy`, `nothing_proposed`. */
export function openNow(state: State, id: string | undefined): Made {
  refuseStale(state, id)
  refuseWhileBusy(state)
  if (state.status !== 'proposed') throw refusal.nothingProposed()
  return state.proposal!
}
