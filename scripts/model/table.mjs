/** Writes the word table; `src/embedding/local/table.ts` describes and reads it. */
import { createHash } from 'node:crypto'

const HEADER_BYTES = 64
const SHA_OFFSET = 24

/**
 * @param {readonly { word: string, vector: Float64Array }[]} entries
 * @returns {Buffer}
 */
export function encodeTable(entries) {
  const dimensions = entries[0].vector.length
  const seed = seedWithoutCollision(entries.map(({ word }) => word))
  const sorted = entries.map((entry) => ({ ...entry, hash: hashWord(entry.word, seed) })).sort((a, b) => a.hash - b.hash)
  const file = Buffer.alloc(HEADER_BYTES + sorted.length * (8 + dimensions))
  file.write('MEMUWRDS', 'latin1')
  for (const [i, value] of [1, dimensions, sorted.length, seed].entries()) file.writeUInt32LE(value, 8 + 4 * i)
  let at = HEADER_BYTES
  for (const { hash } of sorted) at = file.writeUInt32LE(hash, at)
  for (const { vector } of sorted) {
    // The scale is rounded to what the file holds before it divides, so that reading gives back what was meant.
    const scale = Math.fround(vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127) || 1
    at = file.writeFloatLE(scale, at)
    for (const value of vector) at = file.writeInt8(Math.max(-127, Math.min(127, Math.round(value / scale))), at)
  }
  createHash('sha256').update(file).digest().copy(file, SHA_OFFSET)
  return file
}

/** @param {readonly string[]} words */
function seedWithoutCollision(words) {
  for (let seed = 0; ; seed++) if (new Set(words.map((word) => hashWord(word, seed))).size === words.length) return seed
}

/** The same function as in `src/embedding/local/hash.ts`; a test compares them. @param {string} word @param {number} seed */
export function hashWord(word, seed) {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
