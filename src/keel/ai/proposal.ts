/** What a proposal may be, and the schema that says so to a model. Pure. */

/** Characters of the action: it is a task's title later, and a line in the next brief. */
export const ACTION_LIMIT = 200
/** Characters of the rationale; what is longer is cut. */
export const RATIONALE_LIMIT = 500

/** Strict, as OpenAI and Codex want it: every key is required and no other is allowed. Lengths are ours to check: not every server knows them. */
export const PROPOSAL_SCHEMA = {
  type: 'object',
  properties: {
    next_action: { type: 'string', description: `One action away from the screen, at most ${ACTION_LIMIT} characters.` },
    rationale: { type: 'string', description: 'Why this one, why now, in one or two sentences.' },
  },
  required: ['next_action', 'rationale'],
  additionalProperties: false,
} as const

/** What is proposed, what replaces it, and why: empty where nothing of it can be seen. */
export { visibleLine as oneLine } from '../../util/printable.ts'

/** At most `limit` characters (code points), with an ellipsis where something was cut. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  // A character is at most two units long: more than that is not looked at.
  const characters = [...text.slice(0, 2 * limit + 2)]
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
