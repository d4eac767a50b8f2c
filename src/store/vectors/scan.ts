/**
 * Vectors as the rows that are scanned on every query: int8 for spaces of up to 512 dimensions, sign bits above. Rows lie back to
 * back in chunks. A scan gives every row a number that orders as the cosine does, nearly; the best are rescored exactly afterwards.
 */
import { MemuError } from '../../util/errors.ts'
import { plainBitScan, plainInt8Scan } from './plain.ts'
import { simdScans } from './simd.ts'

/** Scores the rows of one chunk into `scores` from index `start` on. */
export type ScanRows = (chunk: Uint8Array, scores: Float32Array, start: number) => void

/** Above this the fastest kernel's query window would be too small, and the sums too large for an exact f32. */
const MOST_DIMENSIONS = 1024
const MOST_BIT_BYTES = 8 * 1024

/**
 * The int8 row of a unit vector, scaled by one constant of the space and cut at ±127. One scale for all rows of a space, so that
 * raw integer products compare; per-row scales would cost four bytes and a multiplication a row for no better pool.
 */
export function quantize(vector: Float32Array): Int8Array {
  const scale = int8Scale(vector.length)
  const row = new Int8Array(vector.length)
  for (let index = 0; index < row.length; index++) row[index] = Math.max(-127, Math.min(127, Math.round(vector[index]! * scale)))
  return row
}

/** The largest number that a row keeps is 8 standard deviations of the numbers of a random unit vector. */
export function int8Scale(dimensions: number): number {
  return 127 / Math.min(1, 8 / Math.sqrt(dimensions))
}

/** What makes a cosine of the raw product of two rows, for `int8Scan`. */
export function cosineFactor(dimensions: number): number {
  return 1 / int8Scale(dimensions) ** 2
}

/** The signs of a vector, one bit a dimension (1 for above 0), the lowest bit of a byte first, filled with 0 to `bitBytes` bytes. */
export function signBits(vector: Float32Array): Uint8Array {
  const bits = new Uint8Array(bitBytes(vector.length))
  for (let index = 0; index < vector.length; index++) if (vector[index]! > 0) bits[index >> 3]! |= 1 << (index & 7)
  return bits
}

/** Bytes of a row of sign bits: whole blocks of 16. */
export function bitBytes(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16
}

/**
 * A scan for chunks of `quantize`d rows, one at a time, as they are read. Each score is the integer product with `query` times
 * `factor`: 1 for raw products, `cosineFactor(dimensions)` for cosines.
 */
export function int8Scan(dimensions: number, query: Int8Array, factor = 1): ScanRows {
  if (query.length !== dimensions || dimensions < 1) throw new RangeError(`query of ${query.length} dimensions for rows of ${dimensions}`)
  const simd = dimensions <= MOST_DIMENSIONS ? simdScans() : null
  return checked(dimensions, simd === null ? plainInt8Scan(dimensions, query, factor) : simd.int8Scan(dimensions, query, factor))
}

/** A scan for chunks of `signBits` rows; each score is the number of bits that agree, those of the filling included. */
export function bitScan(bytesPerRow: number, query: Uint8Array): ScanRows {
  if (query.length !== bytesPerRow || bytesPerRow < 1) throw new RangeError(`query of ${query.length} bytes for rows of ${bytesPerRow}`)
  const simd = bytesPerRow % 16 === 0 && bytesPerRow <= MOST_BIT_BYTES ? simdScans() : null
  return checked(bytesPerRow, simd === null ? plainBitScan(bytesPerRow, query) : simd.bitScan(bytesPerRow, query))
}

/** Every row of all chunks, in order. */
export function scanInt8(chunks: readonly Uint8Array[], dimensions: number, query: Int8Array, factor = 1): Float32Array {
  return scanAll(chunks, dimensions, int8Scan(dimensions, query, factor))
}

/** Every row of all chunks, in order. */
export function scanBits(chunks: readonly Uint8Array[], bytesPerRow: number, query: Uint8Array): Float32Array {
  return scanAll(chunks, bytesPerRow, bitScan(bytesPerRow, query))
}

function scanAll(chunks: readonly Uint8Array[], stride: number, scan: ScanRows): Float32Array {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const scores = new Float32Array(Math.ceil(bytes / stride))
  let start = 0
  for (const chunk of chunks) {
    scan(chunk, scores, start)
    start += chunk.length / stride
  }
  return scores
}

function checked(stride: number, scan: ScanRows): ScanRows {
  return (chunk, scores, start) => {
    if (chunk.length % stride !== 0) {
      throw new MemuError(
        'store_corrupt',
        `A chunk of the vector index holds ${chunk.length} bytes, which are no whole rows of ${stride}.`,
        {
          hint: 'Run `memu reindex`: it rebuilds the index from the stored vectors.',
        },
      )
    }
    scan(chunk, scores, start)
  }
}
