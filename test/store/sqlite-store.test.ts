import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectWriter, openSqlite } from '../../src/store/sqlite/open.ts'
import { storeContract } from '../contract/store.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

storeContract('SQLite', async () => (await openSqlite(join(temporaryFolder(), 'memory.db')))!)

test('A commit is on the disk when it returns: the cursors that are written next rely on it.', () => {
  const database = connectWriter(join(temporaryFolder(), 'memory.db'), 100)
  // 2 is FULL: under a write-ahead log, 1 (NORMAL) syncs at checkpoints only.
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 })
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  database.close()
})
