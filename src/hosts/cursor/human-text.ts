/** What a person typed, out of a prompt that Cursor puts together, and what the agent said without Cursor's marks in it. */

/** Blocks in which Cursor wraps what nobody typed; other blocks at the start of a prompt are a person's own markup. */
const WRAPPERS = new Set([
  ...['timestamp', 'user_info', 'system_reminder', 'system-reminder', 'additional_data', 'environment_details'],
  ...['attached_files', 'open_and_recently_viewed_files', 'manually_attached_skills', 'image_files', 'external_links'],
  ...['project_layout', 'git_status', 'rules', 'cursor_rules_context', 'cursor_commands', 'agent_skills', 'agent_transcripts'],
  ...['terminal_files_information', 'linter_errors', 'mcp_file_system', 'task_notification', 'hook_additional_context'],
])
const QUERY = 'user_query'
const CLOSING_QUERY = `</${QUERY}>`
/** Two prompts that were sent together. */
const NEXT_QUERY = /\s*<\/user_query>\s*<user_query>\s*/g
/** Ends a text that was too long to be kept whole, and whose closing tag went with the rest. */
const CUT = '…'
const OPENING = /^<([a-z][a-z0-9_-]*)(?:\s[^<>]*)?>/

export interface Prompt {
  /** May be empty. */
  readonly text: string
  /** What stood in `<timestamp>`, where one did. */
  readonly time?: string
}

/**
 * The text inside `<user_query>` where the prompt has one behind nothing but complete blocks; otherwise the prompt without the wrappers at
 * its start and its end. A person who writes about these tags keeps them.
 */
export function promptOf(text: string): Prompt {
  const { rest, time, query } = leadingBlocks(text.trim())
  const typed = query ?? withoutTrailing(rest)
  return { text: typed, ...(time === undefined ? {} : { time }) }
}

interface Leading {
  readonly rest: string
  readonly time?: string
  readonly query?: string
}

function leadingBlocks(text: string): Leading {
  let time: string | undefined
  /** Behind the wrappers that are known, and behind every complete block. */
  let known = text
  let ours = true
  let rest = text
  for (;;) {
    const opening = OPENING.exec(rest)
    const tag = opening?.[1]
    if (opening === null || tag === undefined) break
    const inside = rest.slice(opening[0].length)
    if (tag === QUERY) {
      const end = inside.lastIndexOf(CLOSING_QUERY)
      if (end < 0 && !inside.endsWith(CUT)) break
      const query = inside
        .slice(0, end < 0 ? undefined : end)
        .replace(NEXT_QUERY, '\n')
        .trim()
      return { rest: '', query, ...(time === undefined ? {} : { time }) }
    }
    const closing = `</${tag}>`
    const end = inside.indexOf(closing)
    if (end < 0) break
    if (tag === 'timestamp') time ??= inside.slice(0, end).trim()
    rest = inside.slice(end + closing.length).trimStart()
    ours &&= WRAPPERS.has(tag)
    if (ours) known = rest
  }
  return { rest: known, ...(time === undefined ? {} : { time }) }
}

/** A prompt without a query of its own may still be followed by what was attached to it. */
function withoutTrailing(text: string): string {
  let rest = text.trimEnd()
  for (;;) {
    const tag = /<\/([a-z][a-z0-9_-]*)>$/.exec(rest)?.[1]
    if (tag === undefined || !WRAPPERS.has(tag)) return rest
    const start = rest.lastIndexOf(`\n<${tag}>`)
    if (start < 0) return rest
    rest = rest.slice(0, start).trimEnd()
  }
}

/** Stands, on a line of its own, for thoughts that are not kept. */
const REDACTED = /^[ \t]*\[REDACTED\][ \t]*$/gm

/** What the agent said; may be empty. */
export function spokenOf(text: string): string {
  return (text.includes('[REDACTED]') ? text.replace(REDACTED, '') : text).trim()
}
