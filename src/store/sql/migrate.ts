/** Brings a store to this program's schema: numbered steps, each run once in the order of their numbers, in one transaction. */
import { MemuError } from '../../util/errors.ts'
import type { Driver } from './driver.ts'
import { readState, setMeta } from './meta.ts'
import { initial } from './migrations/0001-initial.ts'

/** Append only: a step that was released never changes. Step n brings the schema to n. */
const STEPS = [initial]
export const SCHEMA = STEPS.length

/**
 * The schema that the store has: 0 where it holds nothing yet.
 * Errors: `store_newer`, `store_foreign` where the tables are another program's.
 */
export async function checkSchema(driver: Driver): Promise<number> {
  const exists = async (table: string) => (await driver.get(driver.dialect.tableExists, [table])) !== undefined
  if (await exists('memu_recall_files')) {
    throw new MemuError(
      'store_foreign',
      `The store ${driver.location} was written by the Python memU, which this program does not write to.`,
      {
        hint: `Set MEMU_DB to a new file, then run \`memu import ${driver.location}\`; the old file stays as it is.`,
        exit: 2,
      },
    )
  }
  const schema = (await exists('meta')) ? (await readState(driver)).schema : 0
  if (schema > SCHEMA) {
    throw new MemuError('store_newer', `The store ${driver.location} has schema ${schema}; this program knows up to ${SCHEMA}.`, {
      hint: 'Update memu: npm install -g memu@latest',
      exit: 2,
    })
  }
  return schema
}

/** Runs the steps that are missing. A store that holds something is copied beside itself first. */
export async function migrate(driver: Driver): Promise<void> {
  const schema = await checkSchema(driver)
  if (schema === SCHEMA) return
  if (schema > 0) await driver.backup()
  await driver.transaction('write', async () => {
    // Another process may have done it while this one waited for the lock.
    const current = await checkSchema(driver)
    if (current === 0) {
      const { text } = driver.dialect
      await driver.run(`create table if not exists meta (key ${text} primary key, value ${text} not null)`)
    }
    for (const step of STEPS.slice(current)) for (const sql of step(driver.dialect)) await driver.run(sql)
    await setMeta(driver, 'schema', String(SCHEMA))
  })
}
