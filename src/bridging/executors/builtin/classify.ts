/** From one typed sentence to a statement worth keeping, or to nothing, which is the normal case. */
import { type Clause, readClause } from './clause.ts'
import { type MessageKind, outlivesTheOrder } from './orders.ts'
import { otherLanguageKind } from './other-languages.ts'
import { THIS_PROJECT } from './patterns.ts'
import { decisions } from './rules/decisions.ts'
import { facts, people } from './rules/facts.ts'
import { preferences } from './rules/preferences.ts'
import type { Rule } from './rules/rule.ts'
import type { Kind, Statement } from './statement.ts'
import { isVetoed, maskQuotes } from './vetoes.ts'
import { wordLine } from './wording.ts'

/** `project` is the name that replaces "this repo". `within` says what kind of message the sentence stands in. */
export function classify(typed: string, project?: string, within: MessageKind = 'talk'): Statement | undefined {
  const sentence = typed
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__/g, '')
    .replace(HERE, '$1 in this project')
  const masked = maskQuotes(sentence)
  if (isVetoed(sentence, masked)) return undefined
  const clause = readClause(sentence, masked)
  if (clause === undefined || isVetoed(clause.text, clause.masked)) return undefined
  if (within === 'order' && !outlivesTheOrder(clause)) return undefined
  const kind = englishKind(clause)
  if (kind !== undefined) return statement(kind, clause.text, clause, project)
  for (const part of clause.parts) {
    const found = englishKind({ ...clause, main: part.main })
    if (found !== undefined) return statement(found, part.isHeaded ? clause.text.slice(-part.length) : clause.text, clause, project)
  }
  const other = otherLanguageKind(clause.masked)
  return other === undefined ? undefined : statement(other, clause.text, clause, project)
}

function statement(kind: Kind, text: string, { masked }: Clause, project: string | undefined): Statement {
  const own = kind === 'fact' || kind === 'person' ? text.replace(ON_THE_OCCASION, '') : text
  return { kind, text: wordLine(plain(own, project), project), scoped: THIS_PROJECT.test(masked) }
}

/** "The db moved, it's now X" says that it is X; "it's hosted on X" is about the project. */
function plain(text: string, project: string | undefined): string {
  const moved = text.replace(
    /^(\S+(?: \S+){0,5}?) (?:(?:has|have|was|were) )?(?:moved|changed)[,;:]? (?:and |so )?(?:it's|it is|is) now /i,
    '$1 is now ',
  )
  return project === undefined
    ? moved
    : moved.replace(/^(?:it's|it is) (?=.*\b(?:hosted|deployed|built|written|running) (?:on|with|in|by) )/i, `${project} is `)
}

/** "…, try it when you are done": what is asked for on the occasion of a fact is over with the session. */
const ON_THE_OCCASION =
  /[,;–—] (?:so |and )?(?:please |then )?(?:try|check|see|look|be|have a look|can you|could you|let me|tell me|give me|use (?:it|that)|do|fix|update|change|rename|add)\b.*$/i

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
