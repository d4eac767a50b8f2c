import { hintScan } from './hint-scan.ts'
import type { Rule } from './rule.ts'
import { escapeRegExp, mark } from './rule.ts'
import { knownValueRules, RULES } from './rules.ts'
import { isStandIn } from './strength.ts'

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

interface Span {
  readonly start: number
  readonly end: number
  /** Its place in the table: where two rules find the same, the earlier names it. */
  readonly rank: number
}

interface CompiledRule extends Rule {
  readonly rank: number
  readonly sticky: RegExp
}

/** Enough for any name of a rule. Characters. */
const LONGEST_MARK = 80

const NOTHING_FOUND: ReadonlyMap<string, number> = new Map()

/**
 * A function that removes secrets from text: what the rules know, and `known` in any form. It changes nothing around them, names the rule
 * in their place, and changes nothing more when its result is given to it again. Time grows with the length of the text alone.
 */
export function createRedactor(known: readonly KnownSecret[] = []): (text: string) => Redacted {
  const rules = [...knownValueRules(known), ...RULES].map(
    (rule, rank): CompiledRule => ({ ...rule, rank, sticky: new RegExp(rule.pattern.source, `${rule.pattern.flags}y`) }),
  )
  const hints = [...new Set(rules.flatMap((rule) => rule.hints.map((hint) => hint.toLowerCase())))]
  const rulesOf = hints.map((hint) => rules.filter((rule) => rule.hints.some((own) => own.toLowerCase() === hint)))
  const scan = hintScan(hints)
  const marks = new RegExp([...new Set(rules.map(({ name }) => escapeRegExp(mark(name))))].join('|'), 'g')

  const find = (text: string): Span[] => {
    const spans: Span[] = []
    const seenTo = new Int32Array(rules.length)
    scan(text, (hint, at) => {
      for (const rule of rulesOf[hint]!) {
        if (at < seenTo[rule.rank]!) continue
        const span = spanAt(rule, text, at, seenTo)
        if (span !== undefined) spans.push(span)
      }
    })
    return spans.length === 0 ? spans : merged(spans).filter((span) => isNews(text, span, marks))
  }

  return (text) => {
    let result = text
    const found = new Map<string, number>()
    // What stands beside a mark may be a secret that the removed one hid: looked at until there is nothing. Each round leaves less text.
    for (let spans = find(result); spans.length > 0; spans = find(result)) {
      for (const { rank } of spans) found.set(rules[rank]!.name, (found.get(rules[rank]!.name) ?? 0) + 1)
      result = replaced(result, spans, rules)
    }
    return found.size === 0 ? { text, found: NOTHING_FOUND } : { text: result, found }
  }
}

function spanAt(rule: CompiledRule, text: string, at: number, seenTo: Int32Array): Span | undefined {
  rule.sticky.lastIndex = at
  const match = rule.sticky.exec(text)
  if (match === null) return undefined
  const own = match.groups?.secret ?? match.groups?.bare ?? match[0]
  const head = match.groups?.head ?? ''
  const secret = head + own
  const end = at + match[0].length
  const start = head === '' ? end - own.length : at - head.length
  const isWhole = own.length === match[0].length
  if (!rule.certain && (isStandIn(secret) || rule.check?.(secret, match) === false)) {
    // A token that is none has none within; a value may be a name whose own value follows.
    if (isWhole) seenTo[rule.rank] = end
    return undefined
  }
  seenTo[rule.rank] = end
  return { start, end, rank: rule.rank }
}

/** More than what stands there already because it was removed before: a mark, a part of one, or several. */
function isNews(text: string, { start, end }: Span, marks: RegExp): boolean {
  const around = text.slice(Math.max(start - LONGEST_MARK, 0), end + LONGEST_MARK)
  const offset = Math.max(start - LONGEST_MARK, 0)
  for (const match of around.matchAll(marks)) {
    const from = offset + match.index
    const to = from + match[0].length
    // Within a mark, or across one of its ends: the rule's name is no secret.
    if (from < end && to > start && (from < start || to > end || (from === start && to === end))) return false
  }
  return true
}

/** In order of the text, those that overlap made one. */
function merged(spans: Span[]): Span[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last === undefined || span.start >= last.end) result.push(span)
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end), rank: Math.min(last.rank, span.rank) }
  }
  return result
}

function replaced(text: string, spans: readonly Span[], rules: readonly Rule[]): string {
  let result = ''
  let at = 0
  for (const { start, end, rank } of spans) {
    result += text.slice(at, start) + mark(rules[rank]!.name)
    at = end
  }
  return result + text.slice(at)
}
