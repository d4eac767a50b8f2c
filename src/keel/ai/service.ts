/** Proposals from a backend: the prompt, the strict reading of the answer, one chance to repair it, and one time limit over all of it. */

import { MemuError, reason } from '../../util/errors.ts'
import { timeLimit } from '../../util/time-limit.ts'
import type { Backend, Proposal, ProposeOptions, Proposer } from './backend.ts'
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
    ...(backend.destination === undefined ? {} : { destination: backend.destination }),
    async propose(brief, { exclude, signal, onSent }) {
      const limit = timeLimit(timeLimitMs, signal)
      try {
        return await ask(backend, buildProposePrompt(brief, exclude), { signal: limit.signal, onSent })
      } catch (error) {
        signal.throwIfAborted()
        if (limit.isOver) throw timedOut(backend, timeLimitMs)
        throw explainedWithout(brief, error, backend)
      } finally {
        limit.end()
      }
    },
  }
}

interface Asking {
  readonly signal: AbortSignal
  readonly onSent: ProposeOptions['onSent']
}

async function ask(backend: Backend, prompt: string, { signal, onSent }: Asking): Promise<Proposal> {
  const answerTo = (text: string): Promise<string> => {
    signal.throwIfAborted()
    return backend.ask(text, { schema: PROPOSAL_SCHEMA, signal, onSent: () => onSent?.(text) })
  }
  const answer = await answerTo(prompt)
  const parsed = parseProposal(answer)
  if ('proposal' in parsed) return parsed.proposal
  const again = parseProposal(await answerTo(buildRepairPrompt(prompt, answer, parsed.problem)))
  if ('proposal' in again) return again.proposal
  throw new MemuError('ai_no_proposal', `${backend.name} gave no proposal that can be used: ${again.problem}.`, {
    hint: 'Ask again, or choose another model in the settings.',
  })
}

/** A server may repeat what it was asked, and a message goes to the log. */
function explainedWithout(brief: string, error: unknown, { name }: Backend): MemuError {
  const message = error instanceof MemuError ? error.message : `${name} failed: ${reason(error)}`
  const lines = brief.split('\n').filter((line) => line.length >= TELLING_LINE)
  const clean = lines.reduce((text, line) => text.replaceAll(line, '…').replaceAll(JSON.stringify(line).slice(1, -1), '…'), message)
  if (error instanceof MemuError && clean === message) return error
  const { code, hint } = error instanceof MemuError ? error : { code: 'ai_failed', hint: undefined }
  return new MemuError(code, clean, { cause: error, ...(hint === undefined ? {} : { hint }) })
}

/** Characters: a shorter one may stand in any message. */
const TELLING_LINE = 12

function timedOut({ name }: Backend, milliseconds: number): MemuError {
  return new MemuError('ai_timeout', `${name} gave no answer within ${milliseconds / 1000} s.`, {
    hint: 'Ask again: a model that was just loaded answers sooner. A smaller one is quicker.',
  })
}
