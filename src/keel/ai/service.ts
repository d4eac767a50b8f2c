/** Proposals from a backend: the prompt, the strict reading of the answer, one chance to repair it, and one time limit over all of it. */

import { MemuError, reason } from '../../util/errors.ts'
import { timeLimit } from '../../util/time-limit.ts'
import type { Backend, Proposal, Proposer } from './backend.ts'
import { parseProposal } from './parse.ts'
import { buildProposePrompt, buildRepairPrompt } from './prompt.ts'
import { PROPOSAL_SCHEMA } from './proposal.ts'

/** Both questions together. A local model that has to be loaded first takes tens of seconds. */
export const TIME_LIMIT_MS = 90_000

export interface ServiceOptions {
  /** Milliseconds; `TIME_LIMIT_MS` unless a test has less time. */
  readonly timeLimitMs?: number
}

/** Errors of `propose`: see `Proposer`. Where `signal` aborts, its reason, once the backend has ended what it started. */
export function newService(backend: Backend, { timeLimitMs = TIME_LIMIT_MS }: ServiceOptions = {}): Proposer {
  return {
    name: backend.name,
    async propose(brief, { exclude, signal }) {
      const limit = timeLimit(timeLimitMs, signal)
      try {
        return await ask(backend, buildProposePrompt(brief, exclude), limit.signal)
      } catch (error) {
        signal.throwIfAborted()
        if (limit.isOver) throw timedOut(backend, timeLimitMs)
        if (error instanceof MemuError) throw error
        throw new MemuError('ai_failed', `${backend.name} failed: ${reason(error)}`, { cause: error })
      } finally {
        limit.end()
      }
    },
  }
}

async function ask(backend: Backend, prompt: string, signal: AbortSignal): Promise<Proposal> {
  const options = { schema: PROPOSAL_SCHEMA, signal }
  signal.throwIfAborted()
  const answer = await backend.ask(prompt, options)
  const parsed = parseProposal(answer)
  if ('proposal' in parsed) return parsed.proposal
  signal.throwIfAborted()
  const again = parseProposal(await backend.ask(buildRepairPrompt(prompt, answer, parsed.problem), options))
  if ('proposal' in again) return again.proposal
  throw new MemuError('ai_no_proposal', `${backend.name} gave no proposal that can be used: ${again.problem}.`, {
    hint: 'Ask again, or choose another model in the settings.',
  })
}

function timedOut({ name }: Backend, milliseconds: number): MemuError {
  return new MemuError('ai_timeout', `${name} gave no answer within ${milliseconds / 1000} s.`, {
    hint: 'Ask again: a model that was just loaded answers sooner. A smaller one is quicker.',
  })
}
