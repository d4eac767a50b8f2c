/**
 * Vectors as the rows that are scanned on every query, back to back in chunks: int8 numbers with a scale for spaces of up to some
 * hundred dimensions, sign bits for larger ones.
 */

/** Scores the rows of one chunk into `scores` from index `start` on. */
export type ScanRows = (chunk: Uint8Array, scores: Float32Array, start: number) => void

/**
 * The int8 row of a vector: its numbers as multiples of its largest / 127, then that scale as a 32-bit float, little-endian. A scale of
 * its own for each row, because the largest numbers of unit vectors differ by a factor of five; cosines of the embedded model are off
 * by 0.0008 (standard deviation), with one scale for all by 0.0023.
 */
export function int8Row(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(int8Stride(vector.length))
  const row = new DataView(bytes.buffer)
  const scale = largest(vector) / 127
  if (scale === 0) return bytes
  for (let index = 0; index < vector.length; index++) row.setInt8(index, Math.round(vector[index]! / scale))
  row.setFloat32(vector.length, scale, true)
  return bytes
}

/** Bytes of an int8 row. */
export function int8Stride(dimensions: number): number {
  return dimensions + 4
}

/** Numbers of a query: few enough bits that no sum over 1,024 dimensions leaves 32. */
const QUERY_LEVELS = 8191

/** A query for int8 rows, and the factor that makes cosines of the products. */
export function int8Query(vector: Float32Array): { readonly query: Int16Array; readonly factor: number } {
  const factor = largest(vector) / QUERY_LEVELS
  return { query: Int16Array.from(vector, (value) => (factor === 0 ? 0 : Math.round(value / factor))), factor }
}

function largest(vector: Float32Array): number {
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  return most
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
