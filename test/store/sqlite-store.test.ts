import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { storeContract } from '../contract/store.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

storeContract('SQLite', async () => (await openSqlite(join(temporaryFolder(), 'memory.db')))!)
