/** The store over a SQL database: one repository for SQLite and Postgres, which differ in their driver alone. */
import type { Store, StoreReport } from '../store.ts'
import { apply } from './apply.ts'
import { openCorpus } from './corpus.ts'
import type { Driver } from './driver.ts'
import { findFiles, findResources, listFiles, versionsOf } from './find.ts'
import { inspect } from './inspect.ts'
import { readState } from './meta.ts'
import { finishReindex, putVectors, startReindex, withoutVector } from './reindex.ts'

/** The database has this program's schema already (see migrate.ts). */
export function sqlStore(driver: Driver): Store {
  const read = <T>(use: () => Promise<T>) => driver.transaction('read', use)
  const write = <T>(use: () => Promise<T>) => driver.transaction('write', use)
  return {
    kind: driver.kind,
    location: driver.location,
    state: () => read(() => readState(driver)),
    list: (where, after, limit) => read(() => listFiles(driver, where, after, limit)),
    findFiles: (scope, keys) => read(() => findFiles(driver, scope, keys)),
    findResources: (scope, urls) => read(() => findResources(driver, scope, urls)),
    apply: (change) => write(() => apply(driver, change)),
    read: (use) =>
      read(async () => {
        const state = await readState(driver)
        return use({ state, corpus: (kind, where, track) => openCorpus(driver, state, kind, where, track) })
      }),
    history: (scope, key) => read(() => versionsOf(driver, scope, key)),
    startReindex: (space) => write(() => startReindex(driver, space)),
    withoutVector: (after, limit) => read(() => withoutVector(driver, after, limit)),
    putVectors: (space, vectors) => write(() => putVectors(driver, space, vectors)),
    finishReindex: () => write(() => finishReindex(driver)),
    async inspect(options): Promise<StoreReport> {
      const report = await read(() => inspect(driver))
      return options?.integrity === true ? { ...report, problems: await driver.check() } : report
    },
    close: () => driver.close(),
  }
}
