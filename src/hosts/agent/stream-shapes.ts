/** The shapes in which agents log a message as an event of a stream: Copilot's, Gemini's and Kimi's. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject } from '../fields.ts'
import { callOf, functionResult, type Part, resultOf } from './blocks.ts'
import { message, type Turn } from './turn.ts'

/** `{type: "user.message", id, data: {content}}` */
export function event(record: JsonObject): Turn | undefined {
  const data = asObject(record.data)
  if (data === undefined || typeof record.type !== 'string') return undefined
  const at = { id: record.id, time: record.timestamp }
  // An agent is named where it is not the one that the person talks to; a source, where it is not the person.
  const own = record.agentId === undefined
  switch (record.type) {
    case 'user.message':
      return message(record, { role: own && data.source === undefined ? 'user' : '', content: data.content }, at, data)
    case 'assistant.message':
      return message(record, { role: own ? 'assistant' : '', content: data.content, tool_calls: data.toolRequests }, at, data)
    case 'tool.execution_start':
      return { speaker: undefined, parts: [callOf({ name: data.toolName, id: data.toolCallId, arguments: data.arguments })], ...at }
    case 'tool.execution_complete': {
      const output = asObject(data.result)?.content ?? asObject(data.error)?.message
      return { speaker: undefined, parts: [resultOf({ ...data, content: output })], ...at }
    }
    default:
      return undefined
  }
}

/** `{id, type: "user" | "gemini", content, toolCalls?}` */
export function typedContent(record: JsonObject): Turn | undefined {
  if (record.content === undefined || record.message !== undefined || !GEMINI_TYPES.has(record.type)) return undefined
  const calls = Array.isArray(record.toolCalls) ? record.toolCalls.map(asObject).filter((call) => call !== undefined) : []
  const turn = message(record, { role: record.type, content: record.content }, { id: record.id, time: record.timestamp })
  return { ...turn, parts: [...turn.parts, ...calls.flatMap(geminiCall)] }
}
const GEMINI_TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'model', 'assistant'])

/** The call and, once it is over, its result stand in one. */
function geminiCall(call: JsonObject): Part[] {
  const results = asBlocks(call.result)
    .map((block) => asObject(block.functionResponse))
    .filter((result) => result !== undefined)
  return [callOf(call), ...results.map((result) => functionResult({ id: call.id, name: call.name, ...result }))]
}

/** `{type: "context.append_message", time, message: {role, content}}`; what the agent says comes in parts of a step. */
export function wire(record: JsonObject): Turn | undefined {
  const inner = record.type === 'context.append_message' ? asObject(record.message) : undefined
  if (inner !== undefined) return message(record, inner, { id: inner.id, time: record.time })
  const step = record.type === 'context.append_loop_event' ? asObject(record.event) : undefined
  if (step?.type !== 'content.part') return undefined
  return message(record, { role: 'assistant', content: step.part }, { id: step.uuid, time: record.time })
}
