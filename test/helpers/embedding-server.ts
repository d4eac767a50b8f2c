/** Answers like an embedding provider: a deterministic vector a text, from its words, so that equal words are near. */
import { createHash } from 'node:crypto'
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.ts'

export const DIMENSIONS = 16

export function vectorOf(text: string, dimensions = DIMENSIONS): number[] {
  const sum = new Array<number>(dimensions).fill(0.01)
  for (const word of text.toLowerCase().split(/\s+/)) {
    const digest = createHash('sha256').update(word).digest()
    for (let at = 0; at < dimensions; at++) sum[at]! += digest[at % digest.length]! / 128 - 1
  }
  return sum
}

/** In reverse order where the form has an index, since order is the index's business. */
export function openaiReply({ body }: Asked): Reply {
  const texts = body.input as string[]
  return {
    body: { object: 'list', data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse() },
  }
}

export function ollamaReply({ body }: Asked): Reply {
  return { body: { model: body.model, embeddings: (body.input as string[]).map((text) => vectorOf(text)) } }
}

export function embeddingServer(): Promise<JsonServer> {
  return jsonServer((asked) => (asked.path.endsWith('/api/embed') ? ollamaReply(asked) : openaiReply(asked)))
}
