/** What every store does, whatever it is made of. */
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddingSpace, Scope } from '../../src/records.ts'
import type { Change, FileChange, Store } from '../../src/store/store.ts'
import { queryTerms } from '../../src/text/terms.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'

export const NOBODY: Scope = { user_id: '', agent_id: '' }
const embedder = fakeEmbedder()

export function storeContract(kind: string, openStore: () => Promise<Store>): void {
  async function open(): Promise<Store> {
    const store = await openStore()
    onTestFinished(() => store.close())
    return store
  }

  describe(`the ${kind} store`, () => {
    test('is empty at first and belongs to no embedding space', async () => {
      const store = await open()
      expect((await store.state()).space).toBeUndefined()
      expect(await store.list({}, null, 10)).toEqual([])
      expect(await store.inspect()).toMatchObject({ files: 0, segments: 0, resources: 0, withoutVector: 0 })
    })

    test('gives back what was written, with its id and times', async () => {
      const store = await open()
      const id = randomUUID()
      expect(
        await store.apply(await change({ files: [await file('memory', 'a', ['one', 'two'], { id, provenance: { host: 'codex' } })] })),
      ).toBe('applied')
      expect(
        await store.findFiles(NOBODY, [
          { track: 'memory', name: 'a' },
          { track: 'skill', name: 'a' },
        ]),
      ).toEqual([
        {
          ...NOBODY,
          id,
          track: 'memory',
          name: 'a',
          description: 'about a',
          content: 'one\ntwo',
          created_at: NOW,
          updated_at: NOW,
          provenance: { host: 'codex' },
          revision: 1,
          segments: [
            { text: 'one', hasVector: true },
            { text: 'two', hasVector: true },
          ],
        },
      ])
      expect((await store.state()).space).toEqual(embedder.space)
    })

    test('keeps id and birth of a changed file, and the vectors of the segments that stay', async () => {
      const store = await open()
      await store.apply(await change({ files: [await file('memory', 'a', ['one', 'two'])] }))
      const [old] = await store.findFiles(NOBODY, [{ track: 'memory', name: 'a' }])
      const later = '2026-02-02T00:00:00.000Z'
      const next = await file('memory', 'a', ['three', 'one'], { id: randomUUID(), expected: 1, change: 'updated' })
      // `one` comes without a vector: the stored one stays.
      const kept = { ...next, segments: next.segments.map((segment) => (segment.text === 'one' ? { text: 'one' } : segment)) }
      expect(await store.apply({ ...(await change({ files: [kept] })), now: later })).toBe('applied')
      const [now] = await store.findFiles(NOBODY, [{ track: 'memory', name: 'a' }])
      expect(now).toMatchObject({ id: old!.id, created_at: NOW, updated_at: later, revision: 2 })
      expect(now!.segments).toEqual([
        { text: 'three', hasVector: true },
        { text: 'one', hasVector: true },
      ])
      expect(await search(store, 'one')).toMatchObject([{ text: 'one', ordinal: 1 }])
      expect(await search(store, 'two')).toEqual([])
    })

    test('writes nothing where the plan is out of date', async () => {
      const store = await open()
      await store.apply(await change({ files: [await file('memory', 'a', ['one'])] }))
      const stale = await file('memory', 'a', ['stale'])
      const other = await file('memory', 'b', ['other'])
      expect(await store.apply(await change({ files: [other, stale] }))).toBe('conflict')
      expect(await store.apply(await change({ forget: [{ key: { track: 'memory', name: 'a' }, expected: 7 }] }))).toBe('conflict')
      const bare = { ...other, segments: [{ text: 'no vector is stored for this' }] }
      expect(await store.apply(await change({ files: [bare] }))).toBe('conflict')
      const elsewhere: EmbeddingSpace = { provider: 'openai', model: 'x', dimensions: 64 }
      expect(await store.apply({ ...(await change({ files: [other] })), space: elsewhere })).toBe('conflict')
      expect((await store.list({}, null, 10)).map(({ name, content }) => [name, content])).toEqual([['a', 'one']])
      expect((await store.inspect()).segments).toBe(1)
    })

    test('lists by track, name and id in the order of their bytes, page by page', async () => {
      const store = await open()
      // U+1F600 sorts above U+FF5E in UTF-8 and below it in UTF-16.
      const names = ['b', 'B', 'a', 'é', '～', '😀', 'a b', 'a-b', 'Z']
      await store.apply(await change({ files: await Promise.all(names.map((name) => file('memory', name, [name]))) }))
      await store.apply(await change({ files: [await file('Memory', 'z', ['z']), await file('skill', 'a', ['z'])] }))
      const bytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const wanted = ['Memory/z', ...bytes.map((name) => `memory/${name}`), 'skill/a']
      const found: string[] = []
      for (let after = null as Parameters<Store['list']>[1]; ; ) {
        const page = await store.list({}, after, 2)
        found.push(...page.map(({ track, name }) => `${track}/${name}`))
        if (page.length < 2) break
        after = page.at(-1)!
      }
      expect(found).toEqual(wanted)
    })

    test('keeps scopes apart, and searches those that match together', async () => {
      const store = await open()
      const dev = { user_id: 'dev', agent_id: 'x' }
      const ops = { user_id: 'ops', agent_id: 'x' }
      await store.apply({ ...(await change({ files: [await file('memory', 'a', ['shared word dev'])] })), scope: dev })
      await store.apply({ ...(await change({ files: [await file('memory', 'a', ['shared word ops', 'extra'])] })), scope: ops })
      expect((await store.list({ user_id: 'dev' }, null, 10)).map(({ user_id }) => user_id)).toEqual(['dev'])
      expect((await store.list({ agent_id: 'x' }, null, 10)).length).toBe(2)
      expect(await store.list(NOBODY, null, 10)).toEqual([])
      expect((await search(store, 'shared', dev)).map(({ text }) => text)).toEqual(['shared word dev'])
      expect((await search(store, 'shared', {})).map(({ text }) => text).sort()).toEqual(['shared word dev', 'shared word ops'])
      expect((await search(store, 'extra', {})).map(({ file: name, text }) => [name, text])).toEqual([['ops', 'extra']])
    })

    test('searches one track alone, with the statistics of that track', async () => {
      const store = await open()
      await store.apply(
        await change({ files: [await file('memory', 'a', ['deploy at night', 'nothing']), await file('skill', 's', ['deploy by day'])] }),
      )
      await store.read(async (snapshot) => {
        const corpus = await snapshot.corpus('file', {}, 'skill')
        expect(corpus.live).toBe(1)
        const text = await corpus.text(['deploi', 'nothing'])
        expect(text.frequency.get('deploi')).toBe(1)
        expect(text.frequency.get('nothing')).toBe(0)
        const hits = [...text.documents.keys()].filter((document) => text.documents[document]! > 0)
        expect(await corpus.texts(hits)).toEqual(['deploy by day'])
      })
    })

    test('forgets a file: gone from search at once, kept in the history, and back again as a new change', async () => {
      const store = await open()
      const key = { track: 'memory', name: 'a' }
      await store.apply(await change({ files: [await file('memory', 'a', ['one'], { provenance: { sessions: ['s1'] } })] }))
      await store.apply(await change({ files: [await file('memory', 'a', ['one', 'two'], { expected: 1, change: 'updated' })] }))
      await store.apply(await change({ forget: [{ key, expected: 2 }] }))
      expect(await store.list({}, null, 10)).toEqual([])
      expect(await search(store, 'one')).toEqual([])
      expect(await store.forgotten({})).toEqual([key])
      expect(await store.forgotten({ user_id: 'somebody else' })).toEqual([])
      await store.apply(await change({ files: [await file('memory', 'a', ['one'], { change: 'restored' })] }))
      expect(await store.forgotten({})).toEqual([])
      const history = await store.history(NOBODY, key)
      expect(history.map(({ version, change: what, content }) => [version, what, content])).toEqual([
        [4, 'restored', 'one'],
        [3, 'forgotten', 'one\ntwo'],
        [2, 'updated', 'one\ntwo'],
        [1, 'created', 'one'],
      ])
      expect(history.at(-1)).toMatchObject({ ...key, at: NOW, description: 'about a', provenance: { sessions: ['s1'] } })
      expect(await store.history(NOBODY, { track: 'memory', name: 'b' })).toEqual([])
    })

    test('keeps resources and finds them by caption', async () => {
      const store = await open()
      const url = '/home/dev/notes.md'
      await store.apply(await change({ resources: [await resource(url, 'how the release is cut')] }))
      await store.apply({
        ...(await change({ resources: [await resource(url, 'how a release is tagged', 1)] })),
        now: '2026-02-02T00:00:00.000Z',
      })
      expect(await store.findResources(NOBODY, [url, '/other'])).toMatchObject([
        { url, caption: 'how a release is tagged', track: 'workspace', created_at: NOW, revision: 2, hasVector: true },
      ])
      await store.read(async (snapshot) => {
        const corpus = await snapshot.corpus('resource', {})
        const text = await corpus.text(queryTerms('tagged'))
        const best = text.documents.indexOf(Math.max(...text.documents))
        expect((await corpus.resources([corpus.owner[best]!]))[0]).toMatchObject({ url, caption: 'how a release is tagged' })
      })
      expect(await store.inspect()).toMatchObject({ files: 0, segments: 0, resources: 1 })
    })

    test('re-embeds in steps: pending from the start to the end, without a vector in between', async () => {
      const store = await open()
      await store.apply(
        await change({ files: [await file('memory', 'a', ['one', 'two', 'three'])], resources: [await resource('/r', 'four')] }),
      )
      const next = fakeEmbedder({ model: 'fake-2', dimensions: 600 })
      await store.startReindex(next.space)
      expect(await store.state()).toMatchObject({ space: next.space, pending: true })
      const first = await store.withoutVector(-1, 3)
      expect(first.length).toBe(3)
      const embed = async (items: typeof first) =>
        (await next.embed(items.map(({ text }) => text))).map((vector, index) => ({ ...items[index]!, vector }))
      expect(await store.putVectors(embedder.space, await embed(first))).toBe('conflict')
      expect(await store.putVectors(next.space, await embed(first))).toBe('applied')
      await store.finishReindex()
      expect((await store.state()).pending).toBe(true)
      const rest = await store.withoutVector(first.at(-1)!.key, 10)
      expect([...first, ...rest].map(({ text }) => text).sort()).toEqual(['four', 'one', 'three', 'two'])
      await store.putVectors(next.space, await embed(rest))
      await store.finishReindex()
      expect((await store.state()).pending).toBe(false)
      expect((await store.inspect()).withoutVector).toBe(0)
      const [query] = await next.embed(['two'])
      expect(await nearest(store, query!)).toBe('two')
    })

    test('does not give a vector to a segment that has changed since it was handed out', async () => {
      const store = await open()
      await store.apply(await change({ files: [await file('memory', 'a', ['one'])] }))
      const next = fakeEmbedder({ model: 'fake-2' })
      await store.startReindex(next.space)
      const [handed] = await store.withoutVector(-1, 1)
      const [vector] = await next.embed(['another text'])
      await store.putVectors(next.space, [{ key: handed!.key, text: 'another text', vector: vector! }])
      expect((await store.inspect()).withoutVector).toBe(1)
    })

    test('survives many changes of one file: the index holds what the file holds', async () => {
      const store = await open()
      const lines = Array.from({ length: 150 }, (_, index) => `line ${index}`)
      for (let round = 0; round < 12; round++) {
        const present = round === 0 ? lines : lines.map((line) => `${line} round${round}`)
        const expected = round
        await store.apply(
          await change({ files: [await file('memory', 'a', present, { expected, change: round === 0 ? 'created' : 'updated' })] }),
        )
      }
      expect((await search(store, 'round11')).length).toBe(150)
      expect(await search(store, 'round3')).toEqual([])
      const [query] = await embedder.embed(['line 77 round11'])
      expect(await nearest(store, query!)).toBe('line 77 round11')
      expect((await store.inspect({ integrity: true })).problems).toEqual([])
    })
  })
}

export const NOW = '2026-01-01T00:00:00.000Z'

export async function change(parts: Partial<Change>): Promise<Change> {
  return { scope: NOBODY, space: embedder.space, now: NOW, files: [], resources: [], forget: [], ...parts }
}

export async function file(track: string, name: string, lines: readonly string[], parts: Partial<FileChange> = {}): Promise<FileChange> {
  const vectors = await embedder.embed(lines)
  const segments = lines.map((text, index) => ({ text, vector: vectors[index]! }))
  return {
    id: randomUUID(),
    track,
    name,
    description: `about ${name}`,
    content: lines.join('\n'),
    expected: 0,
    change: 'created',
    segments,
    ...parts,
  }
}

async function resource(url: string, caption: string, expected = 0): Promise<Change['resources'][number]> {
  const [vector] = await embedder.embed([caption])
  return { id: randomUUID(), url, caption, track: 'workspace', expected, vector: vector! }
}

async function search(store: Store, query: string, where = {}): Promise<{ text: string; ordinal: number; file: string }[]> {
  return store.read(async (snapshot) => {
    const corpus = await snapshot.corpus('file', where)
    const { documents } = await corpus.text(queryTerms(query))
    const hits = [...documents.keys()].filter((document) => documents[document]! > 0)
    const texts = await corpus.texts(hits)
    const files = await corpus.files(hits.map((document) => corpus.owner[document]!))
    return hits.map((document, index) => ({ text: texts[index]!, ordinal: corpus.ordinal[document]!, file: files[index]!.user_id }))
  })
}

async function nearest(store: Store, query: Float32Array): Promise<string> {
  return store.read(async (snapshot) => {
    const corpus = await snapshot.corpus('file', {})
    const { documents: scores } = await corpus.vector(query)
    const alive = [...scores.keys()].filter((document) => corpus.owner[document] !== 0)
    alive.sort((a, b) => scores[b]! - scores[a]!)
    const [best] = await corpus.similarity(alive.slice(0, 1), query)
    expect(best).toBeCloseTo(1, 5)
    return (await corpus.texts(alive.slice(0, 1)))[0]!
  })
}
