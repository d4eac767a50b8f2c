/** What an event of a Copilot CLI session is. Of some hundred and thirty types four hold the conversation; the rest is passed over. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, asTime, callPlace, callText, contentKey, outputText, sessionFacts } from '../fields.ts'
import type { Identified } from '../forks.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { Undoing } from '../rewound.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { isEvent } from './event.ts'
import { type Beginning, beginning } from './forks.ts'

/** What the events so far said of the session. */
interface State {
  title?: string
  project?: string
  branch?: string
  /** A helper that the program started for itself after a session of the user. */
  internal?: boolean
  beginning?: Beginning
}

export interface Events {
  /** The events of this read that a later one takes back, by their `id`. */
  readonly takenBack: (fromStart: boolean) => ReadonlySet<string>
  /** Whether another session hands out the event of this id, from which it was copied. */
  readonly isCopy: (id: string, beginning: Beginning) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

const KEPT = [
  'user\\.message',
  'assistant\\.message',
  'tool\\.execution_start',
  'tool\\.execution_complete',
  'session\\.(?:start|resume|context_changed|title_changed)',
]
/** Any other event: among them the system prompt, what hooks did, and summaries of all that was said. */
const NOISE = new RegExp(`^\\{[^{[]*?"type":"(?!(?:${KEPT.join('|')})")`)
const OF_THE_USER = /^(?:user|human|schedule)(?:$|-)/
/** The type comes first in newer versions. */
const STARTS = ['{"type":"', '{"id":"'].map((start) => Buffer.from(start))

export const copilotUndoing: Undoing = {
  mark: '"session.snapshot_rewind"',
  // Every event counts here: it may be the first that is taken back.
  filter: { skip: () => false, starts: [] },
  isRecord: isEvent,
  play({ id, type, data }, history) {
    if (type === 'session.snapshot_rewind') {
      const { eventIds, upToEventId } = asObject(data) ?? {}
      if (Array.isArray(eventIds)) history.takeBack(eventIds.filter((one) => typeof one === 'string'))
      else history.takeBackFrom(String(upToEventId))
    }
    history.add(String(id))
  },
}

/** The events of a session, as a fork repeats them. */
export const copilotRecords: Identified = {
  filter: { skip: (head) => NOISE.test(head.toString('latin1')), starts: STARTS },
  isRecord: isEvent,
  id: ({ id }) => asText(id),
  undoing: copilotUndoing,
}

export function copilotDialect(events: Events): Dialect<State> {
  let takenBack: ReadonlySet<string> = new Set()
  return {
    ...copilotRecords,
    restore: (stored) => {
      takenBack = events.takenBack(stored === undefined)
      return { ...stored }
    },
    classify: (value, state) => {
      const data = asObject(value.data) ?? {}
      note(value, data, state)
      if (takenBack.has(String(value.id))) return []
      const fields = spoken(value, data) ?? toolFields(value, data)
      if (fields === undefined || isCopy(value, state, events)) return []
      return [record(value, fields, events.now)]
    },
    facts: sessionFacts,
  }
}

/** Copies are older than the session; the others are not asked for. */
function isCopy({ id, timestamp }: JsonObject, { beginning }: State, events: Events): boolean {
  if (beginning === undefined || typeof id !== 'string' || typeof timestamp !== 'string' || timestamp >= beginning.began) return false
  return events.isCopy(id, beginning)
}

type Fields = Pick<SessionRecord, 'kind' | 'role' | 'text' | 'tool'>

/**
 * `content` is what the user sees; what the model was sent, with dates and files around it, stands beside it. A user message with a
 * `source` other than the user or the user's schedule (a skill, a command's text, another agent) is nobody's words, and what a subagent
 * says its caller reports.
 */
function spoken(value: JsonObject, data: JsonObject): Fields | undefined {
  const role = value.type === 'user.message' ? 'user' : value.type === 'assistant.message' ? 'assistant' : undefined
  if (role === undefined || value.agentId != null || data.parentToolCallId != null) return undefined
  if (role === 'user' && (data.isAutopilotContinuation === true || !OF_THE_USER.test(String(data.source ?? 'user')))) return undefined
  const text = asText(data.content)?.trim()
  return text === undefined ? undefined : { kind: 'message', role, text }
}

/** An agent's message names the calls that it asks for, too; they are taken where they were carried out. */
function toolFields({ type }: JsonObject, data: JsonObject): Fields | undefined {
  const call = asText(data.toolCallId)
  const name = asText(data.toolName)
  const tool = { ...(name && { name }), ...(call && { call }) }
  if (type === 'tool.execution_start')
    return { kind: 'tool', role: 'tool', text: callText(data.arguments), tool: { part: 'call', ...tool, ...callPlace(data.arguments) } }
  if (type !== 'tool.execution_complete') return undefined
  const failed = data.success === false
  return { kind: 'tool', role: 'tool', text: resultText(data), tool: { part: 'result', ...tool, ...(failed && { failed }) } }
}

function resultText({ result, error }: JsonObject): string {
  const content = asObject(result)?.content ?? result
  return content === undefined || content === null ? (asText(asObject(error)?.message) ?? outputText(error)) : outputText(asBlocks(content))
}

function record(value: JsonObject, fields: Fields, now: number): SessionRecord {
  const at = asTime(value.timestamp, now)
  return { ...fields, ...(at && { at }), key: asText(value.id) ?? contentKey(fields, value.timestamp) }
}

function note(value: JsonObject, data: JsonObject, state: State): void {
  const { type } = value
  if (typeof type !== 'string' || !type.startsWith('session.')) return
  const first = beginning(value)
  if (first !== undefined) state.beginning ??= first
  const context = type === 'session.context_changed' ? data : asObject(data.context)
  const project = asText(context?.cwd)
  if (project !== undefined) state.project ??= project
  const branch = asText(context?.branch)
  if (branch !== undefined && branch !== 'HEAD') state.branch = branch
  const title = type === 'session.title_changed' ? asText(data.title) : undefined
  if (title !== undefined) state.title = title.trim()
  if (type === 'session.start' && asText(data.detachedFromSpawningParentSessionId) !== undefined) state.internal = true
}
