/** The embedding space: the one that this program embeds with has to be the store's. Embeds a word to prove that it can. */
import type { EmbeddingSpace } from '../../embedding/embedder.ts'
import { sameSpace } from '../../embedding/embedder.ts'
import { type Check, fail, ok, warn } from '../check.ts'
import { withLocalStore } from './local-store.ts'

export const embeddingCheck: Check = {
  name: 'embedding',
  async run(context) {
    if (context.settings.mode !== 'local') return []
    const { openEmbedder } = await import('../../embedding/open.ts')
    const embedder = await openEmbedder(context.settings, context.system)
    await embedder.embedQuery('memory')
    const own = embedder.space
    const report = await withLocalStore(context, (backend) => backend.inspect())
    const stored = report?.space
    if (stored !== undefined && !sameSpace(stored, own)) {
      if (stored.provider === 'local' && own.provider === 'local')
        return [
          warn(
            `The store has vectors of an older word table (${stored.model}).`,
            'The next commit embeds it anew; memu reindex does it now.',
          ),
        ]
      return [
        fail(
          `The store was embedded with ${named(stored)}, this program embeds with ${named(own)}.`,
          'memu reindex, or set MEMU_EMBED_PROVIDER and MEMU_EMBED_MODEL back.',
        ),
      ]
    }
    if (report?.pending || (report?.withoutVector ?? 0) > 0) {
      return [warn(`${report!.withoutVector} lines are not embedded; until then text alone finds them.`, 'memu reindex')]
    }
    return [ok(`${named(own)}${own.provider === 'local' ? ', offline' : ', answering'}.`)]
  },
}

function named({ provider, model, dimensions }: EmbeddingSpace): string {
  return `${provider} ${model} (${dimensions} dimensions)`
}
