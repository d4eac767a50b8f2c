/** A store belongs to one embedding space: what happens when the program embeds in another. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLocal } from '../../src/memory/open.ts'
import { type FakeEmbedder, fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const lines = Array.from({ length: 1300 }, (_, index) => `line number${index}`)

async function filled(embedder: FakeEmbedder, count = 30): Promise<string> {
  const db = join(temporaryFolder(), 'memory.db')
  const backend = await openLocal({ db, embedder })
  await backend.commitResults({
    recall_files: [{ name: 'a', content: lines.slice(0, count).join('\n') }],
    resource: [{ url: '/r', caption: 'captioned thing' }],
  })
  await backend.close()
  return db
}

const paid = (model: string) => fakeEmbedder({ provider: 'openai', model })

describe('another space', () => {
  test('a commit is refused, naming both spaces and the command that re-embeds', async () => {
    const db = await filled(paid('one'))
    const backend = await openLocal({ db, embedder: paid('two') })
    await expect(backend.commitResults({ recall_files: [{ name: 'b', content: 'x' }] })).rejects.toMatchObject({
      code: 'space_mismatch',
      exit: 2,
      message: expect.stringMatching(/openai\/one.*openai\/two/),
      hint: expect.stringContaining('memu reindex'),
    })
    expect((await backend.listAllRecallFiles()).recall_files).toHaveLength(1)
    await backend.close()
  })

  test('the text lane answers alone and says so', async () => {
    const db = await filled(paid('one'))
    const other = paid('two')
    const backend = await openLocal({ db, embedder: other, readOnly: true })
    const { segments, resources, notice } = await backend.progressiveRetrieve('number7')
    expect(segments[0]).toMatchObject({ text: 'line number7', similarity: 0 })
    expect(segments[0]!.text_score).toBeGreaterThan(0)
    expect(resources).toEqual([])
    expect(notice).toMatch(/text alone.*openai\/one.*openai\/two.*memu reindex/)
    await backend.close()
  })

  test('a new table of the local embedder is taken up by the next commit, without a word', async () => {
    const db = await filled(fakeEmbedder({ model: 'words-1' }))
    const next = fakeEmbedder({ model: 'words-2', dimensions: 48 })
    const reader = await openLocal({ db, embedder: next, readOnly: true })
    expect((await reader.progressiveRetrieve('number7')).notice).toContain('the next commit re-embeds it')
    await reader.close()
    const backend = await openLocal({ db, embedder: next })
    await backend.commitResults({ recall_files: [{ name: 'b', content: 'fresh words' }] })
    expect(await backend.inspect()).toMatchObject({ space: next.space, pending: false, withoutVector: 0 })
    const { segments, notice } = await backend.progressiveRetrieve('number7')
    expect(notice).toBeUndefined()
    expect(segments[0]!.similarity).toBeGreaterThan(0.5)
    await backend.close()
  })

  test('re-embedding stops and goes on where it was, text answers meanwhile, and progress is told', async () => {
    const db = await filled(paid('one'), 1300)
    const next = paid('two')
    const backend = await openLocal({ db, embedder: next })
    const stop = new AbortController()
    const seen: number[][] = []
    const onProgress = (done: number, total: number) => {
      seen.push([done, total])
      stop.abort(new Error('interrupted'))
    }
    await expect(backend.reindex({ onProgress, signal: stop.signal })).rejects.toThrow('interrupted')
    expect(seen).toEqual([[512, 1301]])
    expect(await backend.inspect()).toMatchObject({ space: next.space, pending: true, withoutVector: 789 })
    const partial = await backend.progressiveRetrieve('number1200')
    expect(partial.segments[0]).toMatchObject({ text: 'line number1200', similarity: 0 })
    expect(partial.notice).toContain('has not finished')
    next.batches.length = 0
    expect(await backend.reindex()).toEqual({ embedded: 789, space: next.space })
    expect(next.batches.flat()).not.toContain('line number0')
    const { segments, notice } = await backend.progressiveRetrieve('number1200')
    expect(notice).toBeUndefined()
    expect(segments[0]).toMatchObject({ text: 'line number1200' })
    expect(segments[0]!.similarity).toBeGreaterThan(0.5)
    await backend.close()
  })

  test('an embedder that does not work keeps the store as it was', async () => {
    const db = await filled(paid('one'))
    const broken = paid('two')
    broken.failure = new Error('bad key')
    const backend = await openLocal({ db, embedder: broken })
    await expect(backend.reindex()).rejects.toThrow('bad key')
    expect(await backend.inspect()).toMatchObject({ space: { model: 'one' }, pending: false, withoutVector: 0 })
    await backend.close()
  })

  test('re-embedding in the same space embeds nothing and rebuilds the indexes', async () => {
    const embedder = paid('one')
    const db = await filled(embedder)
    const backend = await openLocal({ db, embedder })
    const before = await backend.progressiveRetrieve('number7')
    embedder.batches.length = 0
    expect(await backend.reindex()).toMatchObject({ embedded: 0 })
    expect(embedder.batches).toEqual([])
    expect(await backend.progressiveRetrieve('number7')).toEqual(before)
    await backend.close()
  })
})

test('a query that cannot be embedded is answered by text, and the answer says why', async () => {
  const embedder = paid('one')
  const db = await filled(embedder)
  const backend = await openLocal({ db, embedder, readOnly: true })
  embedder.failure = new Error('no route to the provider')
  const { segments, notice } = await backend.progressiveRetrieve('number7')
  expect(segments[0]).toMatchObject({ text: 'line number7', similarity: 0 })
  expect(notice).toContain('no route to the provider')
  await backend.close()
})

test('large spaces, searched by their signs, still give exact similarities and the nearest first', async () => {
  const embedder = fakeEmbedder({ provider: 'openai', model: 'large', dimensions: 1536 })
  const db = await filled(embedder, 400)
  const backend = await openLocal({ db, embedder, readOnly: true })
  const { segments } = await backend.progressiveRetrieve('line number77', { lanes: 'vector' })
  expect(segments[0]).toMatchObject({ text: 'line number77', text_score: 0 })
  expect(segments[0]!.similarity).toBeCloseTo(1, 5)
  await backend.close()
})
