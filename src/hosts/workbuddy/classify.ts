/** What a line of a WorkBuddy transcript is, by its type. */
import type { JsonObject } from '../../util/jsonl.ts'
import {
  asBlocks,
  asObject,
  asText,
  asTime,
  callPlace,
  callText,
  contentKey,
  fromJson,
  IMAGE,
  isImage,
  joinSpoken,
  outputText,
  sessionFacts,
} from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText } from './human-text.ts'

/** What the lines so far said of the session. */
interface State {
  title?: string
  /** A person's title beats the program's. */
  isNamed?: true
  project?: string
  branch?: string
}

/** Line types that hold nothing for a miner and can be large. */
const NOISE = /^\{[^{[]*?"type":"(?:reasoning|file-history-snapshot|progress|queue-operation|system)"/

/** `now`: milliseconds since 1970. */
export function workbuddyDialect(now: number): Dialect<State> {
  return {
    filter: { skip: (head) => NOISE.test(head.toString('latin1')), starts: [Buffer.from('{"id":')] },
    isRecord: ({ id, type, timestamp }) => typeof id === 'string' && typeof type === 'string' && timestamp !== undefined,
    restore: (stored) => ({ ...stored }),
    classify: (value, state) => {
      note(value, state)
      const fields = value.type === 'message' ? message(value) : toolFields(value)
      return fields === undefined ? [] : [record(value, fields, now)]
    },
    facts: sessionFacts,
  }
}

type Fields = Pick<SessionRecord, 'kind' | 'role' | 'text' | 'tool'>

function message({ role, content }: JsonObject): Fields | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined
  const texts = asBlocks(content).map((block) => {
    if (isImage(block)) return IMAGE
    const text = asText(block.text) ?? ''
    return role === 'user' ? humanText(text) : text.trim()
  })
  const text = joinSpoken(texts)
  return text === '' ? undefined : { kind: 'message', role, text }
}

function toolFields(value: JsonObject): Fields | undefined {
  const id = asText(value.callId)
  const name = asText(value.name)
  const tool = { ...(name && { name }), ...(id && { call: id }) }
  if (value.type === 'function_call') {
    const input = fromJson(value.arguments)
    return { kind: 'tool', role: 'tool', text: callText(input), tool: { part: 'call', ...tool, ...callPlace(input) } }
  }
  if (value.type !== 'function_call_result') return undefined
  const failed = /^(?:failed|error)$/.test(String(value.status))
  return { kind: 'tool', role: 'tool', text: outputText(value.output), tool: { part: 'result', ...tool, ...(failed && { failed }) } }
}

function record(value: JsonObject, fields: Fields, now: number): SessionRecord {
  const at = asTime(value.timestamp, now)
  return { ...fields, ...(at && { at }), key: asText(value.id) ?? contentKey(fields, value.timestamp) }
}

function note(value: JsonObject, state: State): void {
  const project = asText(value.cwd)
  if (project !== undefined) state.project ??= project
  const branch = asText(value.gitBranch) ?? asText(asObject(value.git)?.branch)
  if (branch !== undefined && branch !== 'HEAD') state.branch = branch
  const named = value.type === 'custom-title' ? asText(value.customTitle) : undefined
  const title = named ?? (value.type === 'ai-title' && !state.isNamed ? asText(value.aiTitle) : undefined)
  if (title !== undefined) state.title = title.trim()
  if (named !== undefined) state.isNamed = true
}
