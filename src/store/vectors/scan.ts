/** The scan of vector rows: a score for every row of a chunk, by SIMD where the runtime has it. */
import { MemuError } from '../../util/errors.ts'
import { plainBitScan, plainInt8Scan } from './plain.ts'
import { int8Query, int8Stride, type ScanRows } from './rows.ts'
import { simdScans } from './simd.ts'

/** Above these the module's room for a query is too small, or a sum may leave 32 bits. */
const MOST_DIMENSIONS = 1024
const MOST_BIT_BYTES = 8 * 1024

/** A scan for chunks of `int8Row`s, one at a time, as they are read. Each score is the row's cosine to the query, as near as the row keeps it. */
export function int8Scan(vector: Float32Array): ScanRows {
  if (vector.length === 0) throw new RangeError('a query without dimensions')
  const { query, factor } = int8Query(vector)
  const simd = query.length <= MOST_DIMENSIONS ? simdScans() : null
  return checked(int8Stride(query.length), simd === null ? plainInt8Scan(query, factor) : simd.int8Scan(query, factor))
}

/** Where rows are best read into before a scan: a buffer of whole rows of `stride` bytes. What is in it is valid until the next scan. */
export function scanBuffer(stride: number): Uint8Array {
  const room = simdScans()?.window ?? new Uint8Array(256 * 1024)
  return room.length < stride ? new Uint8Array(stride) : room.subarray(0, Math.floor(room.length / stride) * stride)
}

/** A scan for chunks of `signBits` rows; each score is the number of bits that agree, those of the filling included. */
export function bitScan(bytesPerRow: number, query: Uint8Array): ScanRows {
  if (query.length !== bytesPerRow || bytesPerRow < 1) throw new RangeError(`query of ${query.length} bytes for rows of ${bytesPerRow}`)
  const simd = bytesPerRow % 16 === 0 && bytesPerRow <= MOST_BIT_BYTES ? simdScans() : null
  return checked(bytesPerRow, simd === null ? plainBitScan(bytesPerRow, query) : simd.bitScan(bytesPerRow, query))
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
