/** A bubble of the chat panel of early versions, in the shape of today's. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'

/** How deep the document of a text editor is looked into; what people type is three or four levels deep. */
const DEPTH = 20

export function panelBubble(bubble: JsonObject): JsonObject {
  const text = asText(bubble.text) ?? asText(bubble.rawText) ?? typedText(bubble.initText)
  return { type: bubble.type, id: bubble.id, ...(text === undefined ? {} : { text }), createdAt: bubble.createdAt ?? bubble.timestamp }
}

/** What was typed is kept as the document of the text editor, JSON in a string: its texts, one a paragraph. */
function typedText(document: unknown): string | undefined {
  try {
    const root = asObject(JSON.parse(asText(document) ?? ''))?.root
    return asText(textIn(root, 0))
  } catch {
    return undefined // No document: then nothing was typed.
  }
}

function textIn(node: unknown, depth: number): string {
  const { type, text, children } = asObject(node) ?? {}
  if (typeof text === 'string') return text
  if (type === 'linebreak') return '\n'
  if (!Array.isArray(children) || depth > DEPTH) return ''
  return children.map((child) => textIn(child, depth + 1)).join(type === 'root' ? '\n' : '')
}
