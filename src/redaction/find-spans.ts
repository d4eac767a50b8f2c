import { hintScan } from './hint-scan.ts'
import type { PatternRule, Rule } from './rule.ts'
import { isStandIn } from './strength.ts'

/** A stretch of text that holds a secret. */
export interface Span {
  readonly start: number
  readonly end: number
  /** The place of its rule in the table: where two find the same, the earlier names it. */
  readonly rank: number
}

/** How far a rule is with the text that it is tried on. */
interface Progress {
  /** Hints before this are behind it. */
  doneTo: number
  /** What was looked at last and is no secret ends here, and how often the rule has looked at some of it. */
  rejectedTo: number
  rejections: number
  /** How often it was tried and found nothing. */
  failures: number
}

/**
 * Within what is no secret a rule is tried this often again (`password=token=…`: a value may be a name whose own value follows), and then
 * behind it: text that is nothing but hints costs no more than that.
 */
const TRIES = 4
/**
 * A rule may fail this often in a text, and once more for every so many characters before, so that a long text made of nothing but hints
 * ends. Hints have three characters or more: 60,000 characters, more than a slice takes of a record, never hold as many side by side, so
 * that no secret there is passed over.
 */
const FAILURES = 20_000
const CHARACTERS_A_FAILURE = 64
/** Longer values than this are taken to their end, whatever the bound of the pattern was. Characters. */
const LONG = 250

/** Finds what the rules take for secrets: in order of the text, none overlapping. */
export function spanFinder(rules: readonly Rule[]): (text: string) => Span[] {
  /** Made when first tried: most rules never are. */
  const sticky: (RegExp | undefined)[] = new Array(rules.length)
  const ranksOf = new Map<string, Set<number>>()
  for (const [rank, rule] of rules.entries())
    for (const hint of rule.hints) {
      const ranks = ranksOf.get(hint.toLowerCase()) ?? new Set()
      ranksOf.set(hint.toLowerCase(), ranks.add(rank))
    }
  const scan = hintScan([...ranksOf.keys()])
  const byHint = Array.from(ranksOf.values(), (ranks) => [...ranks])

  return (text) => {
    const spans: Span[] = []
    /** By rule, of those whose hints stand in the text. */
    const progress = new Map<number, Progress>()
    scan(text, (hint, at) => {
      for (const rank of byHint[hint]!) {
        const rule = rules[rank]!
        const own = progress.get(rank) ?? { doneTo: 0, rejectedTo: 0, rejections: 0, failures: 0 }
        progress.set(rank, own)
        if (at < own.doneTo || (at < own.rejectedTo && own.rejections > TRIES)) continue
        if (own.failures > FAILURES + at / CHARACTERS_A_FAILURE) continue
        if ('find' in rule) {
          const block = rule.find(text, at)
          own.doneTo = block?.end ?? own.doneTo
          if (block === undefined || block.secrets.length === 0) own.failures++
          for (const [start, end] of block?.secrets ?? []) spans.push({ start, end, rank })
          continue
        }
        sticky[rank] ??= new RegExp(rule.pattern.source, `${rule.pattern.flags}y`)
        const span = tryRule(rule, sticky[rank], text, at, own)
        if (span === undefined) own.failures++
        else spans.push({ ...span, rank })
      }
    })
    return spans.length < 2 ? spans : merged(spans)
  }
}

function tryRule(rule: PatternRule, sticky: RegExp, text: string, at: number, progress: Progress): Omit<Span, 'rank'> | undefined {
  sticky.lastIndex = at
  const match = sticky.exec(text)
  if (match === null) return undefined
  const own = match.groups?.secret ?? match.groups?.bare ?? match[0]
  const head = match.groups?.head ?? ''
  const end = at + match[0].length
  const secret = head + own
  if (rule.check?.(secret, match) === false || (!rule.certain && isStandIn(secret))) {
    progress.rejections = at < progress.rejectedTo ? progress.rejections + 1 : 0
    // A token that is none has none within.
    if (own.length === match[0].length) progress.doneTo = end
    progress.rejectedTo = Math.max(progress.rejectedTo, end)
    return undefined
  }
  const start = head === '' ? end - own.length : at - head.length
  progress.doneTo = own.length < LONG ? end : endOfRun(text, end)
  return { start, end: progress.doneTo }
}

/** Patterns have bounds; a value that long may have met one, and goes on. */
function endOfRun(text: string, at: number): number {
  const run = /[A-Za-z0-9+/=_-]*/y
  run.lastIndex = at
  run.exec(text)
  return Math.max(run.lastIndex, at)
}

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
