/** What a bubble of the editor's chat is: what a person said, what the agent said, or a call of a tool with its result. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, callPlace, callText } from '../fields.ts'
import type { Repeats } from '../repeats.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { promptOf, spokenOf } from './human-text.ts'
import { keyed } from './speech.ts'

const USER = 1
const AGENT = 2
/** Marks where the conversation was summed up for the model. */
const COMPACTION = 22
/** A tool that has not come to an end, in the words of several versions. */
const RUNNING = new Set(['loading', 'running', 'pending', 'streaming'])
const FAILED = new Set(['error', 'failed'])
/** Where the results of tools keep what they printed or read. */
const OUTPUTS = ['output', 'contents', 'content', 'result', 'text', 'error'] as const

export interface BubbleReading {
  /** Only its tools count. */
  readonly isSubagent: boolean
  /** What was said in the bubbles before this one. */
  readonly seen: Repeats
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether the agent is still at work on it. */
export function isRunning(bubble: JsonObject): boolean {
  return RUNNING.has(String(asObject(bubble.toolFormerData)?.status))
}

/** `id` is the bubble's: of a call, which it alone tells from others. A text that was changed is another record than it was before. */
export function bubbleRecords(bubble: JsonObject, id: string, { isSubagent, seen, now }: BubbleReading): SessionRecord[] {
  const at = timeOf(bubble, now)
  const made = at === undefined ? {} : { at }
  const records: SessionRecord[] = []
  const spoken = isSubagent ? undefined : speech(bubble)
  if (spoken !== undefined) records.push(keyed({ kind: 'message', ...spoken, ...made }, seen))
  const tool = asObject(bubble.toolFormerData)
  if (tool === undefined || asText(tool.name) === undefined) return records
  const call = asText(tool.toolCallId) ?? id
  for (const part of toolParts(tool)) {
    records.push({ kind: 'tool', role: 'tool', ...part, tool: { call, ...part.tool }, ...made, key: `${id}#${part.tool.part}` })
  }
  return records
}

function speech(bubble: JsonObject): Pick<SessionRecord, 'role' | 'text'> | undefined {
  const text = asText(bubble.text)
  if (text === undefined || bubble.capabilityType === COMPACTION) return undefined
  const role =
    bubble.type === USER || bubble.type === 'user' ? 'user' : bubble.type === AGENT || bubble.type === 'ai' ? 'assistant' : undefined
  if (role === undefined) return undefined
  const said = role === 'user' ? promptOf(text).text : spokenOf(text)
  return said === '' ? undefined : { role, text: said }
}

interface ToolPart {
  readonly text: string
  readonly tool: NonNullable<SessionRecord['tool']>
}

function toolParts(tool: JsonObject): ToolPart[] {
  const name = asText(tool.name) ?? ''
  const input = embedded(tool.rawArgs) ?? embedded(tool.params)
  const parts: ToolPart[] = [{ text: callText(input), tool: { part: 'call', name, ...callPlace(input) } }]
  const result = resultText(embedded(tool.result) ?? embedded(tool.error))
  const failed = FAILED.has(String(tool.status)) && ({ failed: true } as const)
  if (result !== '' || failed) parts.push({ text: result, tool: { part: 'result', ...failed } })
  return parts
}

/** Arguments and results are JSON in a string; a string that is none, or an empty object, says nothing more than that. */
function embedded(value: unknown): unknown {
  if (typeof value !== 'string') return isEmpty(value) ? undefined : value
  if (value.trim() === '') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isEmpty(parsed) ? undefined : parsed
  } catch {
    return value // Cut short while it was streamed, or plain text.
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function resultText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  const fields = asObject(value)
  const output = OUTPUTS.map((name) => asText(fields?.[name])).find((text) => text !== undefined)
  return output ?? JSON.stringify(value)
}

/** Newer versions say when a bubble was made, older ones when the request for it was sent. */
function timeOf(bubble: JsonObject, now: number): string | undefined {
  const timing = asObject(bubble.timingInfo)
  for (const value of [bubble.createdAt, timing?.clientRpcSendTime, timing?.clientStartTime, timing?.clientEndTime]) {
    const at = asTime(value, now)
    if (at !== undefined) return at
  }
  return undefined
}
