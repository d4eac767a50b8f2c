/**
 * The shapes in which agents log a message, each told from the record alone. Tried in this order: Codex and its kin, OpenClaw and
 * pi, Claude Code, Cursor, clients of the OpenAI API, then streams of events (Copilot), Gemini's and Kimi's. The first that fits has
 * the record; one that fits none is no conversation.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject } from '../fields.ts'
import { toolFields } from '../response-items.ts'
import { isReplay } from './provenance.ts'
import { event, typedContent, wire } from './stream-shapes.ts'
import { message, type Turn, timeOf } from './turn.ts'

export interface Shape {
  readonly name: string
  readonly read: (record: JsonObject) => Turn | undefined
}

export const SHAPES: readonly Shape[] = [
  { name: 'payload', read: payload },
  { name: 'message tree', read: messageTree },
  { name: 'typed record', read: typedRecord },
  { name: 'role and message', read: roleAndMessage },
  { name: 'chat row', read: chatRow },
  { name: 'event', read: event },
  { name: 'parts', read: typedContent },
  { name: 'wire', read: wire },
]

/** The shape of a record with what it holds; undefined for what is no part of a conversation. */
export function recognise(record: JsonObject): { readonly shape: string; readonly turn: Turn } | undefined {
  for (const { name, read } of SHAPES) {
    const turn = read(record)
    if (turn !== undefined) return { shape: name, turn: isReplay(record) ? { ...turn, speaker: undefined, parts: [] } : turn }
  }
  return undefined
}

/** `{timestamp, payload: {type, role, content}}`, or the payload alone. */
function payload(record: JsonObject): Turn | undefined {
  const item = asObject(record.payload) ?? (typeof record.type === 'string' && record.message === undefined ? record : undefined)
  if (item === undefined) return undefined
  const time = record.timestamp ?? item.timestamp
  const tool = toolFields(openAiItem(item))
  if (tool !== undefined) return { speaker: undefined, parts: [], tool, id: item.id, time }
  if (item === record || (item.type !== undefined && item.type !== 'message')) return undefined
  return message(record, item, { id: item.id, time })
}

/** WorkBuddy's names for the same items. */
function openAiItem(item: JsonObject): JsonObject {
  if (item.callId === undefined) return item
  const output = item.output !== undefined && asObject(item.output)?.text !== undefined ? [item.output] : item.output
  const type = item.type === 'function_call_result' ? 'function_call_output' : item.type
  return { ...item, type, call_id: item.callId, output }
}

/** `{type: "message", id, message: {role, content}}` */
function messageTree(record: JsonObject): Turn | undefined {
  const inner = record.type === 'message' ? asObject(record.message) : undefined
  return inner && message(record, inner, { id: record.id, time: record.timestamp ?? inner.timestamp })
}

/** `{type: "user" | "assistant", uuid, message: {role, content}}`: the type says who speaks, the blocks what is a tool's. */
function typedRecord(record: JsonObject): Turn | undefined {
  const inner = TYPES.has(record.type) ? asObject(record.message) : undefined
  if (inner === undefined) return undefined
  const body = { ...inner, role: record.type, content: inner.content ?? inner.parts }
  return message(record, body, { id: record.uuid ?? record.id, time: record.timestamp ?? inner.timestamp })
}
const TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system'])

/** `{role, message: {content}}`; the role may stand inside as well. */
function roleAndMessage(record: JsonObject): Turn | undefined {
  const inner = asObject(record.message)
  if (inner === undefined || record.type !== undefined || typeof (record.role ?? inner.role) !== 'string') return undefined
  if (inner.content === undefined) return undefined
  return message(
    record,
    { ...inner, role: record.role ?? inner.role },
    { id: record.id ?? inner.id, time: timeOf(record) ?? timeOf(inner) },
  )
}

/** `{role, content, tool_calls?, tool_call_id?}` */
function chatRow(record: JsonObject): Turn | undefined {
  if (typeof record.role !== 'string' || (record.type !== undefined && record.type !== 'message')) return undefined
  const content = record.content ?? record.parts
  if (content === undefined && record.tool_calls === undefined) return undefined
  return message(record, { ...record, content }, { id: record.id ?? record.uuid, time: timeOf(record) })
}
