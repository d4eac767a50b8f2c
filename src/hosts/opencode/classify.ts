/** What a part of one of opencode's messages is, by the message's role and the part's type. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, callPlace, callText, IMAGE } from '../fields.ts'
import type { SessionRecord } from '../transcript-source.ts'

export interface Part {
  readonly id: string
  /** The message it belongs to, as the host stored it. */
  readonly message: JsonObject
  readonly data: JsonObject
}

export interface Conversation {
  /** Its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export function classify({ id, message, data }: Part, conversation: Conversation): SessionRecord[] {
  const { role } = message
  // A summary stands for what was said before it.
  if ((role !== 'user' && role !== 'assistant') || message.summary === true) return []
  if (data.type === 'tool') return toolRecords(id, data, message, conversation)
  if (conversation.isSubagent) return []
  const text = role === 'user' ? typed(data) : answered(data)
  const at = asTime(asObject(data.time)?.start ?? asObject(message.time)?.created, conversation.now)
  return text === '' ? [] : [{ kind: 'message', role, text, ...(at && { at }), key: `${id}#text` }]
}

/** What the program adds to a prompt (the text of files, reminders) is `synthetic`; what only the screen shows is `ignored`. */
function typed(data: JsonObject): string {
  const text = asText(data.text)?.trim()
  return data.type === 'text' && text !== undefined && data.synthetic !== true && data.ignored !== true ? unquoted(text) : ''
}

function answered(data: JsonObject): string {
  return data.type === 'text' && data.ignored !== true ? (asText(data.text)?.trim() ?? '') : ''
}

/** `opencode run "a b"` stores the prompt with quotes around it, and a backslash before those in it. */
function unquoted(text: string): string {
  const inner = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(text)?.[1]
  return inner === undefined ? text : inner.replaceAll('\\"', '"').trim()
}

function toolRecords(id: string, data: JsonObject, message: JsonObject, { now }: Conversation): SessionRecord[] {
  const state = asObject(data.state)
  const time = asObject(state?.time) ?? asObject(message.time)
  const name = asText(data.tool)
  const call = asText(data.callID) ?? id
  const tool = { ...(name && { name }), call }
  const started = asTime(time?.start ?? time?.created, now)
  const text = callText(state?.input)
  const asked: SessionRecord = {
    kind: 'tool',
    role: 'tool',
    text,
    ...(started && { at: started }),
    key: `${id}#call`,
    tool: { ...tool, part: 'call', ...callPlace(state?.input) },
  }
  const failed = state?.status === 'error'
  if (!failed && state?.status !== 'completed') return [asked]
  const ended = asTime(time?.end ?? time?.completed, now)
  const answer: SessionRecord = {
    kind: 'tool',
    role: 'tool',
    text: failed ? (asText(state.error) ?? '') : output(state),
    ...(ended && { at: ended }),
    key: `${id}#result`,
    tool: { ...tool, part: 'result', ...(failed && { failed }) },
  }
  return [asked, answer]
}

function output({ output, attachments }: JsonObject): string {
  const pictures = (Array.isArray(attachments) ? attachments : []).flatMap((file) => (isPicture(file) ? [IMAGE] : []))
  return [...(typeof output === 'string' ? [output] : []), ...pictures].join('\n')
}

function isPicture(file: unknown): boolean {
  return asText(asObject(file)?.mime)?.startsWith('image/') === true
}
