/**
 * The embedder port. One embedder is one embedding space: vectors of different spaces are never compared.
 */
import type { EmbeddingSpace } from '../records.ts'

export { type EmbeddingSpace, sameSpace } from '../records.ts'

export interface Embedder {
  readonly space: EmbeddingSpace
  /**
   * One unit vector (L2 norm 1, `space.dimensions` numbers) a text, in the order of the texts. Any UTF-8 text is valid,
   * the empty one too (then the vector may be all zeros). Deterministic for the `local` provider.
   * Errors: `embedding_failed` with the provider's reason, never with a key in it. All texts or none.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * The vector of a search query, where the provider treats queries apart (a query prefix or task type). `weight` gives
   * the share of each word (its inverse document frequency in the store); only the local embedder uses it.
   */
  embedQuery(text: string, weight?: (stem: string) => number, signal?: AbortSignal): Promise<Float32Array>
  /** The longest text in characters that is embedded whole; the engine splits longer ones. */
  readonly maxCharacters: number
}
