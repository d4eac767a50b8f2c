/**
 * What the blocks of a message are, in the notations of all the families of agents. What is none of these (thinking, reasoning,
 * encrypted content, whatever comes next) is nothing: a log that is half understood gives less, never rubbish.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, fromJson, isImage } from '../fields.ts'

export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'image' }
  | { readonly is: 'call'; readonly name: unknown; readonly id: unknown; readonly input: unknown }
  | { readonly is: 'result'; readonly name: unknown; readonly id: unknown; readonly output: unknown; readonly failed: boolean }

const TEXT: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])
const CALL: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'toolCall', 'tool-call', 'tool_call'])
const RESULT: ReadonlySet<unknown> = new Set(['toolResult', 'tool-result'])

/** The parts of a message's content (a string, a block, a list of either), in order. */
export function partsOf(content: unknown): Part[] {
  return asBlocks(content).flatMap((block) => partOf(block) ?? [])
}

function partOf(block: JsonObject): Part | undefined {
  const { type } = block
  // A part of Gemini's kind has no type; its thoughts and what an editor added are marked.
  if (TEXT.has(type) || (type === undefined && typeof block.text === 'string')) {
    const text = block.thought === true || block.synthetic === true ? undefined : asText(block.text)
    return text === undefined ? undefined : { is: 'text', text }
  }
  if (isImage(block) || type === 'image_url' || block.inlineData !== undefined) return { is: 'image' }
  if (CALL.has(type)) return callOf(block)
  if (RESULT.has(type) || (typeof type === 'string' && type.endsWith('tool_result'))) return resultOf(block)
  const call = asObject(block.functionCall)
  if (call !== undefined) return callOf(call)
  const response = asObject(block.functionResponse)
  if (response !== undefined) return functionResult(response)
  if (type === 'toolRequest') return requestOf(block)
  if (type === 'toolResponse') return responseOf(block)
  return undefined
}

/** A call, wherever it stands: a block, an entry of `tool_calls` or `toolRequests`. */
export function callOf(call: JsonObject): Part {
  const inner = asObject(call.function) ?? call
  const input = inner.input ?? inner.arguments ?? inner.args
  return { is: 'call', name: inner.name ?? call.toolName, id: call.id ?? call.toolCallId ?? call.call_id, input: fromJson(input) }
}

/** A result, wherever it stands: a block, or a message of its own. */
export function resultOf(result: JsonObject): Part {
  return {
    is: 'result',
    name: result.toolName ?? result.tool_name ?? result.name,
    id: result.tool_use_id ?? result.tool_call_id ?? result.toolCallId ?? result.call_id,
    output: lines(result.content ?? result.output ?? result.result),
    failed: result.is_error === true || result.isError === true || result.success === false,
  }
}

/** Gemini's: `response` is an object with `output` or `error`. */
export function functionResult(response: JsonObject): Part {
  const answer = asObject(response.response)
  const failed = answer?.error !== undefined
  const output = answer?.output ?? answer?.error ?? answer?.content ?? answer
  return { is: 'result', name: response.name, id: response.id, output: lines(output), failed }
}

/** Goose's: the call or the result stands in a wrapper that says whether it could be read. */
function requestOf({ id, toolCall }: JsonObject): Part | undefined {
  const call = asObject(asObject(toolCall)?.value)
  return call === undefined ? undefined : callOf({ ...call, id })
}

function responseOf({ id, toolResult }: JsonObject): Part {
  const wrapper = asObject(toolResult)
  const value = asObject(wrapper?.value)?.content ?? wrapper?.value ?? wrapper?.error
  return { is: 'result', name: undefined, id, output: lines(value), failed: wrapper?.status === 'error' }
}

/** Output that is neither text nor blocks of text, such as a list of `{query, result}`, stands as JSON. */
function lines(output: unknown): unknown {
  if (output === undefined || output === null || typeof output === 'string') return output ?? ''
  const items = Array.isArray(output) ? output : [output]
  const readable = items.some(
    (item) => typeof item === 'string' || asText(asObject(item)?.text) !== undefined || isImage(asObject(item) ?? {}),
  )
  return readable || items.length === 0 ? output : JSON.stringify(output)
}
