/** What a person typed, out of a user record of Qwen Code. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'
import { partsText } from '../genai-parts.ts'

/** What a prompt hook injects stands in a part of its own in this tag. */
const HOOK_CONTEXT = /^<qwen:user-prompt-submit-context>[\s\S]*<\/qwen:user-prompt-submit-context>$/
const REMINDER = /^<system-reminder>[\s\S]*?<\/system-reminder>\s*/

/**
 * The program keeps what was typed beside what it made of it for the model (attached files, hooks' context). May be empty.
 * Of a scheduled prompt and the like `displayText` is only a label, so the parts themselves are asked there.
 */
export function humanText(value: JsonObject): string {
  const typed = value.subtype === undefined || value.subtype === 'mid_turn_user_message'
  const displayed = typed ? asText(asObject(value.systemPayload)?.displayText) : undefined
  return displayed?.trim() ?? partsText(asObject(value.message)?.parts, withoutInjected)
}

function withoutInjected(text: string): string {
  if (HOOK_CONTEXT.test(text)) return ''
  let rest = text
  while (REMINDER.test(rest)) rest = rest.replace(REMINDER, '')
  return rest
}
