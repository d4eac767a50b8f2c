/** Chooses the embedder that the settings name. The only place that does. */
import type { Settings } from '../config/settings.ts'
import type { System } from '../util/system.ts'
import type { Embedder } from './embedder.ts'

/**
 * The embedder of `settings`; adapters load only when chosen. A model whose dimensions nobody knows is asked for them once,
 * and the answer is kept; that question keeps to `deadline`. Errors: `invalid_config` (exit 2) for an unknown provider or a missing key, `embedding_failed`.
 */
export async function openEmbedder(settings: Settings, system: System, deadline?: () => AbortSignal): Promise<Embedder> {
  if (settings.embedding.provider === 'local') {
    const { localEmbedder } = await import('./local/embedder.ts')
    return localEmbedder()
  }
  const { openHttpEmbedder } = await import('./open-http.ts')
  return openHttpEmbedder(settings, system, deadline)
}
