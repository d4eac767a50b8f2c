import { porter } from './porter.ts'

/** Longer words are identifiers or blobs; the stemmer's rules mean nothing there. */
const LONGEST_WORD = 32
/** Stems are asked for again and again while a commit runs; the cache starts over when it is full. */
const CACHE_SIZE = 20_000
const cache = new Map<string, string>()

/** The Porter stem of an English lower-case word; everything else is its own stem. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD) return word
  const known = cache.get(word)
  if (known !== undefined) return known
  const result = /^[a-z]+$/.test(word) ? porter(word) : word
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(word, result)
  return result
}
