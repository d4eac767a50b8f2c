/** The records in one message of Gemini CLI, which holds what was said and, with an answer, the calls that it made and their results. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, contentKey, outputText } from '../fields.ts'
import { partsText, partsTools, type ToolFields, toolCall } from '../genai-parts.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText } from './human-text.ts'

/** A call in one of these states has no result to come. */
const OVER: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled'])
/** In a long session old results are cut in the history; they were logged whole before. */
const MASKED = /^<tool_output_masked>/

/**
 * `now`: milliseconds since 1970. `speaks`: whether its words are a person's and the agent's, as in all but a subagent's session.
 * What was said has the message's id for its key, although the message is written again: the program writes words whole, and adds only
 * calls, results and token counts later. A history that it cuts for a compaction brings them back shortened, and is nothing new.
 * Calls and results have keys made of the call's id and what they say, not of the message: a result stands in the call and again in a
 * user message, and after a resume both stand among the parts of other messages. The id alone is not enough: some model servers number
 * calls anew in every answer.
 */
export function messageRecords(message: JsonObject, now: number, speaks: boolean): SessionRecord[] {
  const role = message.type === 'user' ? 'user' : 'assistant'
  const id = asText(message.id)
  const at = asTime(message.timestamp, now)
  const text = speaks ? (role === 'user' ? typed(message) : partsText(message.content, (said) => said)) : ''
  const key = id ?? contentKey(role, text, message.timestamp)
  const said: SessionRecord[] = text === '' ? [] : [{ kind: 'message', role, text, ...(at && { at }), key }]
  const parts = partsTools(message.content).map((tool) => ({ tool, at }))
  const tools = [...listedTools(message, now), ...parts].filter(({ tool }) => !MASKED.test(tool.text))
  return [
    ...said,
    ...tools.map(({ tool, at: done = at }, index): SessionRecord => {
      const { call, part } = tool.tool
      const origin = call ?? [id ?? message.timestamp, index]
      const toolKey = contentKey(origin, part, tool.text.length, tool.text.slice(0, 500))
      return { kind: 'tool', role: 'tool', ...tool, ...(done && { at: done }), key: toolKey }
    }),
  ]
}

/** `displayContent` is what the person saw of the message: without the files that it names. */
function typed({ content, displayContent }: JsonObject): string {
  const shown = displayContent === undefined ? '' : partsText(displayContent, humanText)
  return shown === '' ? partsText(content, humanText) : shown
}

interface TimedTool {
  readonly tool: ToolFields
  readonly at: string | undefined
}

/** The calls in an answer's own list, each with its result once it is there. */
function listedTools({ toolCalls }: JsonObject, now: number): TimedTool[] {
  if (!Array.isArray(toolCalls)) return []
  return toolCalls.flatMap((entry): TimedTool[] => {
    const listed = asObject(entry)
    if (listed === undefined) return []
    const at = asTime(listed.timestamp, now)
    const call = { tool: toolCall(listed), at }
    const result = listedResult(listed, call.tool)
    return result === undefined ? [call] : [call, { tool: result, at }]
  })
}

function listedResult({ result, status, resultDisplay }: JsonObject, call: ToolFields): ToolFields | undefined {
  if (!OVER.has(status) && (result === undefined || result === null)) return undefined
  const [answer] = partsTools(result).filter(({ tool }) => tool.part === 'result')
  const text = answer?.text ?? (outputText(result) || (asText(resultDisplay) ?? ''))
  const failed = status === 'error' || status === 'cancelled' || answer?.tool.failed === true
  return { text, tool: { ...call.tool, part: 'result', ...(failed && { failed: true }) } }
}
