/** Messages made of `parts`, as the Gemini API has them and the programs that came from its CLI log them. */
import type { JsonObject } from '../util/jsonl.ts'
import { asBlocks, asObject, asText, callPlace, callText, IMAGE, joinSpoken } from './fields.ts'
import type { SessionRecord } from './transcript-source.ts'

export type ToolFields = Pick<SessionRecord, 'text'> & { readonly tool: NonNullable<SessionRecord['tool']> }

/** Newer versions mark what comes from outside, for the model's eyes. */
const UNTRUSTED = /^<untrusted_context>\s*([\s\S]*?)\s*<\/untrusted_context>$/

/** What the parts say, thoughts left out, each text as `own` leaves it. Empty where that is nothing but pictures. */
export function partsText(parts: unknown, own: (text: string) => string): string {
  const texts = asBlocks(parts).map((part) => {
    if (part.thought === true) return ''
    if (part.inlineData !== undefined || part.fileData !== undefined) return IMAGE
    const text = asText(part.text)
    return text === undefined ? '' : own(text.trim())
  })
  return joinSpoken(texts)
}

/** The calls and the results among the parts. */
export function partsTools(parts: unknown): ToolFields[] {
  return asBlocks(parts).flatMap((part) => {
    const call = asObject(part.functionCall)
    if (call !== undefined) return [toolCall(call)]
    const response = asObject(part.functionResponse)
    return response === undefined ? [] : [toolResult(response)]
  })
}

/** `args` of a call; the same fields stand in Gemini CLI's own record of one. */
export function toolCall({ id, name, args }: JsonObject): ToolFields {
  return { text: callText(args), tool: { part: 'call', ...named(id, name), ...callPlace(args) } }
}

function toolResult({ id, name, response }: JsonObject): ToolFields {
  const fields = asObject(response)
  const failed = fields?.error !== undefined
  return { text: responseText(fields), tool: { part: 'result', ...named(id, name), ...(failed && { failed }) } }
}

/** `output` or `error` where they are texts, otherwise the response as JSON. */
function responseText(response: JsonObject | undefined): string {
  const text = asText(response?.output) ?? asText(response?.error)
  if (text !== undefined) return UNTRUSTED.exec(text)?.[1] ?? text
  return response === undefined || response.output === '' ? '' : JSON.stringify(response)
}

function named(id: unknown, name: unknown): { readonly call?: string; readonly name?: string } {
  const [call, tool] = [asText(id), asText(name)]
  return { ...(tool && { name: tool }), ...(call && { call }) }
}
