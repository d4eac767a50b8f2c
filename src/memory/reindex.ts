/** Re-embedding a store, batch by batch. */
import type { Embedder } from '../embedding/embedder.ts'
import { sameSpace } from '../embedding/embedder.ts'
import type { Store } from '../store/store.ts'
import { MemuError } from '../util/errors.ts'
import { embedAll } from './commit.ts'

/** Segments a batch: some requests to a provider, well under a second for the local embedder, and what an interruption repeats at most. */
const BATCH = 512

export interface ReindexOptions {
  /** Called after each batch that was stored. `total` may grow while others commit. */
  readonly onProgress?: (done: number, total: number) => void
  /** Stops between two batches; what was embedded stays. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** How many segments were embedded. Errors: `embedding_failed`; `space_mismatch` where another program changed the space meanwhile. */
export async function reindex(store: Store, embedder: Embedder, { onProgress, signal }: ReindexOptions = {}): Promise<number> {
  const { space } = await store.state()
  const { segments, resources, withoutVector } = await store.inspect()
  const total = space !== undefined && sameSpace(space, embedder.space) ? withoutVector : segments + resources
  if (total > 0) {
    // The embedder has to prove itself before the vectors of another space are given up.
    await embedAll(embedder, ['memu'], signal)
  }
  await store.startReindex(embedder.space)
  let done = 0
  for (let after = -1; ; ) {
    signal?.throwIfAborted()
    const batch = await store.withoutVector(after, BATCH)
    if (batch.length === 0) break
    const texts = [...new Set(batch.map(({ text }) => text))]
    const embedded = new Map((await embedAll(embedder, texts, signal)).map((vector, index) => [texts[index]!, vector]))
    const vectors = batch.map((segment) => ({ ...segment, vector: embedded.get(segment.text)! }))
    if ((await store.putVectors(embedder.space, vectors)) === 'conflict') {
      throw new MemuError('space_mismatch', 'Another program changed the embedding space of the store meanwhile.', {
        hint: 'Run `memu reindex` again.',
      })
    }
    after = batch.at(-1)!.key
    done += batch.length
    onProgress?.(done, Math.max(total, done))
  }
  await store.finishReindex()
  return done
}
