/** What every embedder must do, whatever computes its vectors. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'

export function embedderContract(name: string, open: () => Promise<Embedder> | Embedder): void {
  describe(`the embedder contract: ${name}`, () => {
    it('names its space', async () => {
      const { space, maxCharacters } = await open()
      expect(space.provider).not.toBe('')
      expect(space.model).not.toBe('')
      expect(space.dimensions).toBeGreaterThan(0)
      expect(maxCharacters).toBeGreaterThanOrEqual(500)
    })

    it('gives one unit vector a text, in order, whatever else is in the batch', async () => {
      const embedder = await open()
      const texts = Array.from({ length: 150 }, (_, index) => `deploy number ${index} to staging`)
      const together = await embedder.embed(texts)
      expect(together).toHaveLength(texts.length)
      for (const vector of together) expectUnit(vector, embedder)
      for (const index of [0, 63, 64, 149]) {
        const [alone] = await embedder.embed([texts[index]!])
        expect(cosine(alone!, together[index]!)).toBeCloseTo(1, 5)
      }
    })

    it('gives the same vector for the same text each time', async () => {
      const text = 'the staging database listens on port 5433'
      const [first, second] = await (await open()).embed([text, text])
      const [again] = await (await open()).embed([text])
      expect(second).toEqual(first)
      expect(again).toEqual(first)
    })

    it('takes no texts, and an empty text, which has a vector of zeros', async () => {
      const embedder = await open()
      expect(await embedder.embed([])).toEqual([])
      const [empty, full] = await embedder.embed(['', 'not empty'])
      expect(empty).toEqual(new Float32Array(embedder.space.dimensions))
      expectUnit(full!, embedder)
      expect((await embedder.embedQuery('')).length).toBe(embedder.space.dimensions)
    })

    it('takes any text of any script and length up to its window', async () => {
      const embedder = await open()
      const texts = [
        '日本語の文章',
        '한국어 문장',
        '🐈‍⬛ 👩‍💻',
        '\u0000\u0007\u2028',
        '\ud800 half a surrogate',
        'x'.repeat(embedder.maxCharacters),
      ]
      for (const vector of await embedder.embed(texts)) expect(isUnitOrZero(vector)).toBe(true)
      await fc.assert(
        fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 4 }), async (any) => {
          for (const vector of await embedder.embed(any)) expect(isUnitOrZero(vector)).toBe(true)
        }),
        { numRuns: 30 },
      )
    })

    it('embeds a query near the text that says the same, and takes 100 kB of it', async () => {
      const embedder = await open()
      const [same, other] = await embedder.embed(['deploy the service to staging', 'my cat sleeps all day'])
      const query = await embedder.embedQuery('deploy service staging', () => 1)
      expectUnit(query, embedder)
      expect(cosine(query, same!)).toBeGreaterThan(cosine(query, other!))
      expectUnit(await embedder.embedQuery('deploy the service '.repeat(5500)), embedder)
    })
  })
}

function expectUnit(vector: Float32Array, embedder: Embedder): void {
  expect(vector).toBeInstanceOf(Float32Array)
  expect(vector).toHaveLength(embedder.space.dimensions)
  expect(cosine(vector, vector)).toBeCloseTo(1, 4)
}

function isUnitOrZero(vector: Float32Array): boolean {
  const norm = cosine(vector, vector)
  return norm === 0 || Math.abs(norm - 1) < 1e-4
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}
