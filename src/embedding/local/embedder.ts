/**
 * The embedded model: a text's vector is the sum of its words' vectors. Needs no network, no key and no native code, and is
 * the same on every machine.
 */
import { isPair, scanWords } from '../../text/scan.ts'
import { stem } from '../../text/stem.ts'
import { isStopWord } from '../../text/stop-words.ts'
import { packageFile } from '../../util/package-root.ts'
import type { Embedder } from '../embedder.ts'
import { hashRow } from './hash.ts'
import { type Row, type WordTable, wordTable } from './table.ts'

/** A sum over more words than such a text holds means little; the engine splits longer ones. */
const MAX_CHARACTERS = 2_000
/** Rows kept in memory, about 5 MB; the cache starts over when it is full. */
const CACHED_ROWS = 16_384

type Weight = (stem: string) => number

/** `path` names another table than the shipped one. Errors: `model_unusable`. */
export function localEmbedder(options: { readonly path?: string } = {}): Embedder {
  const table = wordTable(options.path ?? packageFile('model', 'words.bin'))
  const rowsOf = rowCache(table)
  const embedAll = (texts: readonly string[], weight?: Weight) =>
    table.read((find) => texts.map((text) => sumOfWords(text, table.dimensions, weight, rowsOf(find))))
  return {
    space: { provider: 'local', model: `memu-words-${table.sha256.slice(0, 12)}`, dimensions: table.dimensions },
    maxCharacters: MAX_CHARACTERS,
    embed: async (texts) => embedAll(texts),
    embedQuery: async (text, weight) => embedAll([text], weight)[0]!,
  }
}

/** A word's row, else its stem's, else one drawn from its hash. */
function rowCache(table: WordTable): (find: (word: string) => Row | undefined) => (word: string) => Row {
  const cache = new Map<string, Row>()
  return (find) => (word) => {
    const known = cache.get(word)
    if (known !== undefined) return known
    const row = find(word) ?? find(stem(word)) ?? { scale: 1 / Math.sqrt(table.dimensions), values: hashRow(stem(word), table.dimensions) }
    if (cache.size >= CACHED_ROWS) cache.clear()
    cache.set(word, row)
    return row
  }
}

function sumOfWords(text: string, dimensions: number, weight: Weight | undefined, rowOf: (word: string) => Row): Float32Array {
  const sum = new Float64Array(dimensions)
  const words = wordsOf(text)
  const rows = words.map(rowOf)
  const shares = rows.map(({ scale }, index) => (weight === undefined ? scale : scale * weight(stem(words[index]!))))
  let at = 0
  for (; at + 4 <= rows.length; at += 4) addFour(sum, rows, shares, at)
  for (; at < rows.length; at++) addRow(sum, rows[at]!.values, shares[at]!)
  return normalize(sum)
}

/** Four words in one pass: half the time of four, and the same additions in the same order, so that every bit of the sum is the same. */
function addFour(sum: Float64Array, rows: readonly Row[], shares: readonly number[], at: number): void {
  const a = rows[at]!.values
  const b = rows[at + 1]!.values
  const c = rows[at + 2]!.values
  const d = rows[at + 3]!.values
  const s = shares[at]!
  const t = shares[at + 1]!
  const u = shares[at + 2]!
  const v = shares[at + 3]!
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + s * a[i]! + t * b[i]! + u * c[i]! + v * d[i]!
}

function addRow(sum: Float64Array, row: Int8Array, share: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += share * row[i]!
}

/** Stop words count only in a text that has no other. The characters of a pair count too, so that one alone finds its words. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  const stopWords: string[] = []
  scanWords(text, (word) => {
    if (isPair(word)) words.push(word, ...word)
    else (isStopWord(word) ? stopWords : words).push(word)
  })
  return words.length > 0 ? words : stopWords
}

function normalize(sum: Float64Array): Float32Array {
  let squares = 0
  for (const value of sum) squares += value * value
  const norm = Math.sqrt(squares)
  const vector = new Float32Array(sum.length)
  // A plain loop: `Float32Array.from` with a function takes longer than all the rest of embedding a line.
  if (norm > 0) for (let index = 0; index < vector.length; index++) vector[index] = sum[index]! / norm
  return vector
}
