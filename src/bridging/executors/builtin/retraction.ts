/** "Scratch the tabs thing", "forget what I said about …": what the user takes back, and what is left of the sentence. */
import { contentWords } from './content-words.ts'

export interface Retraction {
  /** Stems of the words that say what is taken back; `last` is what was said just before. */
  readonly of: ReadonlySet<string> | 'last'
  /** What the sentence says besides: "scratch the tabs thing, *spaces everywhere*". */
  readonly rest: string
}

const LEAD = /^(?:(?:ok(?:ay)?|actually|no|hmm+|oh|wait|sorry|so|and|but|please|also|well|yeah)\b[,.!:]?\s+)*/i
const SAID = '(?:(?:i|we) (?:just )?(?:said|told you|wrote|asked(?: you)?(?: for)?|mentioned)(?: (?:before|earlier|yesterday|last time))?)'
const NOTE = '(?:notes?|rules?|requests?|messages?|comments?|instructions?|preferences?|wish(?:es)?|remarks?|statements?|decisions?)'
const THING = `(?:things?|rules?|ideas?|bits?|parts?|preferences?|requirements?|plans?|decisions?|conventions?|business)`
const TOPIC = "([\\w./+#'-]+(?: [\\w./+#'-]+){0,5}?)"
const END = '(?=\\s*(?:[,;.:!–—]|$))'
const TAKES_BACK = '(?:scratch|forget|ignore|disregard|never ?mind|take back)(?: about)?'
const FORMS: readonly RegExp[] = [
  new RegExp(`^${TAKES_BACK} (?:all |everything )?what ${SAID} (?:about|on|regarding|for) ${TOPIC}${END}`, 'i'),
  new RegExp(`^${TAKES_BACK} (?:my|the|our) (?:(?:earlier|previous|old|last) )?${NOTE} (?:about|on|regarding|for|to) ${TOPIC}${END}`, 'i'),
  new RegExp(`^${TAKES_BACK} (?:the|that|this|my) ${TOPIC} ${THING}${END}`, 'i'),
  new RegExp(`^(?:drop|lift|remove) (?:the|that|my) ${TOPIC} (?:rule|preference|requirement|convention)${END}`, 'i'),
  new RegExp(`^(?:scratch|never ?mind)(?: about)? (?:the |my )?${TOPIC}${END}`, 'i'),
]
const LAST =
  /^(?:scratch that|forget (?:what i just said|i said (?:that|anything))|ignore (?:my last (?:message|note)|what i just said)|i take that back)\s*(?:[,;.:!–—]+\s*|$)/i
/** What one takes back is not always something that one wanted: "scratch the last commit". */
const AT_HAND = /^(?:last|latest|previous|current|it|that|this|them|all|everything|me)\b/i

/** Undefined where the sentence takes nothing back. `sentence` is as typed. */
export function retractionIn(sentence: string): Retraction | undefined {
  const said = sentence.replace(/[’‘]/g, "'").trim()
  if (/[?？]$/.test(said)) return undefined
  const plain = said.replace(LEAD, '')
  const last = LAST.exec(plain)
  if (last !== null) return { of: 'last', rest: plain.slice(last[0].length) }
  for (const form of FORMS) {
    const match = form.exec(plain)
    if (match === null || AT_HAND.test(match[1]!)) continue
    const of = contentWords(match[1]!)
    if (of.size > 0) return { of, rest: plain.slice(match[0].length).replace(/^\s*[,;.:!–—]+\s*/, '') }
  }
  return undefined
}

/** Whether a line is about all that is taken back. */
export function isTakenBack(line: string, of: ReadonlySet<string>): boolean {
  const words = contentWords(line)
  return [...of].every((word) => words.has(word))
}
