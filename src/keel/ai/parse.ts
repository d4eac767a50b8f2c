/** Reads a proposal out of what a model says: strict about what it takes, patient about what stands around it. Pure. */
import type { Proposal } from './backend.ts'
import { jsonObjects } from './json-objects.ts'
import { ACTION_LIMIT, oneLine, RATIONALE_LIMIT, shortened } from './proposal.ts'

/** `problem` says to the model, and to a person, what is wrong. */
export type Parsed = { readonly proposal: Proposal } | { readonly problem: string }

/** Characters that are read. A proposal has under a thousand; the rest is room for thoughts without a mark. */
const ANSWER_LIMIT = 256 * 1024

/** The first JSON object that is a proposal, behind thoughts, in a code fence, among words or inside of another object. Never throws. */
export function parseProposal(answer: string): Parsed {
  const text = withoutThoughts(answer.slice(0, ANSWER_LIMIT))
  if (text.trim() === '') return { problem: 'the answer is empty' }
  let problem: string | undefined
  for (const candidate of jsonObjects(text)) {
    const parsed = validate(candidate)
    if ('proposal' in parsed) return parsed
    // The first object is the one that was meant, as a rule.
    problem ??= parsed.problem
  }
  return { problem: problem ?? 'the answer holds no JSON object' }
}

function validate({ next_action, rationale }: Readonly<Record<string, unknown>>): Parsed {
  if (typeof next_action !== 'string') return { problem: '"next_action" is not a string' }
  if (typeof rationale !== 'string') return { problem: '"rationale" is not a string' }
  const nextAction = oneLine(next_action)
  const length = [...nextAction].length
  if (length === 0) return { problem: '"next_action" is empty' }
  if (length > ACTION_LIMIT) return { problem: `"next_action" has ${length} characters, and may have ${ACTION_LIMIT}` }
  return { proposal: { nextAction, rationale: shortened(oneLine(rationale), RATIONALE_LIMIT) } }
}

/**
 * Some models think aloud between tags before they answer, and some servers keep the opening tag to themselves. A tag behind which no
 * object stands is part of the answer's own words.
 */
function withoutThoughts(text: string): string {
  const end = [...text.matchAll(/<\/think(?:ing)?>/gi)].at(-1)
  const rest = end === undefined ? text : text.slice(end.index + end[0].length)
  if (end !== undefined && rest.includes('{')) return rest
  // Never closed: all of it is thought, and a draft in it is not an answer.
  return end === undefined && /^\s*<think(?:ing)?>/i.test(text) ? '' : text
}
