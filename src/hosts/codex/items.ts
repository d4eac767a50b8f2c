/** The items of a Codex rollout: messages, calls and their results. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, asTime, contentKey, IMAGE, isImage, joinSpoken } from '../fields.ts'
import { toolFields } from '../response-items.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText, provenance } from './human-text.ts'
import type { State } from './state.ts'

/** A message without an id is one with the same words as an earlier one only from this length on: "yes" may be said twice. */
const SAME_WORDS = 60

/** What an item holds; `value` is the line in which it stands. */
export function itemRecords(value: JsonObject, item: JsonObject, state: State, now: number): SessionRecord[] {
  // The summary that a compaction asks for stands as a message of the agent.
  if (asObject(value.metadata)?.compaction_output === true) return []
  const at = asTime(value.timestamp ?? item.timestamp, now)
  const tool = toolFields(item)
  if (tool !== undefined) {
    const { call, part } = tool.tool
    // Some model servers number calls and messages anew in every answer, so an id alone is not enough.
    const key = contentKey(call ?? item.id ?? value.timestamp, part, tool.text.length, tool.text.slice(0, 500))
    return [{ kind: 'tool', role: 'tool', ...tool, ...(at && { at }), key }]
  }
  if (item.type !== 'message' && !(item.type === undefined && item.role !== undefined)) return []
  if (typeof item.role === 'string') {
    state.hasItems = true
    delete state.held
  }
  if (item.role !== 'user' && item.role !== 'assistant') return []
  const text = messageText(item, item.role)
  return text === '' ? [] : [message(item.role, text, at, asText(item.id))]
}

function messageText(item: JsonObject, role: 'user' | 'assistant'): string {
  const texts = asBlocks(item.content).map((block, index) => {
    const source = role === 'user' ? provenance(item, index) : undefined
    if (source !== undefined && source !== 'user') return ''
    if (isImage(block)) return IMAGE
    const text = asText(block.text) ?? ''
    return role === 'user' ? humanText(text) : text.trim()
  })
  return joinSpoken(texts)
}

/** A message of an item or of an event. */
export function message(role: 'user' | 'assistant', text: string, at: string | undefined, id: string | undefined): SessionRecord {
  const key = contentKey(role, text, id ?? (text.length < SAME_WORDS ? at : undefined))
  return { kind: 'message', role, text, ...(at && { at }), key }
}
