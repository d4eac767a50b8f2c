/** A deterministic embedder for tests: each word is a direction of its own, so that equal words make similar texts. */
import { createHash } from 'node:crypto'
import type { Embedder, EmbeddingSpace } from '../../src/embedding/embedder.ts'

export interface FakeEmbedder extends Embedder {
  /** Every batch that was asked for. */
  readonly batches: string[][]
  /** Set to make the next calls fail. */
  failure: Error | undefined
}

export function fakeEmbedder(space: Partial<EmbeddingSpace> = {}, maxCharacters = 200): FakeEmbedder {
  const full: EmbeddingSpace = { provider: 'local', model: 'fake-1', dimensions: 64, ...space }
  const fake: FakeEmbedder = {
    space: full,
    maxCharacters,
    batches: [],
    failure: undefined,
    async embed(texts) {
      if (fake.failure !== undefined) throw fake.failure
      fake.batches.push([...texts])
      return texts.map((text) => vectorOf(text, full))
    },
    async embedQuery(text) {
      if (fake.failure !== undefined) throw fake.failure
      return vectorOf(text, full)
    },
  }
  return fake
}

function vectorOf(text: string, { model, dimensions }: EmbeddingSpace): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) {
    const hash = createHash('sha256').update(`${model}:${word}`).digest()
    for (let index = 0; index < dimensions; index++) vector[index]! += (hash[index % 32]! & (1 << ((index >> 5) & 7))) === 0 ? 1 : -1
  }
  const norm = Math.hypot(...vector)
  return norm === 0 ? vector : vector.map((number) => number / norm)
}
