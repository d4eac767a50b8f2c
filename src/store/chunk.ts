/**
 * How the indexes are cut. Every segment has a *slot* in its corpus, counted in order of writing; the indexes hold slots in
 * chunks, one blob each, so that a query reads few large rows and a commit rewrites only the last ones.
 */

/** Slots in one blob of the slot table and of the vectors: 256 kB of int8 rows at 256 dimensions, cheap to rewrite. */
export const SLOT_CHUNK = 1024

/** Slots in one blob of a posting list: most terms fit in one row a chunk, and a common one stays at some kilobytes. */
export const POSTING_CHUNK = 8192

/** Primary keys of segments and owners are `corpus * 2^32 + number`: one integer, ordered by corpus, still exact in a double. */
const SPAN = 2 ** 32

export function keyOf(corpus: number, number: number): number {
  return corpus * SPAN + number
}

export function numberOf(key: number): number {
  return key % SPAN
}

export function corpusOf(key: number): number {
  return Math.floor(key / SPAN)
}

/**
 * One chunk of the slot table: what scoring needs of each segment, as three planes of u32 in one blob of fixed size, so that
 * reading is three copies. Owner 0 marks a slot that is empty or whose segment was removed; real owners count from 1.
 */
export interface SlotChunk {
  readonly bytes: Uint8Array
  readonly owner: Uint32Array
  readonly ordinal: Uint32Array
  /** How many index terms the text has, repeats counted. */
  readonly length: Uint32Array
}

/** The planes of a stored blob (which they may share), or of an empty chunk. */
export function slotChunk(stored: Uint8Array = new Uint8Array(SLOT_CHUNK * 12)): SlotChunk {
  // A database driver may hand out a view that does not start at a multiple of four.
  const bytes = stored.byteOffset % 4 === 0 ? stored : stored.slice()
  const plane = (index: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + index * SLOT_CHUNK * 4, SLOT_CHUNK)
  return { bytes, owner: plane(0), ordinal: plane(1), length: plane(2) }
}
