/**
 * The codec of posting lists, the blobs of the inverted index: which slots hold a term, and how often.
 *
 * Layout: `count` and `last slot` as two little-endian u32, then one entry a posting: varint `(gap - 1) * 2 + more`, and where
 * `more` is 1 a varint `tf - 2`. The gap runs from the previous slot, -1 before the first. Most postings take one or two bytes.
 * The header gives the document frequency without decoding, and lets an append copy the body instead of reading it.
 */
import { MemuError } from '../../util/errors.ts'

/** One segment that holds the term: its slot (0 … 2^30 - 1) and how often it occurs there (1 … 2^30 - 1). */
export interface Posting {
  readonly slot: number
  readonly tf: number
}

/** Bytes before the first entry. */
export const POSTINGS_HEADER = 8
/** So that a gap with its flag stays a positive 32-bit integer, which engines add and shift fastest. */
const LIMIT = 2 ** 30 - 1
/** The most bytes of one posting: two varints of at most 31 bits. */
const ENTRY_MAX = 10

/** A blob of these postings. Slots strictly ascend; anything else is a mistake of the caller (RangeError). */
export function encodePostings(entries: Iterable<Posting>): Uint8Array {
  return write(new Uint8Array(POSTINGS_HEADER), 0, -1, entries)
}

/** The blob with more postings behind it; their slots ascend and are larger than those inside. The old entries are copied, not decoded. */
export function appendPostings(blob: Uint8Array, entries: Iterable<Posting>): Uint8Array {
  const count = postingCount(blob)
  return write(blob, count, count === 0 ? -1 : lastSlot(blob), entries)
}

/** How many postings the blob holds: the term's document frequency within its chunk. */
export function postingCount(blob: Uint8Array): number {
  if (blob.length < POSTINGS_HEADER) throw damagedPostings('it is shorter than its header')
  const count = u32(blob, 0)
  if (count > blob.length - POSTINGS_HEADER) throw damagedPostings('it counts more entries than it has bytes')
  return count
}

/** The last slot, as the header of a list that is not empty states it. */
export function lastSlot(blob: Uint8Array): number {
  return u32(blob, 4)
}

/**
 * Reads the postings into `slots` and `tfs` from index `start` on, and returns how many there were: the fastest form for scoring.
 * Room for `postingCount(blob)` more is the caller's part. Errors: `store_corrupt`.
 */
export function decodePostings(blob: Uint8Array, slots: Uint32Array, tfs: Uint32Array, start = 0): number {
  const count = postingCount(blob)
  if (start + count > slots.length || start + count > tfs.length) throw new RangeError('no room for the postings')
  const end = start + count
  let at = POSTINGS_HEADER
  let slot = -1
  for (let index = start; index < end; index++) {
    // Past the end a byte reads as undefined, which counts as 0 below; `at` has then passed the length, which is checked once at the end.
    let value = blob[at++]!
    if (value >= 0x80) {
      value &= 0x7f
      for (let shift = 7, byte = 0x80; byte >= 0x80 && shift < 32; shift += 7) {
        byte = blob[at++]!
        value |= (byte & 0x7f) << shift
      }
    }
    slot += (value >> 1) + 1
    slots[index] = slot
    if ((value & 1) === 0) {
      tfs[index] = 1
      continue
    }
    let tf = blob[at++]!
    if (tf >= 0x80) {
      tf &= 0x7f
      for (let shift = 7, byte = 0x80; byte >= 0x80 && shift < 32; shift += 7) {
        byte = blob[at++]!
        tf |= (byte & 0x7f) << shift
      }
    }
    tfs[index] = tf + 2
  }
  if (at !== blob.length) throw damagedPostings(at > blob.length ? 'it ends inside an entry' : 'bytes follow its last entry')
  if (count > 0 && slot !== lastSlot(blob)) throw damagedPostings('its last slot is not the one in its header')
  return count
}

/** The postings as objects, for checks and rewrites that are not on the hot path. */
export function listPostings(blob: Uint8Array): Posting[] {
  const count = postingCount(blob)
  const slots = new Uint32Array(count)
  const tfs = new Uint32Array(count)
  decodePostings(blob, slots, tfs)
  return Array.from(slots, (slot, index) => ({ slot, tf: tfs[index]! }))
}

function write(blob: Uint8Array, oldCount: number, oldLast: number, entries: Iterable<Posting>): Uint8Array {
  let out = new Uint8Array(blob.length + 64)
  out.set(blob)
  let at = blob.length
  let count = oldCount
  let last = oldLast
  for (const { slot, tf } of entries) {
    if (!(slot > last && slot <= LIMIT && Number.isInteger(slot))) throw new RangeError(`posting slot ${slot} after ${last}`)
    if (!(tf >= 1 && tf <= LIMIT && Number.isInteger(tf))) throw new RangeError(`posting frequency ${tf}`)
    if (at + ENTRY_MAX > out.length) {
      const larger = new Uint8Array(out.length * 2)
      larger.set(out)
      out = larger
    }
    at = writeVarint(out, at, (slot - last - 1) * 2 + (tf > 1 ? 1 : 0))
    if (tf > 1) at = writeVarint(out, at, tf - 2)
    last = slot
    count++
  }
  setU32(out, 0, count)
  setU32(out, 4, count === 0 ? 0 : last)
  return out.slice(0, at)
}

function writeVarint(out: Uint8Array, start: number, number: number): number {
  let at = start
  let value = number
  while (value >= 0x80) {
    out[at++] = (value & 0x7f) | 0x80
    value >>>= 7
  }
  out[at++] = value
  return at
}

function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
}

function setU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value
  bytes[at + 1] = value >>> 8
  bytes[at + 2] = value >>> 16
  bytes[at + 3] = value >>> 24
}

/** For whoever finds that a list is not what this file writes. */
export function damagedPostings(why: string): MemuError {
  return new MemuError('store_corrupt', `A posting list of the text index is damaged: ${why}.`, {
    hint: 'Run `memu reindex`: it rebuilds the index from the stored text.',
  })
}
