/** From one typed sentence to a statement worth keeping, or to nothing, which is the normal case. */
import { type Clause, readClause } from './clause.ts'
import { otherLanguageKind } from './other-languages.ts'
import { THIS_PROJECT } from './patterns.ts'
import { decisions } from './rules/decisions.ts'
import { facts, people } from './rules/facts.ts'
import { preferences } from './rules/preferences.ts'
import type { Rule } from './rules/rule.ts'
import type { Kind, Statement } from './statement.ts'
import { isVetoed, maskQuotes } from './vetoes.ts'
import { wordLine } from './wording.ts'

/** `project` is the name that replaces "this repo". */
export function classify(typed: string, project?: string): Statement | undefined {
  const sentence = typed
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__/g, '')
    .replace(HERE, '$1 in this project')
  const masked = maskQuotes(sentence)
  if (isVetoed(sentence, masked)) return undefined
  const clause = readClause(sentence, masked)
  if (clause === undefined || isVetoed(clause.text, clause.masked)) return undefined
  const kind =
    [clause.main, ...clause.parts].map((main) => englishKind({ ...clause, main })).find((found) => found !== undefined) ??
    otherLanguageKind(clause.masked)
  if (kind === undefined) return undefined
  return { kind, text: wordLine(clause.text, project), scoped: THIS_PROJECT.test(clause.masked) }
}

/** "We use conventional commits here": the place is the project. */
const HERE = /\b(we [^,;:.]{3,80}?) here(?=[,.;!]|$)/i

/** In the order in which they are tried: a wish may look like a fact, but not the other way round. */
const RULES: readonly (readonly [Kind, readonly Rule[]])[] = [
  ['preference', preferences],
  ['decision', decisions],
  ['person', people],
  ['fact', facts],
]

function englishKind(clause: Clause): Kind | undefined {
  return RULES.find(([, rules]) => rules.some((rule) => fits(rule, clause)))?.[0]
}

function fits({ main, unless, when }: Rule, clause: Clause): boolean {
  return main.test(clause.main) && unless?.test(clause.main) !== true && when?.(clause) !== false
}
