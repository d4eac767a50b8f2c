/** What a person typed, out of a text into which Hermes mixes its own. */

/** Hermes' own notices begin like this, and end at the bracket that closes the first one. */
const NOTICE =
  /^\[(?:System(?: note)?: |SYSTEM: |Note: model was just switched|IMPORTANT: (?:You are running as a scheduled|The following skill|Background process |MCP servers have been))/
const SKILL = /^\[IMPORTANT: The user has invoked the /
/** The skills of a chat or of a start stand before the words of the user. */
const LOADED = /^\[IMPORTANT: The (?:"[^"\n]*" skill is auto-loaded|user launched this CLI session)/
const SUMMARY = /^\[(?:CONTEXT (?:COMPACTION|SUMMARY)|PRIOR CONTEXT)|\[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW\]/
const RECALLED = /^<memory-context>[\s\S]*?<\/memory-context>/
/** Older versions let a copy of the agent look over a session in the session itself. */
const REVIEW = /^Review the conversation above and (?:update the skill library|consider saving to memory)/

/** How a skill's own text ends: with where it lies, then what it may need. A skill without a folder, of older versions, ends nowhere. */
const SKILL_FOLDER = '[Skill directory: '
const SKILL_TAIL = [
  /^\[Skill directory: [^\n]*\]\nResolve any relative paths in this skill [^\n]*(?:\n|$)/,
  /^\[Skill config[^\n]*(?:\n[^\n]+)*?\n\](?:\n|$)/,
  /^\[Skill setup note: [^\n]*\](?:\n|$)/,
  /^\[This skill has supporting files:\]\n(?:- [^\n]*\n)*\nLoad any of these with skill_view\([^\n]*(?:\n|$)/,
]

const INSTRUCTION = 'The user has provided the following instruction alongside the skill invocation: '
const BUNDLE_INSTRUCTION = '\nUser instruction: '

/** The summary that stands for compacted messages, in either role. */
export function isSummary(text: string): boolean {
  return SUMMARY.test(text)
}

export function isReview(text: string): boolean {
  return REVIEW.test(text.trimStart())
}

/** May be empty. Of a skill's whole text only what the user said with it is kept; all where nothing says where the skill ends. */
export function humanText(text: string): string {
  let rest = text.trim()
  for (;;) {
    const end = NOTICE.test(rest) ? closingBracket(rest) : (RECALLED.exec(rest)?.[0].length ?? 0)
    if (end === 0) break
    rest = rest.slice(end).trimStart()
  }
  if (SKILL.test(rest)) return humanText(skillInstruction(rest))
  return LOADED.test(rest) ? afterSkills(rest) : rest
}

/** A skill's text may speak of folders, and several may be loaded, so the last one counts. */
function afterSkills(text: string): string {
  const start = text.lastIndexOf(`\n${SKILL_FOLDER}`)
  if (start < 0) return text
  let rest = text.slice(start + 1)
  for (;;) {
    const end = SKILL_TAIL.map((pattern) => pattern.exec(rest)?.[0].length ?? 0).find((length) => length > 0)
    if (end === undefined) return rest
    rest = rest.slice(end).trimStart()
  }
}

/** A skill's text may quote the words before the instruction, so the last ones count; in a bundle the skills come after it. */
function skillInstruction(text: string): string {
  const isBundle = text.slice(0, text.indexOf(']') + 1).includes(' skill bundle,')
  if (isBundle) return between(text, text.indexOf(BUNDLE_INSTRUCTION), BUNDLE_INSTRUCTION, '\n\n[Loaded as part of the ')
  return between(text, text.lastIndexOf(INSTRUCTION), INSTRUCTION, '\n\n[Runtime note:')
}

function between(text: string, start: number, opening: string, closing: string): string {
  if (start < 0) return ''
  const rest = text.slice(start + opening.length)
  const end = rest.indexOf(closing)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/** Where the bracket that the text begins with is closed; 0 where it is not. */
function closingBracket(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return at + 1
  }
  return 0
}
