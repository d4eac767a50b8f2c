import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainAbove, plainBitScan, plainInt8Scan } from '../../src/store/vectors/plain.ts'
import {
  bitBytes,
  bitScan,
  cosineFactor,
  int8Scan,
  quantize,
  type ScanRows,
  scanBits,
  scanInt8,
  signBits,
} from '../../src/store/vectors/scan.ts'
import { simdScans } from '../../src/store/vectors/simd.ts'

/** A reproducible sequence of numbers in [0, 1). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function unitVector(dimensions: number, next: () => number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5)
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}

function scores(scan: ScanRows, chunk: Uint8Array, rows: number): number[] {
  const out = new Float32Array(rows)
  scan(chunk, out, 0)
  return [...out]
}

describe('the compiled module', () => {
  it('runs in this runtime', () => {
    expect(simdScans()).not.toBeNull()
  })

  it('is what its source compiles to', () => {
    const check = spawnSync(process.execPath, ['scripts/wasm/build.mjs', '--check'], { encoding: 'utf8' })
    expect(check.stderr).toBe('')
    expect(check.status).toBe(0)
  })
})

describe('the int8 scan', () => {
  it('gives the same products with SIMD as in plain JavaScript, for any number of rows and dimensions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1024 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer(),
        fc.constantFrom(1, 0.1),
        (dimensions, rows, seed, factor) => {
          const next = random(seed)
          const byte = () => Math.floor(next() * 255) - 127
          const query = Int8Array.from({ length: dimensions }, byte)
          const chunk = Uint8Array.from({ length: rows * dimensions }, byte)
          expect(scores(simdScans()!.int8Scan(dimensions, query, factor), chunk, rows)).toEqual(
            scores(plainInt8Scan(dimensions, query, factor), chunk, rows),
          )
        },
      ),
    )
  })

  it('is exact at the largest products', () => {
    const query = new Int8Array(1024).fill(-127)
    expect([...scanInt8([new Uint8Array(2048).fill(127), new Uint8Array(1024).fill(-127)], 1024, query)]).toEqual([
      -127 * 127 * 1024,
      -127 * 127 * 1024,
      127 * 127 * 1024,
    ])
  })

  it('goes through chunks larger than its window, and chunks that start anywhere in a buffer', () => {
    const next = random(1)
    const dimensions = 100
    const query = Int8Array.from({ length: dimensions }, () => Math.floor(next() * 255) - 127)
    const bytes = Uint8Array.from({ length: 3 + dimensions * 9001 }, () => Math.floor(next() * 256))
    const chunks = [bytes.subarray(3, 3 + dimensions * 9000), new Uint8Array(0), bytes.subarray(3 + dimensions * 9000)]
    expect(scanInt8(chunks, dimensions, query)).toEqual(
      Float32Array.from(scores(plainInt8Scan(dimensions, query, 1), bytes.subarray(3), 9001)),
    )
  })

  it('keeps two scans apart that take turns', () => {
    const one = int8Scan(2, Int8Array.of(1, 0))
    const other = int8Scan(2, Int8Array.of(0, 1))
    const chunk = Uint8Array.of(5, 7)
    expect([scores(one, chunk, 1), scores(other, chunk, 1), scores(one, chunk, 1)]).toEqual([[5], [7], [5]])
  })

  it('orders quantised unit vectors as their cosines, to within a hundredth', () => {
    for (const dimensions of [64, 256, 300, 512]) {
      const next = random(dimensions)
      const query = unitVector(dimensions, next)
      const vectors = Array.from({ length: 200 }, () => unitVector(dimensions, next))
      const found = scanInt8(
        vectors.map((vector) => new Uint8Array(quantize(vector).buffer)),
        dimensions,
        quantize(query),
        cosineFactor(dimensions),
      )
      vectors.forEach((vector, index) => {
        const cosine = vector.reduce((sum, value, at) => sum + value * query[at]!, 0)
        expect(Math.abs(found[index]! - cosine)).toBeLessThan(0.01)
      })
    }
  })

  it('cuts a number that is too large for its row, and keeps its sign', () => {
    const vector = new Float32Array(256)
    vector[0] = -1
    vector[1] = 1
    expect([...quantize(vector).subarray(0, 3)]).toEqual([-127, 127, 0])
  })

  it('says that a chunk is damaged when it holds no whole rows', () => {
    expect(() => scanInt8([new Uint8Array(257)], 256, new Int8Array(256))).toThrow(/vector index/)
  })

  it('refuses a query of other dimensions', () => {
    expect(() => int8Scan(256, new Int8Array(255))).toThrow(RangeError)
  })
})

describe('the bit scan', () => {
  it('gives the same counts with SIMD as in plain JavaScript', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 0, max: 40 }), fc.integer(), (blocks, rows, seed) => {
        const next = random(seed)
        const stride = blocks * 16
        const byte = () => Math.floor(next() * 256)
        const query = Uint8Array.from({ length: stride }, byte)
        const chunk = Uint8Array.from({ length: rows * stride }, byte)
        expect(scores(simdScans()!.bitScan(stride, query), chunk, rows)).toEqual(scores(plainBitScan(stride, query), chunk, rows))
      }),
    )
  })

  it('counts every bit of a vector against itself and none but the filling against its opposite', () => {
    const vector = unitVector(1000, random(7))
    const rows = [signBits(vector), signBits(vector.map((value) => -value))]
    expect(bitBytes(1000)).toBe(128)
    expect([...scanBits(rows, 128, signBits(vector))]).toEqual([1024, 24])
  })

  it('takes rows of any length, then without SIMD', () => {
    expect(scores(bitScan(1, Uint8Array.of(0b1011)), Uint8Array.of(0b1011, 0b1000), 2)).toEqual([8, 6])
  })
})

describe('the search for scores above a floor', () => {
  it('gives the same indexes with SIMD as in plain JavaScript', () => {
    const scores = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN)), { maxLength: 70 })
    fc.assert(
      fc.property(scores, fc.nat({ max: 80 }), fc.integer({ min: -4, max: 4 }), fc.boolean(), (list, start, floor, owned) => {
        const array = Float32Array.from(list)
        const owners = owned ? Uint32Array.from(list, (_, index) => (index * 7) % 3) : undefined
        const from = Math.min(start, array.length)
        expect([...simdScans()!.above(array, owners, from, array.length, floor)]).toEqual(
          plainAbove(array, owners, from, array.length, floor),
        )
      }),
    )
  })
})
