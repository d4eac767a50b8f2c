/** What every backend does, whatever store or server is behind it. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MemoryBackend } from '../../src/memory/backend.ts'
import type { FakeEmbedder } from '../helpers/fake-embedder.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'

export function backendContract(kind: string, openBackend: (embedder: FakeEmbedder) => Promise<MemoryBackend>): void {
  async function open(embedder = fakeEmbedder()): Promise<MemoryBackend> {
    const backend = await openBackend(embedder)
    onTestFinished(() => backend.close())
    return backend
  }

  describe(`the ${kind} backend`, () => {
    test('commits, lists and retrieves', async () => {
      const backend = await open()
      const receipt = await backend.commitResults({
        recall_files: [
          { name: 'preferences', description: 'how dev likes it', content: '# Style\n\n- tabs over spaces\n- short commits\n' },
          { track: 'skill', name: 'release', description: 'cut a release', content: 'long text' },
        ],
        resource: [{ url: '/home/dev/plan.md', caption: 'the plan of the release' }],
      })
      expect(receipt.recall_files.map(({ track, name, change }) => [track, name, change])).toEqual([
        ['memory', 'preferences', 'created'],
        ['skill', 'release', 'created'],
      ])
      expect(receipt.resources).toMatchObject([{ url: '/home/dev/plan.md', change: 'created' }])

      const { recall_files, next_cursor } = await backend.listAllRecallFiles()
      expect(recall_files.map(({ track, name }) => `${track}/${name}`)).toEqual(['memory/preferences', 'skill/release'])
      expect(next_cursor).toBeNull()

      const { segments, files, resources } = await backend.progressiveRetrieve('tabs or spaces? and the plan')
      expect(segments[0]).toMatchObject({
        text: '- tabs over spaces',
        track: 'memory',
        name: 'preferences',
        ordinal: 0,
        id: expect.any(String),
      })
      expect(segments[0]!.text_score).toBeGreaterThan(0)
      expect(segments[0]!.similarity).toBeGreaterThan(0.3)
      expect(files[0]).toMatchObject({
        id: receipt.recall_files[0]!.id,
        name: 'preferences',
        content: expect.stringContaining('short commits'),
      })
      expect(resources[0]).toMatchObject({ url: '/home/dev/plan.md', track: 'workspace' })
      expect(JSON.stringify({ segments, files, resources })).not.toMatch(/embedding|vector/)
      for (const list of [segments, files, resources]) {
        expect(list.map(({ score }) => score)).toEqual(list.map(({ score }) => score).sort((a, b) => b - a))
      }
    })

    test('finds a skill by its name and description alone', async () => {
      const backend = await open()
      await backend.commitResults({
        recall_files: [
          { track: 'skill', name: 'flaky-tests', description: 'find out why a test fails now and then', content: 'zebra\nquagga' },
        ],
      })
      expect((await backend.progressiveRetrieve('a test that fails')).segments).toMatchObject([
        { text: 'name: flaky-tests\ndescription: find out why a test fails now and then', track: 'skill' },
      ])
      expect((await backend.progressiveRetrieve('zebra')).segments.every(({ text_score }) => text_score === 0)).toBe(true)
    })

    test('changes nothing when what is stored is committed again', async () => {
      const embedder = fakeEmbedder()
      const backend = await open(embedder)
      const payload = { recall_files: [{ name: 'a', content: 'one\ntwo' }], resource: [{ url: '/r', caption: 'three' }] }
      const first = await backend.commitResults(payload)
      const before = await backend.listAllRecallFiles()
      const batches = embedder.batches.length
      const second = await backend.commitResults(payload)
      expect(second.recall_files).toEqual([{ ...first.recall_files[0], change: 'unchanged' }])
      expect(second.resources).toEqual([{ ...first.resources[0], change: 'unchanged' }])
      expect(await backend.listAllRecallFiles()).toEqual(before)
      expect(embedder.batches.length).toBe(batches)
    })

    test('embeds only what is new, each text once, in one batch', async () => {
      const embedder = fakeEmbedder()
      const backend = await open(embedder)
      await backend.commitResults({
        recall_files: [
          { name: 'a', content: 'same line\nsame line\nown line' },
          { name: 'b', content: 'same line' },
        ],
        resource: [{ url: '/r', caption: 'same line' }],
      })
      await backend.commitResults({ recall_files: [{ name: 'a', content: 'new line\nown line\nsame line' }] })
      expect(embedder.batches).toEqual([['same line', 'own line'], ['new line']])
    })

    test('keeps id and birth over an update, and takes the last of several with one name', async () => {
      const backend = await open()
      const first = await backend.commitResults({ recall_files: [{ name: 'a', content: 'one' }], resource: [{ url: '/r', caption: 'x' }] })
      const [born] = (await backend.listAllRecallFiles()).recall_files
      const second = await backend.commitResults({
        recall_files: [
          { name: 'a', content: 'lost' },
          { name: 'a', content: 'two' },
        ],
        resource: [
          { url: '/r', caption: 'lost' },
          { url: '/r', caption: 'y' },
        ],
      })
      expect(second.recall_files).toEqual([{ ...first.recall_files[0], change: 'updated' }])
      expect(second.resources).toEqual([{ ...first.resources[0], change: 'updated' }])
      const [now] = (await backend.listAllRecallFiles()).recall_files
      expect(now).toMatchObject({ id: born!.id, created_at: born!.created_at, content: 'two' })
    })

    test('writes nothing at all when the embedding fails', async () => {
      const embedder = fakeEmbedder()
      const backend = await open(embedder)
      await backend.commitResults({ recall_files: [{ name: 'a', content: 'one' }] })
      const before = await backend.listAllRecallFiles()
      embedder.failure = new Error('no route to the provider')
      await expect(
        backend.commitResults({ recall_files: [{ name: 'b', content: 'two' }], forget: [{ track: 'memory', name: 'a' }] }),
      ).rejects.toThrow('no route')
      expect(await backend.listAllRecallFiles()).toEqual(before)
    })

    test('forgets files at once, and knows which of them there were', async () => {
      const backend = await open()
      await backend.commitResults({ recall_files: [{ name: 'a', content: 'secret word' }] })
      const receipt = await backend.commitResults({
        forget: [
          { track: 'memory', name: 'a' },
          { track: 'memory', name: 'never was' },
        ],
      })
      expect(receipt.forgotten).toEqual([{ track: 'memory', name: 'a' }])
      expect(await backend.progressiveRetrieve('secret word')).toMatchObject({ segments: [], files: [] })
    })

    test('takes names as they are: case, blanks and other alphabets make other files', async () => {
      const backend = await open()
      const names = ['Notes', 'notes', ' notes', '../../x', 'CON', 'ノート', 'a/b', '😀', 'x'.repeat(300)]
      await backend.commitResults({ recall_files: names.map((name) => ({ name, content: `in ${name}` })) })
      const found = (await backend.listAllRecallFiles()).recall_files.map(({ name }) => name)
      expect(found.sort()).toEqual([...names].sort())
    })

    test('refuses a payload that is not one, naming the item, and takes nothing of it', async () => {
      const backend = await open()
      const bad: [unknown, string][] = [
        [
          {
            recall_files: [
              { name: 'ok', content: 'x' },
              { name: '', content: 'x' },
            ],
          },
          'recall_files[1].name',
        ],
        [{ recall_files: [{ name: 'ok', content: 'x' }, { name: 'b' }] }, 'recall_files[1].content'],
        [{ recall_files: [{ name: 'ok', content: 5 }] }, 'recall_files[0].content'],
        [{ recall_files: {} }, 'recall_files'],
        [{ resource: [{ url: '/r', caption: ' ' }] }, 'resource[0].caption'],
        [{ forget: [{ track: 'memory' }] }, 'forget[0].name'],
        [null, 'payload'],
      ]
      for (const [payload, item] of bad) {
        await expect(backend.commitResults(payload as never)).rejects.toMatchObject({
          code: 'invalid_payload',
          exit: 2,
          message: expect.stringContaining(item),
        })
      }
      expect((await backend.listAllRecallFiles()).recall_files).toEqual([])
    })

    test('keeps text that not every database can hold', async () => {
      const backend = await open()
      await backend.commitResults({ recall_files: [{ name: 'odd', content: 'before\0after \ud800 end\r\nwindows line\r\n' }] })
      const [file] = (await backend.listAllRecallFiles()).recall_files
      expect(file!.content).toBe('before\ufffdafter \ufffd end\r\nwindows line\r\n')
      expect((await backend.progressiveRetrieve('windows line')).segments[0]!.text).toBe('windows line')
    })

    test('pages through a listing without losing or repeating a file', async () => {
      const backend = await open()
      const names = Array.from({ length: 23 }, (_, index) => `file ${String(index).padStart(2, '0')}`)
      await backend.commitResults({ recall_files: names.map((name) => ({ name, content: name })) })
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page = await backend.listAllRecallFiles({ limit: 5, cursor })
        found.push(...page.recall_files.map(({ name }) => name))
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(found).toEqual(names)
      const whole = await backend.listAllRecallFiles({ limit: 23 })
      expect(whole.next_cursor).toBeNull()
    })

    test('refuses a bad cursor and a bad limit', async () => {
      const backend = await open()
      const cursors = [
        'nonsense!',
        '',
        Buffer.from('[]').toString('base64url'),
        Buffer.from('["a","b"]').toString('base64url'),
        Buffer.from('["a","b",3]').toString('base64url'),
      ]
      for (const cursor of cursors) {
        await expect(backend.listAllRecallFiles({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor', exit: 2 })
      }
      for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
        await expect(backend.listAllRecallFiles({ limit })).rejects.toMatchObject({ code: 'invalid_limit', exit: 2 })
        await expect(backend.progressiveRetrieve('x', { limit })).rejects.toMatchObject({ code: 'invalid_limit', exit: 2 })
      }
    })

    test('refuses a blank query', async () => {
      const backend = await open()
      for (const query of ['', '  \n\t']) {
        await expect(backend.progressiveRetrieve(query)).rejects.toMatchObject({ code: 'empty_query', exit: 2 })
      }
    })

    test('answers with nothing, and says so, where nothing is close; a floor of -1 gives the nearest', async () => {
      const backend = await open()
      await backend.commitResults({
        recall_files: [{ name: 'a', content: 'tabs over spaces' }],
        resource: [{ url: '/r', caption: 'the plan of the release' }],
      })
      expect(await backend.progressiveRetrieve('xyzzy frobnicate', { floor: 0.9 })).toEqual({
        segments: [],
        files: [],
        resources: [],
        notice: 'Nothing close to the query was found.',
      })
      const anything = await backend.progressiveRetrieve('xyzzy frobnicate', { floor: -1 })
      expect([anything.segments.length, anything.files.length, anything.resources.length, anything.notice]).toEqual([1, 1, 1, undefined])
      // A shared word is close, whatever the floor.
      const shared = await backend.progressiveRetrieve('tabs xyzzy frobnicate', { floor: 1 })
      expect([shared.segments.length, shared.resources.length, shared.notice]).toEqual([1, 0, undefined])
      await expect(backend.progressiveRetrieve('tabs', { floor: Number.NaN })).rejects.toMatchObject({ code: 'invalid_floor', exit: 2 })
    })

    test('answers from an empty memory with nothing, and says so', async () => {
      const backend = await open()
      expect(await backend.progressiveRetrieve('anything')).toEqual({
        segments: [],
        files: [],
        resources: [],
        notice: 'Nothing is remembered yet.',
      })
    })

    test('takes any text as a query', async () => {
      const backend = await open()
      await backend.commitResults({
        recall_files: [
          {
            name: 'a',
            content: [
              'the build fails with ERR_X9Q_42',
              '数据库迁移在夜间运行',
              'データベースの移行は夜に行う',
              '데이터베이스 이전은 밤에 실행',
              'plain words',
            ].join('\n'),
          },
        ],
      })
      const odd = [
        '"',
        '""unbalanced "quote',
        'a NEAR b',
        'NEAR(x y, 3)',
        '*',
        'foo* AND (bar OR',
        "'; drop table files; --",
        '(((',
        '😀🎉',
        '\\',
        '%_',
        '?',
        '\0',
        '\ud800',
        '-',
        'the of and',
      ]
      for (const query of [...odd, `${'words of a pasted log '.repeat(5000)}`]) {
        await expect(backend.progressiveRetrieve(query)).resolves.toHaveProperty('segments')
      }
      const best = async (query: string) => (await backend.progressiveRetrieve(query)).segments[0]!.text
      expect(await best('why ERR_X9Q_42?')).toContain('ERR_X9Q_42')
      expect(await best(`${'nothing known here '.repeat(5000)} ERR_X9Q_42`)).toContain('ERR_X9Q_42')
      expect(await best('数据库什么时候迁移')).toContain('数据库')
      expect(await best('データベースの移行')).toContain('データベース')
      expect(await best('데이터베이스 이전')).toContain('데이터베이스')
    })

    test('gives at most the limit, of one track where asked, and the neighbours of a hit a chance', async () => {
      const backend = await open()
      const lines = Array.from({ length: 30 }, (_, index) => `deploy step ${index}`)
      await backend.commitResults({
        recall_files: [
          { name: 'steps', content: lines.join('\n') },
          { name: 'more', content: 'deploy elsewhere' },
          { track: 'skill', name: 'deploy', description: 'deploy it', content: '' },
        ],
      })
      const five = await backend.progressiveRetrieve('deploy')
      expect(five.segments).toHaveLength(5)
      const two = await backend.progressiveRetrieve('deploy', { limit: 2 })
      expect(two.segments).toHaveLength(2)
      expect(two.files).toHaveLength(2)
      const skills = await backend.progressiveRetrieve('deploy', { track: 'skill' })
      expect(skills.segments.map(({ track }) => track)).toEqual(['skill'])
      expect(skills.files.map(({ track }) => track)).toEqual(['skill'])
      expect((await backend.progressiveRetrieve('deploy', { track: 'none' })).files).toEqual([])
    })

    test('keeps what one user committed from another', async () => {
      const backend = await open()
      await backend.commitResults({ recall_files: [{ name: 'a', content: 'shared words of dev' }], user: { user_id: 'dev' } })
      await backend.commitResults({
        recall_files: [{ name: 'a', content: 'shared words of ops' }],
        user: { user_id: 'ops', agent_id: 'x' },
      })
      const where = { user_id: 'dev' }
      expect((await backend.progressiveRetrieve('shared words', { where })).segments.map(({ text }) => text)).toEqual([
        'shared words of dev',
      ])
      expect((await backend.listAllRecallFiles({ where })).recall_files).toMatchObject([{ user_id: 'dev', agent_id: '' }])
      expect((await backend.progressiveRetrieve('shared words')).segments).toHaveLength(2)
      await backend.commitResults({ forget: [{ track: 'memory', name: 'a' }], user: { user_id: 'dev' } })
      expect((await backend.listAllRecallFiles()).recall_files).toHaveLength(1)
    })

    test('can be closed twice', async () => {
      const backend = await openBackend(fakeEmbedder())
      await backend.close()
      await backend.close()
    })
  })
}
