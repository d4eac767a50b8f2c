/** A store that can be read answers, whatever happens to the server that embeds. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Settings } from '../../src/config/settings.ts'
import { openEmbedder } from '../../src/embedding/open.ts'
import { type OpenLocalOptions, openBackend, openLocal } from '../../src/memory/open.ts'
import { MemuError } from '../../src/util/errors.ts'
import { realSystem } from '../../src/util/system.ts'
import { openaiReply } from '../helpers/embedding-server.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { jsonServer, type Reply } from '../helpers/json-server.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const system = () => ({ ...realSystem(), home: temporaryFolder() })

function settings(embedding: Settings['embedding'], db?: string): Settings {
  return { mode: 'local', ...(db && { db }), embedding, configFile: '/home/dev/config.env', debug: false, value: () => undefined }
}

async function stored(embedder: OpenLocalOptions['embedder'] = fakeEmbedder()): Promise<string> {
  const db = join(temporaryFolder(), 'memory.db')
  const writer = await openLocal({ db, ...(embedder && { embedder }) })
  await writer.commitResults({ recall_files: [{ name: 'a', content: 'tabs over spaces' }] })
  await writer.close()
  return db
}

async function server(reply: () => Reply): Promise<string> {
  const { url, close } = await jsonServer(reply)
  onTestFinished(close)
  return url
}

test('Without the key that the embedding provider needs, text answers and says what is missing.', async () => {
  const backend = await openBackend(settings({ provider: 'openai' }, await stored()), system(), { readOnly: true })
  onTestFinished(() => backend.close())
  const { segments, notice } = await backend.progressiveRetrieve('tabs')
  expect(segments).toMatchObject([{ text: 'tabs over spaces', similarity: 0 }])
  expect(notice).toMatch(/text alone.*needs MEMU_API_KEY.*memu doctor/)
})

test('An unreachable server whose model nobody knows leaves the answer to the text.', async () => {
  const url = await server(() => ({ status: 401, body: { error: 'no' } }))
  const embedding = { provider: 'openai-compatible', model: 'nobody-knows', baseUrl: url }
  const backend = await openBackend(settings(embedding, await stored()), system(), { readOnly: true })
  onTestFinished(() => backend.close())
  const { segments, notice } = await backend.progressiveRetrieve('tabs')
  expect(segments).toHaveLength(1)
  expect(notice).toContain('text alone')
})

test.each(['a question for its dimensions', 'a query'])(
  'A server that hangs at %s holds the answer no longer than the deadline.',
  async (at) => {
    let hangs = false
    const asked = await jsonServer((request) => (hangs ? { trouble: 'hang' } : openaiReply(request)))
    onTestFinished(asked.close)
    // A home of its own: the dimensions that were asked for once are kept there.
    const embedding = settings({ provider: 'openai-compatible', model: 'nobody-knows', baseUrl: asked.url })
    const open = (home: string) => (deadline?: () => AbortSignal) => openEmbedder(embedding, { ...realSystem(), home }, deadline)
    const home = temporaryFolder()
    const db = await stored(open(home))
    hangs = true
    const embedder = open(at === 'a query' ? home : temporaryFolder())
    const reader = await openLocal({ db, embedder, queryDeadlineMs: 100 })
    onTestFinished(() => reader.close())
    const before = asked.asked.length
    const { segments, notice } = await reader.progressiveRetrieve('tabs')
    expect(segments).toMatchObject([{ text: 'tabs over spaces', similarity: 0 }])
    expect(notice).toMatch(/text alone.*no answer within 0\.1 s/)
    expect(asked.asked.length).toBe(before + 1)
  },
)

test('An embedder that could not be opened is tried again by the next call, and a commit still fails without it.', async () => {
  const embedder = fakeEmbedder()
  let broken = true
  const open = async () => {
    if (broken) throw new MemuError('embedding_failed', 'The server is down.')
    return embedder
  }
  const backend = await openLocal({ db: await stored(embedder), embedder: open })
  onTestFinished(() => backend.close())
  await expect(backend.commitResults({ recall_files: [{ name: 'b', content: 'two' }] })).rejects.toThrow('The server is down.')
  expect((await backend.progressiveRetrieve('tabs')).notice).toContain('The server is down.')
  broken = false
  const { segments, notice } = await backend.progressiveRetrieve('tabs')
  expect(notice).toBeUndefined()
  expect(segments[0]!.similarity).toBeGreaterThan(0)
})

test('Nothing is asked of a server while the store has no vectors.', async () => {
  const embedder = fakeEmbedder({ provider: 'openai' })
  embedder.failure = new Error('was asked')
  const backend = await openLocal({ db: ':memory:', embedder })
  expect((await backend.progressiveRetrieve('tabs')).notice ?? '').not.toContain('was asked')
})
