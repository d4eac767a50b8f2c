/** What a record of any shape holds, before it is told what of it a person or the agent said. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject } from '../fields.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { callOf, type Part, partsOf, resultOf } from './blocks.ts'
import { isSpoken } from './provenance.ts'

export interface Turn {
  /** Undefined for the system's, and for whoever is not known: then nothing was said. */
  readonly speaker: 'user' | 'assistant' | undefined
  readonly parts: readonly Part[]
  /** A tool item that was understood as a whole. */
  readonly tool?: Pick<SessionRecord, 'text' | 'tool'>
  readonly id: unknown
  readonly time: unknown
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
export function message(record: JsonObject, inner: JsonObject, at: Pick<Turn, 'id' | 'time'>, data: JsonObject = inner): Turn {
  if (TOOL_ROLES.has(inner.role)) return { speaker: undefined, parts: [resultOf(inner)], ...at }
  const role = typeof inner.role === 'string' && Object.hasOwn(SPEAKERS, inner.role) ? SPEAKERS[inner.role] : undefined
  const listed = inner.tool_calls ?? inner.toolRequests
  const calls = Array.isArray(listed) ? listed.map(asObject).filter((call) => call !== undefined) : []
  const speaker = role !== undefined && [record, inner, data].every((object) => isSpoken(object, role)) ? role : undefined
  return { speaker, parts: [...partsOf(inner.content), ...calls.map(callOf)], ...at }
}

export function timeOf({ timestamp, ts, time, created_at, createdAt }: JsonObject): unknown {
  return timestamp ?? ts ?? time ?? created_at ?? createdAt
}
