/**
 * The scans as a WebAssembly SIMD module (scan.wat). Rows are copied through one small window of its memory, which stays in the
 * processor's cache: the module's memory never grows with the store, and a copy costs less than the first touch of fresh pages would.
 */

import { type KernelMemory, kernels } from '../kernels.ts'
import { int8Stride, type ScanRows } from './rows.ts'

interface Exports {
  readonly memory: KernelMemory
  dots(rows: number, count: number, stride: number, query: number, queryEnd: number, out: number, scaleAt: number, factor: number): void
  bits(rows: number, count: number, stride: number, query: number, queryEnd: number, out: number): void
  above(scores: number, owners: number, count: number, floor: number, index: number, out: number): number
  members(owners: number, count: number, wanted: number, index: number, out: number): number
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
/** So much behind the window may be read: three rows that are not there, and a block. */
const SLACK = 32 * 1024

export interface SimdScans {
  /** Room for rows inside the module's memory: rows that are read into it are scanned where they lie. Valid until anything else runs. */
  readonly window: Uint8Array
  /** Rows of int8 and their scale; the products with `query` times `factor`. */
  int8Scan(query: Int16Array, factor: number): ScanRows
  bitScan(bytesPerRow: number, query: Uint8Array): ScanRows
  /**
   * The indexes from `start` to `end` (at most 4096 of them) whose score is above `floor`, ascending; where there are owners, only
   * those whose owner is not 0. Valid until the next call.
   */
  above(scores: Float32Array, owners: Uint32Array | undefined, start: number, end: number, floor: number): Uint32Array
  /** The indexes whose owner has a byte other than 0 in `wanted`, ascending; null where there are too many owners for the module's memory. */
  members(owners: Uint32Array, wanted: Uint8Array): number[] | null
}

let loaded: SimdScans | null | undefined

/** The scans, or null where the runtime cannot run them: the fallback is the plain scan (plain.ts), which gives the same numbers. */
export function simdScans(): SimdScans | null {
  if (loaded === undefined) {
    const exports = kernels<Exports>()
    loaded = exports === null ? null : simdScansOf(exports)
  }
  return loaded
}

interface Views {
  readonly bytes: Uint8Array
  readonly results: Float32Array
}

function viewsOf(buffer: ArrayBuffer): Views {
  return { bytes: new Uint8Array(buffer), results: new Float32Array(buffer, RESULTS, MOST_ROWS) }
}

function simdScansOf({ memory, dots, bits, above, members }: Exports): SimdScans {
  let views = viewsOf(memory.buffer)
  /** Views of the memory as it is: another user of it may have made it grow. */
  const current = (): Views => {
    if (views.bytes.buffer !== memory.buffer) views = viewsOf(memory.buffer)
    return views
  }

  /** Copies a chunk through the window, rows of `stride` bytes, unless it was read into it, and lets `run` score what is there. */
  function scanOf(stride: number, run: (rows: number, count: number) => void): ScanRows {
    // Whole groups of four rows, and room to read behind the last.
    const most = Math.min(MOST_ROWS, Math.floor((END - ROWS - BLOCK) / stride) & ~3)
    return (chunk, scores, start) => {
      const rows = chunk.length / stride
      const inPlace = chunk.buffer === memory.buffer
      const { bytes, results } = current()
      for (let row = 0; row < rows; row += most) {
        const count = Math.min(most, rows - row)
        if (!inPlace) bytes.set(chunk.subarray(row * stride, (row + count) * stride), ROWS)
        run(inPlace ? chunk.byteOffset + row * stride : ROWS, count)
        scores.set(count === MOST_ROWS ? results : results.subarray(0, count), start + row)
      }
    }
  }

  // The queries are placed anew for each window: another scan may have run in between, for it is one memory for all.
  return {
    get window() {
      return current().bytes.subarray(ROWS, END - SLACK)
    },
    int8Scan(query, factor) {
      const padded = Math.ceil(query.length / 16) * 16
      const stride = int8Stride(query.length)
      return scanOf(stride, (rows, count) => {
        const numbers = new Int16Array(memory.buffer, QUERY, padded)
        numbers.fill(0, query.length)
        numbers.set(query)
        dots(rows, count, stride, QUERY, QUERY + padded * 2, RESULTS, query.length - padded, factor)
      })
    },
    bitScan(bytesPerRow, query) {
      return scanOf(bytesPerRow, (rows, count) => {
        current().bytes.set(query, QUERY)
        bits(rows, count, bytesPerRow, QUERY, QUERY + bytesPerRow, RESULTS)
      })
    },
    members(owners, wanted) {
      // Owners of a window go where a window of rows does, the bytes of all owners behind them.
      const wantedAt = ROWS + MOST_ROWS * 4
      if (wantedAt + wanted.length > END) return null
      current().bytes.set(wanted, wantedAt)
      const found: number[] = []
      for (let start = 0; start < owners.length; start += MOST_ROWS) {
        const window = owners.subarray(start, start + MOST_ROWS)
        new Uint32Array(memory.buffer, ROWS, window.length).set(window)
        const to = members(ROWS, window.length, wantedAt, start, RESULTS)
        for (const index of new Uint32Array(memory.buffer, RESULTS, (to - RESULTS) / 4)) found.push(index)
      }
      return found
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
