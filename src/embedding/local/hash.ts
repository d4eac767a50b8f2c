/** Hashes of words: they address the table's rows and stand in for words that it does not hold. */

/** A well mixed 32-bit hash. Part of the table's format: changing it means building the table anew. */
export function hashWord(word: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/** A row of ±1 drawn from the word's hash: equal words meet, different ones are nearly orthogonal. */
export function hashRow(word: string, dimensions: number): Int8Array {
  const row = new Int8Array(dimensions)
  let state = hashWord(word, dimensions)
  for (let i = 0; i < dimensions; i++) {
    if (i % 32 === 0) state = mix((state + 0x9e3779b9) >>> 0)
    row[i] = (state >>> (i % 32)) & 1 ? 1 : -1
  }
  return row
}

/** The finalizer of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
