/** The scans in plain JavaScript: what a runtime without WebAssembly SIMD runs, and what the SIMD module is tested against. */
import type { ScanRows } from './scan.ts'

export function plainInt8Scan(dimensions: number, query: Int8Array, factor: number): ScanRows {
  return (chunk, scores, start) => {
    const rows = new Int8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    const single = Math.fround(factor)
    let row = start
    for (let at = 0; at < rows.length; row++) {
      let sum = 0
      for (let index = 0; index < dimensions; index++) sum += rows[at++]! * query[index]!
      scores[row] = sum * single
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

/** The number of set bits of a byte, summed pairwise. */
function onesOf(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55)
  const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33)
  return (nibbles + (nibbles >> 4)) & 0x0f
}
