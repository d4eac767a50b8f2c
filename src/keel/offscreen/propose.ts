/** From services to one proposal: the brief, the question, and a second one where the answer only repeats what was just decided. */

import type { Proposal, Proposer } from '../ai/backend.ts'
import { ACTION_LIMIT, oneLine, RATIONALE_LIMIT, shortened } from '../ai/proposal.ts'
import { assembleBrief } from './brief.ts'
import type { RememberedProposal } from './remembered.ts'
import { justSaid, repeated, together } from './repeats.ts'
import type { Services } from './services.ts'
import type { Repeated } from './view.ts'

export interface ProposeOptions {
  readonly now: Date
  readonly signal: AbortSignal
  /** Words that the user wants something else than. */
  readonly passedOver: readonly string[]
  /** What was said in this run: it counts, whatever the memory says of the same proposals. */
  readonly own: readonly RememberedProposal[]
  /** What is about to be sent. */
  readonly onBrief: (text: string) => void
}

export interface Proposed extends Proposal {
  /** Although it was asked for something else. */
  readonly repeats: Repeated | undefined
  /** Titles of the open tasks that it was made with, where they could be read. */
  readonly listed: readonly string[] | undefined
  /** What the memory said. */
  readonly remembered: readonly RememberedProposal[]
}

/** Errors: those of the proposer, or the reason of `signal`. */
export async function propose(services: Services, options: ProposeOptions): Promise<Proposed> {
  const { now, signal, passedOver, own } = options
  const { text, listed, remembered } = await assembleBrief(services, { now, signal })
  options.onBrief(text)
  const unwanted = [...passedOver.map((words) => ({ words, outcome: 'put_aside' as const })), ...justSaid(together(own, remembered), now)]
  const made = (proposal: Proposal): Proposed => ({ ...proposal, repeats: repeated(proposal.nextAction, unwanted), listed, remembered })
  const first = made(await ask(services.ai, text, passedOver, signal))
  if (first.repeats === undefined) return first
  const second = await askAgain(services.ai, text, [first.nextAction, ...unwanted.map(({ words }) => words)], signal)
  return second === undefined ? first : made(second)
}

async function ask(ai: Proposer, brief: string, unwanted: readonly string[], signal: AbortSignal): Promise<Proposal> {
  const exclude = [...new Set(unwanted)]
  const { nextAction, rationale } = await ai.propose(brief, { ...(exclude.length === 0 ? {} : { exclude }), signal })
  signal.throwIfAborted()
  return { nextAction: shortened(oneLine(nextAction), ACTION_LIMIT), rationale: shortened(oneLine(rationale), RATIONALE_LIMIT) }
}

async function askAgain(ai: Proposer, brief: string, unwanted: readonly string[], signal: AbortSignal): Promise<Proposal | undefined> {
  try {
    return await ask(ai, brief, unwanted, signal)
  } catch {
    signal.throwIfAborted()
    return undefined // The first answer is there, and better than an error.
  }
}
