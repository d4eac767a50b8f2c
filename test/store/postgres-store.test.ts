import { migrate } from '../../src/store/sql/migrate.ts'
import { sqlStore } from '../../src/store/sql/sql-store.ts'
import { storeContract } from '../contract/store.ts'
import { pgliteDriver } from '../helpers/pglite-driver.ts'

storeContract('Postgres', async () => {
  const driver = await pgliteDriver()
  await migrate(driver)
  return sqlStore(driver)
})
