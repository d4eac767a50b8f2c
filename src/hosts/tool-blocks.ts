/** Tool blocks as the Messages API shapes them, which several programs write into their logs: `tool_use` and `tool_result`. */
import type { JsonObject } from '../util/jsonl.ts'
import { asText, callPlace, callText, outputText } from './fields.ts'
import type { SessionRecord } from './transcript-source.ts'

/** What a content block says of a tool; undefined for every other block. */
export function toolPart(block: JsonObject): Pick<SessionRecord, 'text' | 'tool'> | undefined {
  const type = block.type
  if (type === 'tool_use' || type === 'server_tool_use') {
    const name = asText(block.name)
    const call = asText(block.id)
    const tool = { part: 'call' as const, ...(name && { name }), ...(call && { call }), ...callPlace(block.input) }
    return { text: callText(block.input), tool }
  }
  if (typeof type !== 'string' || !type.endsWith('tool_result')) return undefined
  const call = asText(block.tool_use_id)
  return {
    text: outputText(block.content),
    tool: { part: 'result', ...(call && { call }), ...(block.is_error === true && { failed: true }) },
  }
}
