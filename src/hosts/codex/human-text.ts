/** What a person typed, out of the user messages into which Codex packs its own blocks. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'

/** How blocks begin that Codex, and not a person, put into a user message. */
const INJECTED = [
  'environment_context',
  'user_instructions',
  'turn_aborted',
  'collaboration_mode',
  'skill',
  'skills_instructions',
  'permissions instructions',
  'user_shell_command',
  'subagent_notification',
  'INSTRUCTIONS',
]
const OPENING = new RegExp(`^<(${INJECTED.join('|')})(?:\\s[^<>]*)?>`)
const AGENTS_FILE = /^# AGENTS\.md instructions for [^\n]*\n\s*(?=<INSTRUCTIONS>)/
/** Stands around a picture as blocks of their own. */
const PICTURE_FRAME = /^(?:<image name=[^<>]*>|<\/image>)$/
/** The editors' extensions put open files before what was typed. */
const EDITOR_CONTEXT = '# Context from my IDE setup:'
const EDITOR_REQUEST = '\n## My request for Codex:'

/** The text without the injected blocks at its start. Only complete pairs are taken away. May be empty. */
export function humanText(text: string): string {
  let rest = text.trim()
  for (;;) {
    const body = rest.replace(AGENTS_FILE, '')
    const opening = OPENING.exec(body)
    if (opening === null) break
    const closing = `</${opening[1]}>`
    // Instructions are a whole block and may well hold such a tag themselves.
    const end = /instructions/i.test(closing) ? body.lastIndexOf(closing) : body.indexOf(closing)
    if (end < 0) break
    rest = body.slice(end + closing.length).trimStart()
  }
  if (PICTURE_FRAME.test(rest)) return ''
  if (rest.startsWith(EDITOR_CONTEXT)) {
    const request = rest.indexOf(EDITOR_REQUEST)
    if (request >= 0) return rest.slice(request + EDITOR_REQUEST.length).trim()
  }
  return rest
}

/** Who put each block there, as newer versions note it beside the content (`user`, `harness`, `skills` …); undefined where they do not. */
export function provenance(item: JsonObject, block: number): string | undefined {
  const all = asObject(item.internal_chat_message_metadata_passthrough)?.content_item_metadata
  return Array.isArray(all) ? asText(asObject(asObject(all[block])?.provenance)?.type) : undefined
}
