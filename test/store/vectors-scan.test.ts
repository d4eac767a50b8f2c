import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../src/store/vectors/members.ts'
import { plainAbove, plainBitScan, plainInt8Scan, plainMembers } from '../../src/store/vectors/plain.ts'
import { bitBytes, int8Query, int8Row, type ScanRows, signBits } from '../../src/store/vectors/rows.ts'
import { bitScan, int8Scan, scanBuffer } from '../../src/store/vectors/scan.ts'
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
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
      fc.property(fc.integer({ min: 1, max: 1024 }), fc.integer({ min: 0, max: 40 }), fc.integer(), (dimensions, rows, seed) => {
        const next = random(seed)
        const query = Int16Array.from({ length: dimensions }, () => Math.floor(next() * 16383) - 8191)
        const chunk = concat(Array.from({ length: rows }, () => int8Row(Float32Array.from({ length: dimensions }, () => next() * 4 - 2))))
        expect(scores(simdScans()!.int8Scan(query, 0.1), chunk, rows)).toEqual(scores(plainInt8Scan(query, 0.1), chunk, rows))
      }),
    )
  })

  it('stays within its numbers at the largest products', () => {
    const one = new Float32Array(1024).fill(1)
    const chunk = concat([int8Row(one), int8Row(one.map((value) => -value))])
    for (const score of scores(int8Scan(one), chunk, 2)) expect(Math.abs(score)).toBeCloseTo(1024, 2)
  })

  it('goes through chunks larger than its window, and chunks that start anywhere in a buffer', () => {
    const next = random(1)
    const vectors = Array.from({ length: 5001 }, () => unitVector(100, next))
    const query = unitVector(100, next)
    const bytes = concat([new Uint8Array(3), ...vectors.map(int8Row)])
    const { query: numbers, factor } = int8Query(query)
    expect(scores(int8Scan(query), bytes.subarray(3), 5001)).toEqual(scores(plainInt8Scan(numbers, factor), bytes.subarray(3), 5001))
  })

  it('scans rows where they lie when they were read into its buffer', () => {
    const next = random(2)
    for (const dimensions of [7, 256, 512]) {
      const query = unitVector(dimensions, next)
      const buffer = scanBuffer(dimensions + 4)
      const rows = buffer.length / (dimensions + 4)
      const vector = unitVector(dimensions, next)
      const chunk = concat(Array.from({ length: Math.min(rows, 2000) }, (_, row) => int8Row(row % 3 === 0 ? vector : query)))
      const full = new Uint8Array(buffer.length)
      for (let at = 0; at < full.length; at += chunk.length) full.set(chunk.subarray(0, full.length - at), at)
      const expected = scores(int8Scan(query), full, rows)
      buffer.set(full)
      expect(scores(int8Scan(query), buffer, rows)).toEqual(expected)
    }
  })

  it('writes from the place it is given, and nothing for an empty chunk', () => {
    const scan = int8Scan(Float32Array.of(1, 0))
    const out = new Float32Array(3).fill(9)
    scan(int8Row(Float32Array.of(-1, 0)), out, 1)
    scan(new Uint8Array(0), out, 2)
    expect([...out]).toEqual([9, -1, 9])
  })

  it('keeps two scans apart that take turns', () => {
    const one = int8Scan(Float32Array.of(1, 0))
    const other = int8Scan(Float32Array.of(0, 1))
    const chunk = int8Row(Float32Array.of(1, -1))
    expect([scores(one, chunk, 1), scores(other, chunk, 1), scores(one, chunk, 1)]).toEqual([[1], [-1], [1]])
  })

  it('gives the cosines of unit vectors to within three thousandths', () => {
    for (const dimensions of [64, 256, 300, 512]) {
      const next = random(dimensions)
      const query = unitVector(dimensions, next)
      const vectors = Array.from({ length: 200 }, () => unitVector(dimensions, next))
      const found = scores(int8Scan(query), concat(vectors.map(int8Row)), 200)
      vectors.forEach((vector, index) => {
        const cosine = vector.reduce((sum, value, at) => sum + value * query[at]!, 0)
        expect(Math.abs(found[index]! - cosine)).toBeLessThan(0.003)
      })
    }
  })

  it('gives a vector of zeros, as row or as query, a cosine of 0', () => {
    const zeros = new Float32Array(3)
    const some = Float32Array.of(1, 0, 0)
    expect([scores(int8Scan(some), int8Row(zeros), 1), scores(int8Scan(zeros), int8Row(some), 1)]).toEqual([[0], [0]])
  })

  it('says that a chunk is damaged when it holds no whole rows', () => {
    expect(() => scores(int8Scan(new Float32Array(256)), new Uint8Array(259), 1)).toThrow(/vector index/)
  })

  it('refuses a query without dimensions', () => {
    expect(() => int8Scan(new Float32Array(0))).toThrow(RangeError)
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
    expect(scores(bitScan(128, signBits(vector)), concat(rows), 2)).toEqual([1024, 24])
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

describe('the search for the documents of some owners', () => {
  it('gives the same indexes by the module as in plain JavaScript', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 40 }), fc.uint8Array({ minLength: 10, maxLength: 10 }), (list, wanted) => {
        const owners = Uint32Array.from(list)
        expect(simdScans()!.members(owners, wanted)).toEqual(plainMembers(owners, wanted))
      }),
    )
  })

  it('goes through more documents than one window takes', () => {
    const owners = Uint32Array.from({ length: 10_000 }, (_, index) => index % 7)
    const wanted = Uint8Array.of(0, 0, 0, 1, 0, 0, 0)
    expect(membersOf(owners, wanted)).toEqual(plainMembers(owners, wanted))
  })

  it('does without the module where there are too many owners for it', () => {
    const wanted = new Uint8Array(600_000)
    wanted[599_999] = 1
    const owners = Uint32Array.of(5, 599_999)
    expect(simdScans()!.members(owners, wanted)).toBeNull()
    expect(membersOf(owners, wanted)).toEqual([1])
  })
})
