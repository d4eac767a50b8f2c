/** The scans in plain JavaScript: what a runtime without WebAssembly SIMD runs, and what the SIMD module is tested against. */
import { int8Stride, type ScanRows } from './rows.ts'

export function plainInt8Scan(query: Int16Array, factor: number): ScanRows {
  const stride = int8Stride(query.length)
  return (chunk, scores, start) => {
    const rows = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
    let row = start
    for (let at = 0; at < rows.byteLength; at += stride) {
      let sum = 0
      for (let index = 0; index < query.length; index++) sum += rows.getInt8(at + index) * query[index]!
      // Each step in 32-bit floats, as the SIMD module computes.
      scores[row++] = Math.fround(Math.fround(sum) * rows.getFloat32(at + query.length, true)) * Math.fround(factor)
    }
  }
}

export function plainBitScan(bytesPerRow: number, query: Uint8Array): ScanRows {
  return (chunk, scores, start) => {
    let row = start
    for (let at = 0; at < chunk.length; row++) {
      let different = 0
      for (let index = 0; index < bytesPerRow; index++) different += onesOf(chunk[at++]! ^ query[index]!)
      scores[row] = bytesPerRow * 8 - different
    }
  }
}

export function plainAbove(scores: Float32Array, owners: Uint32Array | undefined, start: number, end: number, floor: number): number[] {
  const found: number[] = []
  for (let index = start; index < end; index++) if (scores[index]! > floor && owners?.[index] !== 0) found.push(index)
  return found
}

export function plainMembers(owners: Uint32Array, wanted: Uint8Array): number[] {
  const found: number[] = []
  for (let index = 0; index < owners.length; index++) if (wanted[owners[index]!] !== 0) found.push(index)
  return found
}

/** The number of set bits of a byte, summed pairwise. */
function onesOf(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55)
  const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33)
  return (nibbles + (nibbles >> 4)) & 0x0f
}
