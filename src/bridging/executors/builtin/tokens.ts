import { stem } from '../../../text/stem.ts'
import { isStopWord } from '../../../text/stop-words.ts'

export interface Token {
  readonly word: string
  /** A number, a name, a path: what may change while the rest stays. */
  readonly isValue: boolean
}

/** The stems of the words that mean something, in order. A capital away from the start makes a name, and so a value. */
export function tokens(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}._/@:+#'-]*/gu)].flatMap((match) => {
    const raw = match[0].replace(/[.:'/-]+$/, '')
    const lower = raw.toLowerCase()
    if (isStopWord(lower)) return []
    const isValue =
      /[\d/@_]|\.\w|^(?:two|three|four|five|six|eight|ten|twelve)$/.test(raw) ||
      (/\p{Lu}/u.test(raw) && (match.index > 0 || /\p{Lu}.*\p{Lu}/u.test(raw)))
    return [{ word: stem(lower), isValue }]
  })
}

export function wordSet(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.map(({ word }) => word))
}
