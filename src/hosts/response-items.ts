/** Tool items of the kind that Codex logs, and others after it: what was called, with what, and what came back. */
import type { JsonObject } from '../util/jsonl.ts'
import { asObject, asText, callPlace, callText, fromJson, outputText } from './fields.ts'
import type { SessionRecord } from './transcript-source.ts'

export type ToolFields = Pick<SessionRecord, 'text'> & { readonly tool: NonNullable<SessionRecord['tool']> }

/** A shell tool's output begins with a few lines about the run. */
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d+)$/m
const EXIT_CODE_WITHIN = 400

/** The call or result that an item is, or undefined. */
export function toolFields(item: JsonObject): ToolFields | undefined {
  switch (item.type) {
    case 'function_call':
      return called(item, item.name, fromJson(item.arguments))
    case 'custom_tool_call':
      return called(item, item.name, item.input)
    case 'local_shell_call':
      return called(item, 'local_shell', item.action)
    case 'web_search_call': {
      const action = asObject(item.action)
      return call(item, 'web_search', asText(action?.query) ?? asText(action?.url) ?? callText(item.action))
    }
    case 'tool_search_call':
      return called(item, 'tool_search', fromJson(item.arguments))
    case 'image_generation_call':
      return call(item, 'image_generation', asText(item.revised_prompt) ?? '')
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return result(item)
    default:
      return undefined
  }
}

function called(item: JsonObject, toolName: unknown, input: unknown): ToolFields {
  const { text, tool } = call(item, toolName, callText(input))
  return { text, tool: { ...tool, ...callPlace(input) } }
}

function call(item: JsonObject, toolName: unknown, text: string): ToolFields {
  const name = asText(toolName)
  const id = asText(item.call_id)
  return { text, tool: { part: 'call', ...(name && { name }), ...(id && { call: id }) } }
}

/** `output` is a string, a list of items, an object with `content`, or (older) a string of JSON with `metadata.exit_code`. */
function result(item: JsonObject): ToolFields {
  const id = asText(item.call_id)
  const wrapper = asObject(item.output) ?? wrapped(item.output)
  const text = outputText(wrapper === undefined ? item.output : (wrapper.content ?? wrapper.output))
  const code = asObject(wrapper?.metadata)?.exit_code ?? EXIT_CODE.exec(text.slice(0, EXIT_CODE_WITHIN))?.[1]
  const failed = (code !== undefined && Number(code) !== 0) || wrapper?.success === false
  return { text, tool: { part: 'result', ...(id && { call: id }), ...(failed && { failed: true }) } }
}

function wrapped(output: unknown): JsonObject | undefined {
  if (typeof output !== 'string' || !output.startsWith('{"output":')) return undefined
  return asObject(fromJson(output))
}
