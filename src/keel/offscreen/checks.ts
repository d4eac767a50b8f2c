/** What a command needs to find, or is refused. */
import * as refusal from './refusals.ts'
import type { Made, State } from './state.ts'

/** A command that names a proposal is for that one alone. */
export function refuseStale({ proposal }: State, id: string | undefined): void {
  if (id !== undefined && id !== proposal?.id) throw refusal.staleProposal()
}

export function refuseWhileBusy({ run, confirming }: State): void {
  if (run !== undefined) throw refusal.busy('proposing')
  if (confirming !== undefined) throw refusal.busy('confirming')
}

/** The proposal that is open, where nothing is under way. */
export function openNow(state: State, id: string | undefined): Made {
  refuseStale(state, id)
  refuseWhileBusy(state)
  if (state.status !== 'proposed') throw refusal.nothingProposed()
  return state.proposal!
}
