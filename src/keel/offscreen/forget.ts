/** What its user wants forgotten goes out of what this run has in mind, and then out of the memory. */
import type { Forgettable, KeelMemory } from '../memory/store.ts'
import type { ModeContext } from './context.ts'
import { PROPOSAL_ID } from './kinds.ts'
import * as refusal from './refusals.ts'
import type { Runs } from './runs.ts'

/** Undefined: all of them. */
export type ForgottenProposal = string | undefined

/**
 * Before the memory, so that nothing more is recorded of what goes. What is being made was made with it in mind, as far as anybody can tell:
 * it ends. Errors: `busy` while its task is being added; those of the memory, after which what this run had in mind is gone all the same.
 */
export async function forgetProposal(
  context: ModeContext,
  runs: Pick<Runs, 'cancel' | 'forgetBrief'>,
  memory: Pick<KeelMemory, 'forget'>,
  id: ForgottenProposal,
): Promise<void> {
  const { confirming, proposal, run } = context.state
  const isMeant = (other: string | undefined): boolean => id === undefined || other === id
  if (confirming !== undefined && isMeant(proposal?.id)) throw refusal.busy('confirming')
  if (run !== undefined) runs.cancel()
  runs.forgetBrief()
  context.choices.forget(id)
  if (isMeant(context.state.proposal?.id)) context.become({ status: 'pending' })
  const what: Forgettable = id === undefined ? 'everything' : { field: PROPOSAL_ID, value: id }
  await memory.forget(what)
}
