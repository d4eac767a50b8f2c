/** The terms of the text lane: what a store indexes and what a query asks for. */
import { scanWords } from './scan.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'

/** A prompt of ordinary length has fewer; a pasted log keeps its most telling ones. */
const MAX_QUERY_TERMS = 64

/**
 * The stems of a text for the inverted index, in order, repeats kept, stop words left out; at most 64 characters each.
 * Compounds (`ERR_X9Q_42`, `foo.bar.ts`, `camelCase`) count whole and in parts; Chinese, Japanese, Korean and Thai as pairs
 * of characters. Linear in the length of the text.
 */
export function indexTerms(text: string): string[] {
  const terms: string[] = []
  scanWords(text, (word) => {
    if (!isStopWord(word)) terms.push(stem(word))
  })
  return terms
}

/**
 * The unique terms of a query, the most telling first: those repeated in it, long ones, and identifiers. At most `max`.
 * Empty where the query holds only stop words or signs.
 */
export function queryTerms(text: string, max: number = MAX_QUERY_TERMS): string[] {
  const weights = new Map<string, number>()
  scanWords(text, (word, whole) => {
    if (isStopWord(word)) return
    const term = stem(word)
    weights.set(term, (weights.get(term) ?? 0) + tellingness(word, whole))
  })
  const byWeight = [...weights].sort((a, b) => b[1] - a[1])
  return byWeight.slice(0, max).map(([term]) => term)
}

/** A guess at how rare a word is, for when no index is at hand: longer words and identifiers are rarer. */
function tellingness(word: string, whole: boolean): number {
  return Math.min(word.length, 12) + (whole || /[a-z][0-9]|[0-9][a-z]/.test(word) ? 12 : 0)
}
