/** What a row of Hermes' messages is, by its role and the columns around it. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, asTime, callPlace, callText, contentKey, fromJson, IMAGE, joinSpoken, outputText } from '../fields.ts'
import { jsonText, type Row, textOf } from '../sqlite-log.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText, isReview, isSummary } from './human-text.ts'

export interface State {
  /** A copy of the agent looks over the session: until the user speaks again nothing is the conversation's. */
  review?: boolean
}

export interface Conversation {
  /** Its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Content that is a list of parts is kept as JSON behind this. */
const JSON_PREFIX = Buffer.from('\0json:')
/** Compaction may write a message again with another time. Shorter texts are said more than once. */
const SAME_WORDS = 60
/** How a run of a scheduled job says that it has nothing to say. */
const SILENT = '[SILENT]'

/** Throws where the row cannot be made out. */
export function classify(row: Row, state: State, { isSubagent, now }: Conversation): SessionRecord[] {
  const { role } = row
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return []
  const content = contentOf(row)
  if (role === 'user') state.review = typeof content === 'string' && isReview(content)
  if (state.review === true || row.unsaid === 1) return []
  const at = asTime(row.timestamp, now)
  const time = at && { at }
  if (role === 'tool') return [{ ...toolResult(row, content), ...time }]
  const text = isSubagent ? '' : spoken(content, role)
  const message: SessionRecord = { kind: 'message', role, text, ...time, key: messageKey(role, text, row.timestamp) }
  const calls = role === 'assistant' ? toolCalls(row).map((call) => ({ ...call, ...time })) : []
  return text === '' ? calls : [message, ...calls]
}

/** The text, or the list of parts. */
function contentOf({ content }: Row): unknown {
  if (!(content instanceof Uint8Array) || JSON_PREFIX.compare(content, 0, JSON_PREFIX.length) !== 0) return textOf(content)
  return JSON.parse(jsonText(content.subarray(JSON_PREFIX.length)) ?? '')
}

function spoken(content: unknown, role: 'user' | 'assistant'): string {
  const texts = asBlocks(content).map((block) => {
    if (isPicture(block)) return IMAGE
    const text = asText(block.text)?.trim() ?? ''
    if (isSummary(text)) return ''
    return role === 'user' ? humanText(text) : text === SILENT ? '' : text
  })
  return joinSpoken(texts)
}

function isPicture({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.includes('image')
}

function messageKey(role: string, text: string, time: unknown): string {
  return contentKey(role, text, text.length < SAME_WORDS ? time : undefined)
}

function toolResult(row: Row, content: unknown): Omit<SessionRecord, 'at'> {
  const parts = asBlocks(content).map((block) => (isPicture(block) ? { type: 'image' } : block))
  const text = outputText(parts)
  const name = asText(row.tool_name)
  const call = asText(row.tool_call_id)
  const tool = { part: 'result' as const, ...(name && { name }), ...(call && { call }) }
  return { kind: 'tool', role: 'tool', text, tool, key: toolKey('result', call, text, row.timestamp) }
}

function toolCalls(row: Row): SessionRecord[] {
  const stored = textOf(row.tool_calls)
  if (!stored) return []
  const calls: unknown = JSON.parse(stored)
  return (Array.isArray(calls) ? calls : [calls]).flatMap((value): SessionRecord[] => {
    const fields = asObject(value)
    const called = asObject(fields?.function) ?? fields
    if (fields === undefined || called === undefined) return []
    const name = asText(called.name)
    const call = asText(fields.id) ?? asText(fields.call_id)
    const input = fromJson(called.arguments)
    const text = callText(input)
    const tool = { part: 'call' as const, ...(name && { name }), ...(call && { call }), ...callPlace(input) }
    return [{ kind: 'tool', role: 'tool', text, tool, key: toolKey('call', call, text, row.timestamp) }]
  })
}

/** Some model servers number calls anew in every answer, so an id alone is not enough. */
function toolKey(part: string, call: string | undefined, text: string, time: unknown): string {
  return contentKey(part, call ?? time, text.length, text.slice(0, 500))
}
