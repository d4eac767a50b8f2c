/** Rows that lost their vectors, as an interrupted import or a repaired file leaves them. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocal } from '../../src/memory/open.ts'
import { sqliteClass } from '../../src/util/sqlite.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

test('a row without a vector heals when the same is committed again, and nothing else changes', async () => {
  const embedder = fakeEmbedder()
  const db = join(temporaryFolder(), 'memory.db')
  const payload = {
    recall_files: [
      { name: 'a', content: 'one\ntwo' },
      { name: 'b', content: 'three' },
    ],
    resource: [{ url: '/r', caption: 'four' }],
  }
  const first = await openLocal({ db, embedder })
  await first.commitResults(payload)
  await first.close()

  const raw = new (sqliteClass())(db, {})
  raw.exec("delete from vectors where key in (select key from segments where text in ('two', 'four'))")
  raw.close()

  const backend = await openLocal({ db, embedder })
  expect((await backend.inspect()).withoutVector).toBe(2)
  const before = await backend.listAllRecallFiles()
  embedder.batches.length = 0
  const receipt = await backend.commitResults(payload)
  expect(embedder.batches).toEqual([['two', 'four']])
  expect(receipt.recall_files.map(({ change }) => change)).toEqual(['unchanged', 'unchanged'])
  expect((await backend.inspect()).withoutVector).toBe(0)
  expect(await backend.listAllRecallFiles()).toEqual(before)
  expect(await backend.history({ track: 'memory', name: 'a' })).toHaveLength(1)
  await backend.close()
})

test('many changes leave few dead rows behind: the index is rewritten, and still answers as before', async () => {
  const embedder = fakeEmbedder()
  const db = join(temporaryFolder(), 'memory.db')
  const backend = await openLocal({ db, embedder })
  await backend.commitResults({ recall_files: [{ name: 'kept', content: 'steady words stay\nfor ever' }] })
  for (let round = 0; round < 5; round++) {
    const lines = Array.from({ length: 400 }, (_, index) => `round${round} line ${index}`)
    await backend.commitResults({ recall_files: [{ name: 'changing', content: lines.join('\n') }] })
  }
  await backend.close()
  const raw = new (sqliteClass())(db, {})
  const { dead, next_slot } = raw.prepare("select dead, next_slot from corpora where kind = 'file'").get() as {
    dead: number
    next_slot: number
  }
  raw.close()
  expect(next_slot).toBeLessThan(2002)
  expect(next_slot - dead).toBe(402)
  const again = await openLocal({ db, embedder, readOnly: true })
  expect((await again.progressiveRetrieve('steady words')).segments[0]!.text).toBe('steady words stay')
  expect((await again.progressiveRetrieve('round4 line 77')).segments[0]!.text).toBe('round4 line 77')
  expect((await again.progressiveRetrieve('round1', { lanes: 'text' })).segments).toEqual([])
  await again.close()
})
