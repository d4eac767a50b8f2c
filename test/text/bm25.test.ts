import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idf, K1, textCeiling, weight } from '../../src/text/bm25.ts'

test('a rarer term tells more, and even one that every document holds tells something', () => {
  expect(idf(1000, 1)).toBeGreaterThan(idf(1000, 10))
  expect(idf(1000, 1000)).toBeGreaterThan(0)
})

test('more of a term and a shorter document score higher, up to a bound', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }), (tf, length) => {
      expect(weight(tf + 1, length, 20)).toBeGreaterThan(weight(tf, length, 20))
      expect(weight(tf, length, 20)).toBeGreaterThan(weight(tf, length + 1, 20))
      expect(weight(tf, length, 20)).toBeLessThan(K1 + 1)
    }),
  )
})

test('the ceiling is what a document of average length scores with every term once', () => {
  const scored = [1, 7, 0].reduce((sum, frequency) => sum + idf(50, frequency) * weight(1, 20, 20), 0)
  expect(textCeiling(50, [1, 7, 0])).toBeCloseTo(scored)
})
