import type { Span } from './find-spans.ts'
import { spanFinder } from './find-spans.ts'
import { escapeRegExp, MARK_START, mark } from './rule.ts'
import { knownValueRules, RULES } from './rules.ts'

export { RULES_VERSION } from './rules.ts'

export interface Redacted {
  /** The same string where nothing was found. */
  readonly text: string
  /** How often each rule removed something, by the rule's name. */
  readonly found: ReadonlyMap<string, number>
}

/** A secret that is known to whoever asks: removed wherever it stands, in every form it may take. */
export interface KnownSecret {
  /** What it is, kebab-case: said in its place. */
  readonly name: string
  readonly value: string
}

/** Two rounds are the rule. The bound keeps a text that was made to need many from taking its time. */
const ROUNDS = 8
/** Enough for the mark of any rule. Characters. */
const LONGEST_MARK = 80

const NOTHING_FOUND: ReadonlyMap<string, number> = new Map()

/**
 * A function that removes secrets from text: what the rules know, and `known` in any form. It changes nothing around them, says the rule
 * in their place, and changes nothing more when its result is given to it again. Its time grows with the length of the text alone.
 */
export function createRedactor(known: readonly KnownSecret[] = []): (text: string) => Redacted {
  const rules = [...knownValueRules(known), ...RULES]
  // Made with the first text: a run that finds nothing new has none.
  let find: ReturnType<typeof spanFinder> | undefined
  let marks: RegExp | undefined

  return (text) => {
    find ??= spanFinder(rules)
    let result = text
    const found = new Map<string, number>()
    // What stands beside a removed secret may be one that it hid, so the result is looked at again.
    for (let round = 0; round < ROUNDS; round++) {
      let spans = find(result)
      if (spans.length > 0 && result.includes(MARK_START)) {
        marks ??= marksOf(rules)
        const standing = marks
        const redacted = result
        spans = spans.filter((span) => isNews(redacted, span, standing))
      }
      if (spans.length === 0) break
      let rest = ''
      let at = 0
      for (const { start, end, rank } of spans) {
        const { name } = rules[rank]!
        found.set(name, (found.get(name) ?? 0) + 1)
        rest += result.slice(at, start) + mark(name)
        at = end
      }
      result = rest + result.slice(at)
    }
    return found.size === 0 ? { text, found: NOTHING_FOUND } : { text: result, found }
  }
}

/** Every mark that a rule leaves. */
function marksOf(rules: readonly { readonly name: string }[]): RegExp {
  return new RegExp([...new Set(rules.map(({ name }) => escapeRegExp(mark(name))))].join('|'), 'g')
}

/** More than a mark that stands there already, and not a part of one: the name of a rule is no secret. */
function isNews(text: string, { start, end }: Span, marks: RegExp): boolean {
  const offset = Math.max(start - LONGEST_MARK, 0)
  const around = text.slice(offset, end + LONGEST_MARK)
  if (!around.includes(MARK_START)) return true
  for (const match of around.matchAll(marks)) {
    const from = offset + match.index
    const to = from + match[0].length
    const touches = from < end && to > start
    const isWithin = start < from && to < end
    const isBeside = start <= from && to <= end && (start < from || to < end)
    if (touches && !isWithin && !isBeside) return false
  }
  return true
}
