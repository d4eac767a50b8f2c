/** The small facts a store remembers about itself: its id, schema, embedding space, whether a re-embedding is under way. */
import type { EmbeddingSpace } from '../../records.ts'
import type { StoreState } from '../store.ts'
import type { Driver } from './driver.ts'

export async function readState(driver: Driver): Promise<StoreState> {
  const values = new Map<string, string>()
  for (const row of await driver.all<{ key: string; value: string }>('select key, value from meta')) values.set(row.key, row.value)
  const id = values.get('store_id')
  const provider = values.get('space_provider')
  const space: EmbeddingSpace | undefined =
    provider === undefined
      ? undefined
      : { provider, model: values.get('space_model') ?? '', dimensions: Number(values.get('space_dimensions')) }
  return {
    ...(id === undefined ? {} : { id }),
    schema: Number(values.get('schema') ?? 0),
    pending: values.get('pending') === '1',
    ...(space === undefined ? {} : { space }),
  }
}

export async function writeSpace(driver: Driver, space: EmbeddingSpace): Promise<void> {
  await setMeta(driver, 'space_provider', space.provider)
  await setMeta(driver, 'space_model', space.model)
  await setMeta(driver, 'space_dimensions', String(space.dimensions))
}

/** Gives the store an id where it has none; of two writers that do so at once, the first one wins. */
export function ensureId(driver: Driver): Promise<void> {
  return driver.run("insert into meta (key, value) values ('store_id', ?) on conflict (key) do nothing", [crypto.randomUUID()])
}

export function setMeta(driver: Driver, key: string, value: string): Promise<void> {
  return driver.run('insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value', [key, value])
}
