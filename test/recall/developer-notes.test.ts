import { beforeAll, expect, test } from 'vitest'
import type { LocalBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import type { Lanes } from '../../src/memory/ranking.ts'
import { IDENTIFIERS, NOISE, NOTES, OTHER_LANGUAGES, PARAPHRASES, type Query, TYPOS } from './developer-notes.ts'

let memory: LocalBackend

beforeAll(async () => {
  memory = await openLocal({ db: ':memory:' })
  // A file a note, so that a neighbour, which here is about something else, lends it nothing.
  const recall_files = NOTES.map((content, index) => ({ name: `note-${index}`, content }))
  await memory.commitResults({ recall_files })
  return () => memory.close()
})

// The levels are what the shipped model reaches, less one or two questions.

test('a question with no word in common finds its note by meaning', async () => {
  const ranks = await ranksOf(PARAPHRASES, 'vector')
  expect(share(ranks, 1)).toBeGreaterThanOrEqual(0.55)
  expect(share(ranks, 3)).toBeGreaterThanOrEqual(0.78)
  expect(share(ranks, 5)).toBeGreaterThanOrEqual(0.83)
})

test('both lanes together lose little of what meaning finds', async () => {
  const ranks = await ranksOf(PARAPHRASES)
  expect(share(ranks, 1)).toBeGreaterThanOrEqual(0.35)
  expect(share(ranks, 3)).toBeGreaterThanOrEqual(0.65)
  expect(share(ranks, 5)).toBeGreaterThanOrEqual(0.78)
})

test('an exact identifier is found first, always', async () => {
  expect(await ranksOf(IDENTIFIERS)).toEqual(IDENTIFIERS.map(() => 1))
})

test('Chinese, Japanese, Korean and German are found first', async () => {
  expect(await ranksOf(OTHER_LANGUAGES)).toEqual(OTHER_LANGUAGES.map(() => 1))
})

test('a question typed in a hurry is found among the first three', async () => {
  expect(share(await ranksOf(TYPOS), 3)).toBeGreaterThanOrEqual(0.9)
})

test('texts that have nothing to do with each other score near zero, so that a floor can be set', async () => {
  const { segments } = await memory.progressiveRetrieve('sonata for violin and harpsichord', { limit: 60, lanes: 'vector' })
  const middle = segments.map(({ similarity }) => similarity).sort((a, b) => a - b)[30]!
  expect(Math.abs(middle)).toBeLessThan(0.05)
})

test('small talk and nonsense find nothing, and every question that has an answer finds something', async () => {
  for (const noise of NOISE) {
    expect(await memory.progressiveRetrieve(noise), noise).toMatchObject({
      segments: [],
      files: [],
      notice: expect.stringContaining('Nothing close'),
    })
  }
  const found = await ranksOf([...PARAPHRASES, ...IDENTIFIERS, ...OTHER_LANGUAGES])
  const all = await ranksOf([...PARAPHRASES, ...IDENTIFIERS, ...OTHER_LANGUAGES], 'hybrid', -1)
  expect(found).toEqual(all)
})

/** The place of the right note among the answers, Infinity where it is none of the first ten. */
async function ranksOf(queries: readonly Query[], lanes: Lanes = 'hybrid', floor?: number): Promise<number[]> {
  const ranks: number[] = []
  for (const [query, note] of queries) {
    const { segments } = await memory.progressiveRetrieve(query, { limit: 10, lanes, ...(floor !== undefined && { floor }) })
    ranks.push(segments.findIndex(({ text }) => text === NOTES[note]) + 1 || Number.POSITIVE_INFINITY)
  }
  return ranks
}

function share(ranks: readonly number[], within: number): number {
  return ranks.filter((rank) => rank <= within).length / ranks.length
}
