/** The events of a Codex rollout: they repeat the items in newer files and are all there is in the oldest ones. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asText, asTime } from '../fields.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText } from './human-text.ts'
import { message } from './items.ts'
import type { State } from './state.ts'

/** An item and the event that repeats it are neighbours: after so many events without an item there are none. */
const HELD = 20

export function eventRecords(value: JsonObject, item: JsonObject, state: State, now: number): SessionRecord[] {
  if (item.type === 'thread_name_updated') {
    const title = asText(item.thread_name)
    if (title !== undefined) state.title = title.trim()
    return []
  }
  if (state.hasItems === true || (item.type !== 'user_message' && item.type !== 'agent_message')) return []
  const role = item.type === 'user_message' ? 'user' : 'assistant'
  const said = asText(item.message)
  const text = said === undefined ? '' : role === 'user' ? humanText(said) : said.trim()
  if (text === '') return []
  const held = [...(state.held ?? []), message(role, text, asTime(value.timestamp, now), undefined)]
  state.held = held
  return held.length > HELD ? release(state) : []
}

/** The events held back, once it is clear that no items repeat them. */
export function release(state: State): SessionRecord[] {
  const held = state.held ?? []
  delete state.held
  return held
}
