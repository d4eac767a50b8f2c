/** The engine over each store passes one contract. */
import { join } from 'node:path'
import { localBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import { migrate } from '../../src/store/sql/migrate.ts'
import { sqlStore } from '../../src/store/sql/sql-store.ts'
import { backendContract } from '../contract/backend.ts'
import { pgliteDriver } from '../helpers/pglite-driver.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

backendContract('in-memory', (embedder) => openLocal({ db: ':memory:', embedder }))

backendContract('SQLite', (embedder) => openLocal({ db: join(temporaryFolder(), 'memory.db'), embedder }))

backendContract('Postgres', async (embedder) => {
  const driver = await pgliteDriver()
  await migrate(driver)
  return localBackend({ store: sqlStore(driver), embedder: async () => embedder, now: () => new Date() })
})
