import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localEmbedder } from '../../../src/embedding/local/embedder.ts'
import { HEADER_BYTES, READS_BEFORE_LOADING, SHA_OFFSET, wordTable } from '../../../src/embedding/local/table.ts'
import { packageFile } from '../../../src/util/package-root.ts'

const embedder = localEmbedder()
const { dimensions } = embedder.space

test('the space is named after the hash of the table that it reads', () => {
  const file = readFileSync(packageFile('model', 'words.bin'))
  file.fill(0, SHA_OFFSET, SHA_OFFSET + 32)
  const sha256 = createHash('sha256').update(file).digest('hex')
  expect(embedder.space).toEqual({ provider: 'local', model: `memu-words-${sha256.slice(0, 12)}`, dimensions })
  expect(file.length).toBeLessThanOrEqual(20 * 1024 * 1024)
})

test('any text gives one vector of length one or, where it holds no word, zeros', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
      const [vector] = await embedder.embed([text])
      expect(vector).toHaveLength(dimensions)
      const norm = cosine(vector!, vector!)
      expect(norm === 0 || Math.abs(norm - 1) < 1e-5).toBe(true)
    }),
  )
  expect(norms(await embedder.embed(['', ' \n', '(*"']))).toEqual([0, 0, 0])
  expect(norms(await embedder.embed(['who are you', '数', '🚀', 'ERR_X9Q_42', 'x'.repeat(100_000)]))).toEqual([1, 1, 1, 1, 1])
})

test('a text has the same vector alone, in a batch, in another process order and as a query without weights', async () => {
  const texts = ['rotate the database password', 'deploy with helm', 'rotate the database password']
  const batch = await embedder.embed(texts)
  const other = localEmbedder()
  const [alone] = await other.embed([texts[0]!])
  expect(batch[0]).toEqual(alone)
  expect(batch[2]).toEqual(alone)
  expect(await other.embedQuery(texts[0]!)).toEqual(alone)
})

test('a batch large enough to load the whole table gives what single reads give', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const short = letters.flatMap((a) => letters.flatMap((b) => [a + b, ...letters.map((c) => a + b + c)]))
  const known = wordTable(packageFile('model', 'words.bin')).read((find) => short.filter((word) => find(word) !== undefined))
  expect(known.length).toBeGreaterThan(READS_BEFORE_LOADING)
  const batch = await embedder.embed(known)
  const [first, last] = await localEmbedder().embed([known[0]!, known.at(-1)!])
  expect(batch[0]).toEqual(first)
  expect(batch.at(-1)).toEqual(last)
})

test('a word that no table holds meets itself in other texts, in any case and number', async () => {
  const [fact, same, different] = await embedder.embed(['restart frobnicatorz after upgrade', 'Frobnicatorz', 'wibblewobblix'])
  expect(cosine(fact!, same!)).toBeGreaterThan(0.3)
  expect(cosine(same!, different!)).toBeLessThan(0.3)
})

test('one character of a script without spaces is near a text that holds it', async () => {
  const [cats, dogs] = await embedder.embed(['猫が好きです', '犬を飼っている'])
  const query = await embedder.embedQuery('猫')
  expect(cosine(query, cats!)).toBeGreaterThan(cosine(query, dogs!) + 0.1)
})

test('the weight of a word moves a query towards it', async () => {
  const text = 'docker or guitar'
  const [docker] = await embedder.embed(['docker'])
  const plain = await embedder.embedQuery(text)
  const heavy = await embedder.embedQuery(text, (stem) => (stem === 'docker' ? 10 : 1))
  expect(cosine(heavy, docker!)).toBeGreaterThan(cosine(plain, docker!))
})

test('a missing, foreign or cut table is named with what to do', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'memu-model-'))
  const path = join(directory, 'words.bin')
  const hint = 'Install memu again.'
  expect(() => localEmbedder({ path })).toThrow(expect.objectContaining({ code: 'model_unusable', hint }))
  writeFileSync(path, 'x'.repeat(HEADER_BYTES))
  expect(() => localEmbedder({ path })).toThrow(/not a word table/)
  writeFileSync(path, readFileSync(packageFile('model', 'words.bin')).subarray(0, 1_000_000))
  await expect(localEmbedder({ path }).embed(['zebra and the other animals of the zoo'])).rejects.toMatchObject({ code: 'model_unusable' })
})

test('a table that is replaced under a running program is refused, not mixed with the old one', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'memu-model-')), 'words.bin')
  const shipped = readFileSync(packageFile('model', 'words.bin'))
  writeFileSync(path, shipped)
  const running = localEmbedder({ path })
  await running.embed(['zebra'])
  shipped[SHA_OFFSET]! ^= 1
  writeFileSync(path, shipped)
  await expect(running.embed(['giraffe'])).rejects.toMatchObject({ code: 'model_unusable', hint: 'Start the program again.' })
})

function norms(vectors: readonly Float32Array[]): number[] {
  return vectors.map((vector) => Math.round(Math.sqrt(cosine(vector, vector)) * 1000) / 1000)
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
