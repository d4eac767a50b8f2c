/**
 * The shapes in which agents log a message, each told from the record alone. Tried in this order: Codex and its kin, OpenClaw and
 * pi, Claude Code, Cursor, clients of the OpenAI API, then streams of events (Copilot), Gemini's and Kimi's. The first that fits has
 * the record; one that fits none is no conversation.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject } from '../fields.ts'
import { toolFields } from '../response-items.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { callOf, functionResult, type Part, partsOf, resultOf } from './blocks.ts'
import { isReplay, isSpoken } from './provenance.ts'

/** What one record holds, before it is told what of it a person or the agent said. */
export interface Turn {
  /** Undefined for the system's, and for whoever is not known: then nothing was said. */
  readonly speaker: 'user' | 'assistant' | undefined
  readonly parts: readonly Part[]
  /** A tool item that was understood as a whole. */
  readonly tool?: Pick<SessionRecord, 'text' | 'tool'>
  readonly id: unknown
  readonly time: unknown
}

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

/** `{type: "user.message", id, data: {content}}` */
function event(record: JsonObject): Turn | undefined {
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
function typedContent(record: JsonObject): Turn | undefined {
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
function wire(record: JsonObject): Turn | undefined {
  const inner = record.type === 'context.append_message' ? asObject(record.message) : undefined
  if (inner !== undefined) return message(record, inner, { id: inner.id, time: record.time })
  const step = record.type === 'context.append_loop_event' ? asObject(record.event) : undefined
  if (step?.type !== 'content.part') return undefined
  return message(record, { role: 'assistant', content: step.part }, { id: step.uuid, time: record.time })
}

const SPEAKERS: Readonly<Record<string, 'user' | 'assistant'>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  gemini: 'assistant',
}
const TOOL_ROLES: ReadonlySet<unknown> = new Set(['tool', 'toolResult', 'function'])

/** A message with a role; `inner` and `data` are asked as well whether a person or the agent said it in this conversation. */
function message(record: JsonObject, inner: JsonObject, at: Pick<Turn, 'id' | 'time'>, data: JsonObject = inner): Turn {
  if (TOOL_ROLES.has(inner.role)) return { speaker: undefined, parts: [resultOf(inner)], ...at }
  const role = typeof inner.role === 'string' && Object.hasOwn(SPEAKERS, inner.role) ? SPEAKERS[inner.role] : undefined
  const listed = inner.tool_calls ?? inner.toolRequests
  const calls = Array.isArray(listed) ? listed.map(asObject).filter((call) => call !== undefined) : []
  const speaker = role !== undefined && [record, inner, data].every((object) => isSpoken(object, role)) ? role : undefined
  return { speaker, parts: [...partsOf(inner.content), ...calls.map(callOf)], ...at }
}

function timeOf({ timestamp, ts, time, created_at, createdAt }: JsonObject): unknown {
  return timestamp ?? ts ?? time ?? created_at ?? createdAt
}
