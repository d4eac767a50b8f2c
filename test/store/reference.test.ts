/** Whatever is committed, changed and forgotten, SQLite answers what the plain store in memory answers. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommitPayload } from '../../src/memory/backend.ts'
import type { LocalBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Few words and few names, so that everything collides with everything. */
const words = ['deploy', 'night', 'proxy', 'ERR_X9Q_42', 'cache', 'dev', '数据库', 'tabs']
const line = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '))
const name = fc.constantFrom('a', 'B', 'b', 'ü')
const track = fc.constantFrom('memory', 'skill')
const user = fc.constantFrom(undefined, { user_id: 'dev' }, { user_id: 'ops', agent_id: 'x' })
const file = fc.record({ track, name, description: line, content: fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n')) })
const payload: fc.Arbitrary<CommitPayload> = fc
  .record({
    recall_files: fc.array(file, { maxLength: 3 }),
    resource: fc.array(fc.record({ url: fc.constantFrom('/r', '/s'), caption: line }), { maxLength: 2 }),
    forget: fc.array(fc.record({ track, name }), { maxLength: 2 }),
    user,
  })
  .map(({ user: scope, ...rest }) => ({ ...rest, ...(scope === undefined ? {} : { user: scope }) }))

type Answer = Awaited<ReturnType<typeof answerOf>>

async function answerOf(backend: LocalBackend, query: string, options: Parameters<LocalBackend['progressiveRetrieve']>[1]) {
  const round = (score: number) => Math.round(score * 1000) / 1000
  const { segments, files, resources } = await backend.progressiveRetrieve(query, { ...options, limit: 1000 })
  // Equal scores may come in any order, and the vector index rounds: compared is what was found with which text score.
  const sorted = (rows: string[]) => rows.sort()
  return {
    segments: sorted(
      segments.map(({ track: its, name: of, ordinal, text, text_score }) => JSON.stringify([its, of, ordinal, text, round(text_score)])),
    ),
    files: sorted(files.map(({ track: its, name: of, content, text_score }) => JSON.stringify([its, of, content, round(text_score)]))),
    resources: sorted(resources.map(({ url, caption, text_score }) => JSON.stringify([url, caption, round(text_score)]))),
    similarities: new Map(segments.map(({ id, text, similarity }) => [`${id.slice(-14)} ${text}`, similarity])),
  }
}

test('a SQLite store and the reference agree after any commits', async () => {
  const query = fc.record({
    text: line,
    where: user,
    track: fc.option(track, { nil: undefined }),
    lanes: fc.constantFrom('hybrid', 'text'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 6 }), query, fc.boolean(), async (payloads, asked, rebuild) => {
      const folder = temporaryFolder()
      const embedder = fakeEmbedder()
      const reference = await openLocal({ db: ':memory:', embedder })
      const sqlite = await openLocal({ db: join(folder, 'memory.db'), embedder })
      try {
        for (const one of payloads) {
          const [expected, receipt] = [await reference.commitResults(one), await sqlite.commitResults(one)]
          const changes = ({ recall_files, resources, forgotten }: typeof receipt) => [
            recall_files.map(({ change }) => change),
            resources.map(({ change }) => change),
            forgotten,
          ]
          expect(changes(receipt)).toEqual(changes(expected))
        }
        if (rebuild) await sqlite.reindex()
        const options = {
          lanes: asked.lanes as 'hybrid' | 'text',
          ...(asked.where === undefined ? {} : { where: asked.where }),
          ...(asked.track === undefined ? {} : { track: asked.track }),
        }
        const [expected, found]: [Answer, Answer] = [
          await answerOf(reference, asked.text, options),
          await answerOf(sqlite, asked.text, options),
        ]
        expect(found.segments).toEqual(expected.segments)
        expect(found.files).toEqual(expected.files)
        expect(found.resources).toEqual(expected.resources)
        for (const [text, similarity] of found.similarities) {
          const exact = expected.similarities.get(text)
          expect(exact).toBeDefined()
          expect(Math.abs(similarity - exact!)).toBeLessThan(0.01)
        }
        const listed = async (backend: LocalBackend) =>
          (await backend.listAllRecallFiles({ limit: 1000 })).recall_files.map((one) => [
            one.user_id,
            one.track,
            one.name,
            one.description,
            one.content,
          ])
        expect((await listed(sqlite)).sort()).toEqual((await listed(reference)).sort())
      } finally {
        await sqlite.close()
      }
    }),
    { numRuns: 60 },
  )
})
