/** How the vectors of a space lie in the index: int8 rows where they fit a scan of all, sign bits for large spaces. */
import { bitBytes, int8Row, int8Stride, type ScanRows, signBits } from './rows.ts'
import { bitScan, int8Scan } from './scan.ts'

/** Larger spaces are indexed by their signs: they come from neural models, whose signs keep neighbours, and int8 rows would be slow to read. */
const MOST_INT8_DIMENSIONS = 512

export interface VectorRows {
  /** Whether the scan's cosines are rough estimates, so that the best have to be scored again by their own vectors. */
  readonly coarse: boolean
  /** Bytes of a row. */
  readonly stride: number
  encode(vector: Float32Array): Uint8Array
  /** A scan that gives every row its cosine to `query`, as near as the row keeps it. */
  scan(query: Float32Array): ScanRows
}

export function vectorRows(dimensions: number): VectorRows {
  return dimensions <= MOST_INT8_DIMENSIONS ? int8Rows(dimensions) : bitRows(dimensions)
}

function int8Rows(dimensions: number): VectorRows {
  return { coarse: false, stride: int8Stride(dimensions), encode: int8Row, scan: int8Scan }
}

function bitRows(dimensions: number): VectorRows {
  const stride = bitBytes(dimensions)
  const filling = stride * 8 - dimensions
  return {
    coarse: true,
    stride,
    encode: signBits,
    scan(query) {
      const rows = bitScan(stride, signBits(query))
      return (chunk, scores, start) => {
        rows(chunk, scores, start)
        // The share of signs that differ estimates the angle.
        const end = start + chunk.length / stride
        for (let row = start; row < end; row++) scores[row] = Math.cos(Math.PI * (1 - (scores[row]! - filling) / dimensions))
      }
    },
  }
}

/** A vector as it is stored: 32-bit floats, little-endian. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function vectorOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2)
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
