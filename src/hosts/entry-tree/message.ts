/** What a message entry holds for a miner, by its role and the shape of its blocks. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, callPlace, callText, contentKey, IMAGE, isImage, joinSpoken, outputText } from '../fields.ts'
import type { SessionRecord } from '../transcript-source.ts'

/** How a host's messages differ from the plain dialect. */
export interface EntryMessages {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent?: boolean
  /** Whether a user message is a person's, where the host lets others write in their name. */
  readonly isPerson?: (message: JsonObject) => boolean
  /** What a person typed, out of a text into which the host mixes its own; may be empty. */
  readonly humanText?: (text: string) => string
}

type Fields = Pick<SessionRecord, 'kind' | 'role' | 'text' | 'tool'>

/** What an agent answers where there is nothing to say to anybody: the program swallows it. */
const SILENCE = /^[\s\p{P}]*(?:(?:NO_REPLY|HEARTBEAT_OK)[\s\p{P}]*)+$/u
const CALLS: ReadonlySet<unknown> = new Set(['toolCall', 'toolUse', 'tool_use'])

/** The records of a message entry, in the order in which they stand in it; none where it holds nothing for a miner. `at` is its time. */
export function messageRecords(entry: JsonObject, at: string | undefined, host: EntryMessages): SessionRecord[] {
  const message = asObject(entry.message)
  if (message === undefined) return []
  return fieldsOf(entry, message, host).map((fields, index) => record(entry, at, fields, index))
}

function fieldsOf(entry: JsonObject, message: JsonObject, host: EntryMessages): Fields[] {
  switch (message.role) {
    case 'user':
      return isSpoken(message, host) ? spoken('user', message.content, host.humanText ?? trimmed) : []
    case 'assistant':
      return [...(host.isSubagent ? [] : spoken('assistant', message.content, agentText)), ...calls(message.content)]
    case 'toolResult':
    case 'tool':
      return [result(message)]
    case 'bashExecution':
      return message.excludeFromContext === true ? [] : typedCommand(entry, message)
    default:
      return [] // The system's, an extension's, a summary.
  }
}

/** Other sessions and the program itself write as users too, and say so. */
function isSpoken(message: JsonObject, { isSubagent, isPerson }: EntryMessages): boolean {
  const kind = asObject(message.provenance)?.kind
  if (isSubagent === true || (kind !== undefined && kind !== 'external_user')) return false
  return isPerson?.(message) ?? true
}

function spoken(role: 'user' | 'assistant', content: unknown, own: (text: string) => string): Fields[] {
  const texts = asBlocks(content).map((block) => {
    if (isImage(block)) return IMAGE
    const text = block.type === 'text' ? asText(block.text) : undefined
    return text === undefined ? '' : own(text)
  })
  const text = joinSpoken(texts)
  return text === '' ? [] : [{ kind: 'message', role, text }]
}

function trimmed(text: string): string {
  return text.trim()
}

function agentText(text: string): string {
  return text.length < 100 && SILENCE.test(text) ? '' : text.trim()
}

function calls(content: unknown): Fields[] {
  return asBlocks(content).flatMap((block) => {
    if (!CALLS.has(block.type)) return []
    const name = asText(block.name)
    const call = asText(block.id)
    const input = block.arguments ?? block.input
    const tool = { part: 'call' as const, ...(name && { name }), ...(call && { call }), ...callPlace(input) }
    return [{ kind: 'tool', role: 'tool', text: callText(input), tool }]
  })
}

function result(message: JsonObject): Fields {
  const name = asText(message.toolName)
  const call = asText(message.toolCallId) ?? asText(message.tool_call_id)
  const failed = message.isError === true
  const tool = { part: 'result', ...(name && { name }), ...(call && { call }), ...(failed && { failed }) } as const
  return { kind: 'tool', role: 'tool', text: outputText(message.content), tool }
}

/** What a person ran in the shell through the agent's prompt (`!npm test`): no call of the agent's, and as telling as one. */
function typedCommand(entry: JsonObject, message: JsonObject): Fields[] {
  const command = asText(message.command)
  if (command === undefined) return []
  const call = asText(entry.id)
  const shared = { name: 'bash', ...(call && { call }) }
  const failed = typeof message.exitCode === 'number' && message.exitCode !== 0
  return [
    { kind: 'tool', role: 'tool', text: command, tool: { ...shared, part: 'call' } },
    { kind: 'tool', role: 'tool', text: asText(message.output) ?? '', tool: { ...shared, part: 'result', ...(failed && { failed }) } },
  ]
}

/**
 * The key is made of the time and the words. An entry's id will not do: entries of the first format get theirs when the program
 * opens the session again and rewrites the file. Where there is no time, the id tells two equal messages apart. What a tool printed
 * may be shortened later: there the call's id does for the words.
 */
function record(entry: JsonObject, at: string | undefined, fields: Fields, index: number): SessionRecord {
  const { role, text, tool } = fields
  const words = tool?.call === undefined ? [index, text.length, text.slice(0, 200)] : [tool.part, tool.call]
  return { ...fields, ...(at && { at }), key: contentKey(at ?? entry.id, role, ...words) }
}
