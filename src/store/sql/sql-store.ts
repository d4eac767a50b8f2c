/**
 * The store over a SQL database: one repository for SQLite and Postgres, which differ in their driver alone. What a search does not
 * need loads at its first use: a search is on the path of every prompt.
 */
import type { Store, StoreReport } from '../store.ts'
import { openCorpus } from './corpus.ts'
import type { Driver } from './driver.ts'
import { readState } from './meta.ts'

/** The database has this program's schema already (see migrate.ts). */
export function sqlStore(driver: Driver): Store {
  const read = <T>(use: () => Promise<T>) => driver.transaction('read', use)
  const write = <T>(use: () => Promise<T>) => driver.transaction('write', use)
  return {
    kind: driver.kind,
    location: driver.location,
    state: () => read(() => readState(driver)),
    async list(where, after, limit) {
      const { listFiles } = await import('./find.ts')
      return read(() => listFiles(driver, where, after, limit))
    },
    async forgotten(where) {
      const { forgottenFiles } = await import('./find.ts')
      return read(() => forgottenFiles(driver, where))
    },
    async findFiles(scope, keys) {
      const { findFiles } = await import('./find.ts')
      return read(() => findFiles(driver, scope, keys))
    },
    async findResources(scope, urls) {
      const { findResources } = await import('./find.ts')
      return read(() => findResources(driver, scope, urls))
    },
    async apply(change) {
      const { apply } = await import('./apply.ts')
      return write(() => apply(driver, change))
    },
    read: (use) =>
      read(async () => {
        const state = await readState(driver)
        return use({ state, corpus: (kind, where, track) => openCorpus(driver, state, kind, where, track) })
      }),
    async history(scope, key) {
      const { versionsOf } = await import('./find.ts')
      return read(() => versionsOf(driver, scope, key))
    },
    async startReindex(space) {
      const { startReindex } = await import('./reindex.ts')
      return write(() => startReindex(driver, space))
    },
    async withoutVector(after, limit) {
      const { withoutVector } = await import('./reindex.ts')
      return read(() => withoutVector(driver, after, limit))
    },
    async putVectors(space, vectors) {
      const { putVectors } = await import('./reindex.ts')
      return write(() => putVectors(driver, space, vectors))
    },
    async finishReindex() {
      const { finishReindex } = await import('./reindex.ts')
      return write(() => finishReindex(driver))
    },
    async inspect(options): Promise<StoreReport> {
      const { inspect } = await import('./inspect.ts')
      const report = await read(() => inspect(driver))
      return options?.integrity === true ? { ...report, problems: await driver.check() } : report
    },
    close: () => driver.close(),
  }
}
