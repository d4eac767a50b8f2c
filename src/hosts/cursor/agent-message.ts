/** A message in the store of Cursor's agent: `{role, content}`, the content a text or parts (`text`, `tool-call`, `tool-result`). */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, callPlace, callText, outputText } from '../fields.ts'
import { type Clock, speech, type Unkeyed } from './speech.ts'

export interface MessageReading extends Clock {
  /** Only its tools count. */
  readonly isSubagent: boolean
}

export function agentMessage({ role, content }: JsonObject, reading: MessageReading): Unkeyed[] {
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return []
  const parts = asBlocks(content)
  const spoken = role === 'tool' || reading.isSubagent ? undefined : speech(parts, role, reading)
  const tools = parts.flatMap((part) => toolRecord(part) ?? [])
  return spoken === undefined ? tools : [spoken, ...tools]
}

function toolRecord(part: JsonObject): Unkeyed | undefined {
  const name = asText(part.toolName)
  const call = asText(part.toolCallId)
  const tool = { ...(name && { name }), ...(call && { call }) }
  if (part.type === 'tool-call') {
    const input = part.args ?? part.input
    return { kind: 'tool', role: 'tool', text: callText(input), tool: { part: 'call', ...tool, ...callPlace(input) } }
  }
  if (part.type !== 'tool-result') return undefined
  const failed = part.isError === true && ({ failed: true } as const)
  return { kind: 'tool', role: 'tool', text: resultText(part.result ?? part.output), tool: { part: 'result', ...tool, ...failed } }
}

/** Text, blocks of text, or `{type, value}`; anything else as JSON. */
function resultText(result: unknown): string {
  if (result === undefined) return ''
  const value = asObject(result)?.value ?? result
  return outputText(value) || (typeof value === 'string' ? '' : JSON.stringify(value))
}
