/** Every store has an id of its own: a mirror tells by it that the store it was written from is gone. */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocal } from '../../src/memory/open.ts'
import { sqliteClass } from '../../src/util/sqlite.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const embedder = fakeEmbedder()

async function idOf(db: string, readOnly = false): Promise<string | undefined> {
  const memory = await openLocal({ db, embedder, readOnly })
  try {
    return (await memory.listAllRecallFiles()).store_id
  } finally {
    await memory.close()
  }
}

test('A store keeps its id through commits and openings, and a copy of it has the same one.', async () => {
  const db = join(temporaryFolder(), 'memory.db')
  const first = await idOf(db)
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  const memory = await openLocal({ db, embedder })
  await memory.commitResults({ recall_files: [{ name: 'a', content: 'one' }] })
  await memory.reindex()
  await memory.close()
  expect(await idOf(db)).toBe(first)
  expect(await idOf(db, true)).toBe(first)
  copyFileSync(db, `${db}.copy`)
  expect(await idOf(`${db}.copy`)).toBe(first)
})

test('Another store at the same place has another id.', async () => {
  expect(await idOf(join(temporaryFolder(), 'memory.db'))).not.toBe(await idOf(join(temporaryFolder(), 'memory.db')))
  expect(await idOf(':memory:')).not.toBe(await idOf(':memory:'))
})

test('An old store without an id gets one from a writer, and none from a reader, which leaves the file as it is.', async () => {
  const db = join(temporaryFolder(), 'memory.db')
  await idOf(db)
  const database = new (sqliteClass())(db, {})
  database.exec("delete from meta where key = 'store_id'; pragma wal_checkpoint(truncate)")
  database.close()
  const before = readFileSync(db)
  expect(await idOf(db, true)).toBeUndefined()
  expect(readFileSync(db).equals(before)).toBe(true)
  const given = await idOf(db)
  expect(given).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf(db)).toBe(given)
})
