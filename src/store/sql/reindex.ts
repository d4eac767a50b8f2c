/** Re-embedding in batches, so that it can stop and go on, and rebuilding what is derived. */
import { type EmbeddingSpace, sameSpace } from '../../records.ts'
import { corpusOf, numberOf } from '../chunk.ts'
import type { EmbeddedSegment, PendingSegment } from '../store.ts'
import { vectorBytes, vectorRows } from '../vectors/vector-rows.ts'
import { allCorpora } from './corpora.ts'
import type { Driver } from './driver.ts'
import { indexer } from './indexer.ts'
import { readState, setMeta, writeSpace } from './meta.ts'
import { rewriteCorpus } from './rewrite.ts'
import { extendVectorCopy } from './vector-copy.ts'

/** Inside a write transaction. */
export async function startReindex(driver: Driver, space: EmbeddingSpace): Promise<void> {
  const state = await readState(driver)
  if (state.space !== undefined && sameSpace(state.space, space)) return
  await driver.run('delete from vectors')
  await driver.run('delete from vector_chunks')
  await driver.run('delete from vector_copies')
  await writeSpace(driver, space)
  await setMeta(driver, 'pending', '1')
}

export function withoutVector(driver: Driver, after: number, limit: number): Promise<PendingSegment[]> {
  return driver.all<PendingSegment>(
    'select s.key, s.text from segments s left join vectors v on v.key = s.key where s.key > ? and v.key is null order by s.key limit ?',
    [after, limit],
  )
}

/** Inside a write transaction. A segment that was removed or moved to another key meanwhile is left out. */
export async function putVectors(
  driver: Driver,
  space: EmbeddingSpace,
  vectors: readonly EmbeddedSegment[],
): Promise<'applied' | 'conflict'> {
  const state = await readState(driver)
  if (state.space === undefined || !sameSpace(state.space, space)) return 'conflict'
  for (const corpus of await allCorpora(driver)) {
    const index = indexer(driver, corpus, space.dimensions)
    for (const { key, text, vector } of vectors) {
      if (corpusOf(key) !== corpus.id) continue
      const row = await driver.get<{ text: string }>('select text from segments where key = ?', [key])
      if (row?.text !== text) continue
      await driver.run('insert into vectors (key, vector) values (?, ?) on conflict (key) do update set vector = excluded.vector', [
        key,
        vectorBytes(vector),
      ])
      index.setVector(numberOf(key), vector)
    }
    await index.flush()
  }
  return 'applied'
}

/** Inside a write transaction. */
export async function finishReindex(driver: Driver): Promise<void> {
  const { space } = await readState(driver)
  if (space === undefined) return
  for (const corpus of await allCorpora(driver)) {
    await rewriteCorpus(driver, corpus, space.dimensions)
    await extendVectorCopy(driver, corpus, vectorRows(space.dimensions).stride)
  }
  if ((await withoutVector(driver, 0, 1)).length === 0) await setMeta(driver, 'pending', '0')
}
