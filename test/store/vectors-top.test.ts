import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { topIndexes } from '../../src/store/vectors/top.ts'

describe('the best of many scores', () => {
  it('are those that a full sort would put first, equal ones by lower index', () => {
    const scores = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN)), { maxLength: 100 })
    fc.assert(
      fc.property(scores, fc.nat({ max: 30 }), (list, k) => {
        const array = Float32Array.from(list)
        const sorted = [...array.keys()].filter((index) => !Number.isNaN(array[index]!)).sort((a, b) => array[b]! - array[a]! || a - b)
        expect(topIndexes(array, k)).toEqual(sorted.slice(0, k))
      }),
    )
  })

  it('are found among more scores than one look takes, wherever they stand', () => {
    const scores = Float32Array.from({ length: 10_001 }, (_, index) => Math.fround(Math.sin(index) * 100))
    const sorted = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b)
    for (const k of [1, 200, 20_000]) expect(topIndexes(scores, k)).toEqual(sorted.slice(0, k))
    scores[10_000] = 101
    expect(topIndexes(scores, 2)).toEqual([10_000, sorted[0]])
  })

  it('leave out what is not above the floor', () => {
    expect(topIndexes(Float32Array.of(0, 2, 0, 1), 3, 0)).toEqual([1, 3])
  })

  it('leave out what has no owner', () => {
    expect(topIndexes(Float32Array.of(3, 2, 1), 3, 0, Uint32Array.of(0, 5, 6))).toEqual([1, 2])
  })

  it('are none for a k of zero or an empty array', () => {
    expect(topIndexes(Float32Array.of(1), 0)).toEqual([])
    expect(topIndexes(new Float32Array(0), 5)).toEqual([])
  })
})
