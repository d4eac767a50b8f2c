/** Which words get a vector, what the teacher reads for each, and how much each counts. */
import { readFileSync } from 'node:fs'

/** Frequent English words beside the teacher's own; rarer ones add size and hardly a hit. */
const FREQUENT_WORDS = 40_000
/** What a word counts that the list does not know: names and technical words, about as rare as the list's 35,000th. */
const UNKNOWN_SHARE = 1e-6
/** Words more frequent than this share of all text count less, with the square root (Arora et al. 2017 use 1e-3 to 1e-4). */
const COMMON_SHARE = 1e-4

/**
 * @typedef {object} Entry
 * @property {string} word as the program's word scanner gives it: lower case
 * @property {readonly string[]} texts what the teacher reads; the vector is their mean
 * @property {number} weight the length of the word's vector, 0 to 1
 */

/**
 * @param {readonly string[]} pieces the teacher's vocabulary
 * @param {readonly (readonly [string, number])[]} frequent words and counts, the most frequent first
 * @returns {Entry[]} each word once
 */
export function vocabulary(pieces, frequent) {
  const total = frequent.reduce((sum, [, count]) => sum + count, 0)
  const shares = new Map(frequent.map(([word, count]) => [word, count / total]))
  const glosses = developerWords()
  const own = pieces.filter((piece) => /^[a-z0-9]{2,}$/.test(piece))
  const listed = frequent.slice(0, FREQUENT_WORDS).map(([word]) => word)
  const words = new Set([...own, ...listed.filter((word) => /^[a-z0-9]+$/.test(word)), ...glosses.keys()])
  return [...words].map((word) => {
    const gloss = glosses.get(word)
    const share = shares.get(word) ?? UNKNOWN_SHARE
    return { word, texts: gloss ? [word, `${word} ${gloss}`] : [word], weight: Math.sqrt(COMMON_SHARE / (COMMON_SHARE + share)) }
  })
}

/** @returns {Map<string, string>} word to gloss, or to '' */
function developerWords() {
  const lines = readFileSync(new URL('developer-words.txt', import.meta.url), 'utf8').split(/\r?\n/)
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    entries.map((line) => /** @type {[string, string]} */ ([line.split(':')[0].trim(), line.split(':').slice(1).join(':').trim()])),
  )
}
