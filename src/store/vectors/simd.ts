/**
 * The scans as a WebAssembly SIMD module (scan.wat). Rows are copied through one small window of its memory, which stays in the
 * processor's cache: the module's memory never grows with the store, and a copy costs less than the first touch of fresh pages would.
 */

import type { ScanRows } from './scan.ts'
import { SCAN_WASM } from './scan.wasm.ts'

/** What of the runtime's global is used here; the types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  dots(rows: number, count: number, stride: number, query: number, queryEnd: number, out: number, factor: number): void
  bits(rows: number, count: number, stride: number, query: number, queryEnd: number, out: number): void
  above(scores: number, owners: number, count: number, floor: number, index: number, out: number): number
}

/** Where things lie in the module's memory of eight 64 KB pages: the query, the results of a window, its rows. */
const QUERY = 0
const RESULTS = 16 * 1024
const ROWS = 32 * 1024
const END = 512 * 1024
/** The results of a window are f32. */
const MOST_ROWS = (ROWS - RESULTS) / 4
/** The module reads up to 15 bytes behind a row. */
const BLOCK = 16

export interface SimdScans {
  int8Scan(dimensions: number, query: Int8Array, factor: number): ScanRows
  bitScan(bytesPerRow: number, query: Uint8Array): ScanRows
  /**
   * The indexes from `start` to `end` (at most 4096 of them) whose score is above `floor`, ascending; where there are owners, only
   * those whose owner is not 0. Valid until the next call.
   */
  above(scores: Float32Array, owners: Uint32Array | undefined, start: number, end: number, floor: number): Uint32Array
}

let loaded: SimdScans | null | undefined

/** The scans, or null where the runtime has no WebAssembly, no SIMD or no address space for it. Compiled once, in well under 1 ms. */
export function simdScans(): SimdScans | null {
  if (loaded === undefined) {
    try {
      loaded = simdScansOf(new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SCAN_WASM, 'base64'))).exports as Exports)
    } catch {
      // The fallback is the plain scan (plain.ts), which gives the same numbers.
      loaded = null
    }
  }
  return loaded
}

function simdScansOf({ memory, dots, bits, above }: Exports): SimdScans {
  const bytes = new Uint8Array(memory.buffer)
  const results = new Float32Array(memory.buffer, RESULTS, MOST_ROWS)

  function scanOf(run: Exports['dots'], stride: number, factor: number, placeQuery: () => number): ScanRows {
    // Whole groups of four rows, and room to read behind the last.
    const most = Math.min(MOST_ROWS, Math.floor((END - ROWS - BLOCK) / stride) & ~3)
    return (chunk, scores, start) => {
      // Placed anew for each chunk: another scan may have run in between, for it is one memory for all.
      const queryEnd = placeQuery()
      const rows = chunk.length / stride
      for (let row = 0; row < rows; row += most) {
        const count = Math.min(most, rows - row)
        bytes.set(chunk.subarray(row * stride, (row + count) * stride), ROWS)
        run(ROWS, count, stride, QUERY, queryEnd, RESULTS, factor)
        scores.set(count === MOST_ROWS ? results : results.subarray(0, count), start + row)
      }
    }
  }

  return {
    int8Scan(dimensions, query, factor) {
      const padded = Math.ceil(dimensions / 16) * 16
      return scanOf(dots, dimensions, factor, () => {
        const numbers = new Int16Array(memory.buffer, QUERY, padded)
        numbers.fill(0)
        numbers.set(query)
        return QUERY + padded * 2
      })
    },
    bitScan(bytesPerRow, query) {
      return scanOf(bits, bytesPerRow, 1, () => {
        bytes.set(query, QUERY)
        return QUERY + bytesPerRow
      })
    },
    above(scores, owners, start, end, floor) {
      const count = end - start
      const window = new Float32Array(memory.buffer, ROWS, count + 4)
      window.set(scores.subarray(start, end))
      // The module looks at whole groups of four: nothing behind the last score may be above the floor.
      window.fill(Number.NaN, count)
      const ownersAt = ROWS + 4 * count + 16
      const ownersWindow = new Uint32Array(memory.buffer, ownersAt, count + 4)
      if (owners === undefined) ownersWindow.fill(1)
      else ownersWindow.set(owners.subarray(start, end))
      const to = above(ROWS, ownersAt, count, floor, start, RESULTS)
      return new Uint32Array(memory.buffer, RESULTS, (to - RESULTS) / 4)
    },
  }
}
