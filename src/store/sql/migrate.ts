/** Brings a store to this program's schema: numbered steps, each run once in the order of their numbers, in one transaction. */
import { MemuError } from '../../util/errors.ts'
import type { Dialect, Driver } from './driver.ts'
import { ensureId, readState, setMeta } from './meta.ts'
import { initial } from './migrations/0001-initial.ts'

/** The statements of one step, in order. */
export type Step = (dialect: Dialect) => readonly string[]

/** Append only: a step that was released never changes. Step n brings the schema to n. */
const STEPS: readonly Step[] = [initial]
export const SCHEMA = STEPS.length

/**
 * The schema that the store has: 0 where it holds nothing yet.
 * Errors: `store_newer`; `store_foreign` where the tables are another program's.
 */
export async function checkSchema(driver: Driver, newest = SCHEMA): Promise<number> {
  const exists = async (table: string) => (await driver.get(driver.dialect.tableExists, [table])) !== undefined
  if (!(await exists('meta'))) {
    if (await exists('memu_recall_files')) throw foreign(driver.location)
    return 0
  }
  const { schema } = await readState(driver)
  if (schema > newest) {
    throw new MemuError('store_newer', `The store ${driver.location} has schema ${schema}; this program knows up to ${newest}.`, {
      hint: 'Update memu: npm install -g memu@latest',
      exit: 2,
    })
  }
  return schema
}

/** Runs the steps that are missing, and sees to it that the store has an id. A store that holds something is copied beside itself first. */
export async function migrate(driver: Driver, steps = STEPS): Promise<void> {
  const schema = await checkSchema(driver, steps.length)
  if (schema === steps.length) {
    const { id } = await driver.transaction('read', () => readState(driver))
    if (id === undefined) await driver.transaction('write', () => ensureId(driver))
    return
  }
  if (schema > 0) await driver.backup()
  await driver.transaction('write', async () => {
    // Another process may have done it while this one waited for the lock.
    const current = await checkSchema(driver, steps.length)
    if (current === 0) {
      const { text } = driver.dialect
      await driver.run(`create table if not exists meta (key ${text} primary key, value ${text} not null)`)
    }
    for (const step of steps.slice(current)) for (const sql of step(driver.dialect)) await driver.run(sql)
    await setMeta(driver, 'schema', String(steps.length))
    await ensureId(driver)
  })
}

function foreign(location: string): MemuError {
  return new MemuError('store_foreign', `The store ${location} was written by the Python memU, which this program does not write to.`, {
    hint: 'Set MEMU_DB to a new file; the old one stays as it is. Taking it over (`memu import`) comes in a later version.',
    exit: 2,
  })
}
