import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, type CandidatePool, rank } from '../../src/memory/ranking.ts'

const segment = (file_id: string, ordinal: number, text_score: number, similarity: number): Candidate => {
  return { id: `${file_id}${ordinal}`, file_id, ordinal, text_score, similarity }
}

const order = (pool: CandidatePool, lanes?: 'hybrid' | 'text' | 'vector') => {
  return rank(pool, 100, lanes).segments.map(({ index }) => pool.segments[index]!.id)
}

test('a line that both lanes find comes before lines that one lane finds', () => {
  const segments = [segment('a', 0, 8, 0), segment('b', 0, 0, 0.8), segment('c', 0, 7, 0.7)]
  expect(order({ segments, files: [] })[0]).toBe('c0')
})

test('one lane alone keeps its own order, and a lane that found nothing does not disturb the other', () => {
  const segments = [segment('a', 0, 1, 0.1), segment('b', 0, 2, 0.9), segment('c', 0, 3, 0.5)]
  expect(order({ segments, files: [] }, 'text')).toEqual(['c0', 'b0', 'a0'])
  expect(order({ segments, files: [] }, 'vector')).toEqual(['b0', 'c0', 'a0'])
  const textOnly = segments.map((one) => ({ ...one, similarity: 0 }))
  expect(order({ segments: textOnly, files: [] })).toEqual(['c0', 'b0', 'a0'])
})

test('one shared word of a long question does not outweigh a close meaning, a full match does', () => {
  const segments = [segment('a', 0, 2, 0.1), segment('b', 0, 0, 0.9), segment('c', 0, 1, 0)]
  expect(order({ segments, files: [], text_ceiling: 40 })[0]).toBe('b0')
  expect(order({ segments, files: [], text_ceiling: 2 })[0]).toBe('a0')
})

test('cosines count from the lowest in the pool where all of them are high', () => {
  const segments = [segment('a', 0, 1, 0.7), segment('b', 0, 0.2, 0.9), segment('c', 0, 0, 0.7)]
  const shares = rank({ segments, files: [] }, 3, 'vector').segments.map(({ score }) => score)
  expect(shares[0]).toBeGreaterThan(0.5)
  expect(shares[1]).toBe(0)
})

test('of two equal lines the one beside a match comes first, but never before the match', () => {
  const segments = [segment('b', 5, 0, 0.2), segment('a', 1, 0, 0.2), segment('a', 0, 9, 0.9)]
  expect(order({ segments, files: [] })).toEqual(['a0', 'a1', 'b5'])
  const otherFile = [segment('b', 1, 0, 0.2), segment('a', 3, 0, 0.2), segment('a', 0, 9, 0.9)]
  expect(order({ segments: otherFile, files: [] })).toEqual(['a0', 'b1', 'a3'])
})

test('a file is worth its three best lines and its own text', () => {
  const once = [segment('a', 0, 5, 0.5)]
  const thrice = [0, 2, 4].map((ordinal) => segment('b', ordinal, 5, 0.5))
  expect(rank({ segments: [...once, ...thrice], files: [] }, 10).files.map(({ file_id }) => file_id)).toEqual(['b', 'a'])
  const files = [
    { file_id: 'b', text_score: 1 },
    { file_id: 'a', text_score: 9 },
  ]
  const [first] = rank({ segments: [segment('b', 0, 5, 0.5), ...once], files }, 10).files
  expect(first).toMatchObject({ file_id: 'a', similarity: 0.5, text_score: 9 })
  expect(first!.score).toBeLessThanOrEqual(1)
})

test('an empty pool gives an empty answer', () => {
  expect(rank({ segments: [], files: [] }, 5)).toEqual({ segments: [], files: [] })
})

test('any pool gives scores from 0 to 1 in falling order, every segment and file once, and no more than the limit', () => {
  const score = fc.oneof(fc.constant(0), fc.double({ min: -1, max: 40, noNaN: true }))
  const candidate = fc.record({
    file: fc.constantFrom('a', 'b', 'c'),
    ordinal: fc.nat(9),
    text: score,
    similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  const segments = fc.uniqueArray(candidate, { selector: ({ file, ordinal }) => `${file}${ordinal}`, maxLength: 30 })
  fc.assert(
    fc.property(segments, fc.constantFrom('hybrid', 'text', 'vector'), fc.integer({ min: 1, max: 40 }), (drawn, lanes, limit) => {
      const pool = { segments: drawn.map(({ file, ordinal, text, similarity }) => segment(file, ordinal, text, similarity)), files: [] }
      const ranked = rank(pool, limit, lanes)
      for (const list of [ranked.segments, ranked.files]) {
        expect(list.every(({ score }, i) => score >= 0 && score <= 1 && (i === 0 || score <= list[i - 1]!.score))).toBe(true)
      }
      expect(new Set(ranked.segments.map(({ index }) => index)).size).toBe(Math.min(limit, drawn.length))
      expect(ranked.files).toHaveLength(Math.min(limit, new Set(drawn.map(({ file }) => file)).size))
    }),
  )
})
