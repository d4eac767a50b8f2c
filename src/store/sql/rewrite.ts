/** Rebuilds the indexes of a corpus from its segments and vectors, and closes the gaps that removed segments left. */
import { keyOf, numberOf, POSTING_CHUNK } from '../chunk.ts'
import { vectorOf } from '../vectors/vector-rows.ts'
import type { CorpusRow } from './corpora.ts'
import type { Driver, Value } from './driver.ts'
import { indexer } from './indexer.ts'

interface SegmentWithVector {
  readonly key: number
  readonly owner: number
  readonly ordinal: number
  readonly text: string
  readonly vector: Uint8Array | null
}

/** Inside a write transaction; memory stays within one chunk of postings. The order of the segments is kept. */
export async function rewriteCorpus(driver: Driver, corpus: CorpusRow, dimensions: number): Promise<void> {
  for (const table of ['postings', 'slots', 'vector_chunks', 'vector_copies'])
    await driver.run(`delete from ${table} where corpus = ?`, [corpus.id])
  corpus.next_slot = 0
  corpus.dead = 0
  const index = indexer(driver, corpus, dimensions)
  for (let after = keyOf(corpus.id, 0) - 1; ; ) {
    const rows = await driver.all<SegmentWithVector>(
      `select s.key, s.owner, s.ordinal, s.text, v.vector from segments s left join vectors v on v.key = s.key
       where s.key > ? and s.key < ? order by s.key limit ?`,
      [after, keyOf(corpus.id + 1, 0), POSTING_CHUNK],
    )
    if (rows.length === 0) break
    after = rows.at(-1)!.key
    const renamed: Value[][] = []
    for (const { key, owner, ordinal, text, vector } of rows) {
      const slot = index.add(numberOf(owner), ordinal, text, vector === null ? undefined : vectorOf(vector))
      if (keyOf(corpus.id, slot) !== key) renamed.push([keyOf(corpus.id, slot), key])
    }
    await index.flush()
    // New keys are never above the old ones and ascend, so that each is free when its turn comes.
    await driver.runMany('update segments set key = ? where key = ?', renamed)
    await driver.runMany('update vectors set key = ? where key = ?', renamed)
  }
  await index.flush()
}
