/** What a person typed, out of a text into which WorkBuddy packs its own. */
import { leadingBlock } from '../leading-block.ts'

const QUERY = '<user_query>'
const QUERY_END = '</user_query>'
/** Blocks that stand before what was typed in texts without a `<user_query>`, or alone. */
const INJECTED = new Set([
  'system-reminder',
  'task-notification',
  'craft-mode',
  'craft_mode',
  'command-name',
  'command-message',
  'local-command-stdout',
])
/** Names the skill that the program put in for what the person chose from a menu. */
const SKILL = /^@skill:\S+\s*/

/**
 * The inside of `<user_query>`, before which the program puts what it likes; otherwise the text without the injected blocks at its
 * start. Only complete pairs count: a person may well write about such a tag. May be empty.
 */
export function humanText(text: string): string {
  let rest = query(text) ?? withoutInjected(text)
  while (SKILL.test(rest)) rest = rest.replace(SKILL, '')
  return rest
}

/** The tag begins a line or follows another tag; inside a sentence it is somebody's word. */
function query(text: string): string | undefined {
  const start = text.search(/(?:^|[\n>])\s*<user_query>/)
  const open = start < 0 ? -1 : text.indexOf(QUERY, start)
  const end = text.lastIndexOf(QUERY_END)
  return open < 0 || end < open ? undefined : text.slice(open + QUERY.length, end).trim()
}

function withoutInjected(text: string): string {
  let rest = text.trim()
  for (let block = leadingBlock(rest, INJECTED); block !== undefined; block = leadingBlock(rest, INJECTED)) rest = block.rest
  return rest
}
