/** What a person typed, out of a text into which an agent program mixes its own. */

/** Blocks that programs put around text that nobody typed; none that people use in prompts of their own, such as `<context>`. */
const INJECTED = new Set([
  ...['system-reminder', 'system_reminder', 'environment_context', 'environment_details', 'user_instructions', 'user_info'],
  ...['command-name', 'command-message', 'command-contents', 'local-command-stdout', 'local-command-stderr', 'local-command-caveat'],
  ...['bash-input', 'bash-stdout', 'bash-stderr', 'bash-exit-code', 'task-notification', 'teammate-message', 'agent-message'],
  ...['cross-session-message', 'channel', 'tick', 'fetched-web-content', 'persisted-output', 'user-prompt-submit-hook'],
  ...['hook_context', 'hook_result', 'session_context', 'qwen:user-prompt-submit-context', 'current_datetime', 'timestamp'],
  ...['attached_files', 'open_and_recently_viewed_files', 'manually_attached_skills', 'workspace_info'],
  ...['turn_aborted', 'collaboration_mode', 'skill', 'skills_instructions', 'subagent_notification', 'INSTRUCTIONS'],
])
/** Blocks around what a person did type. */
const TYPED = new Set(['user_query', 'user_input', 'user_message', 'user-message', 'task', 'feedback', 'command-args', 'userRequest'])

const OPENING = /^<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>/
const AGENTS_FILE = /^# AGENTS\.md instructions for [^\n]*\n\s*(?=<INSTRUCTIONS>)/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]$/

/**
 * The text without the injected blocks at its start, and without the tags around what was typed. Only complete pairs are taken
 * away, and only at the start: a person may well write about `<system-reminder>`. May be empty.
 */
export function humanText(text: string): string {
  let rest = text.trim()
  const typed: string[] = []
  for (;;) {
    rest = rest.replace(AGENTS_FILE, '')
    const opening = OPENING.exec(rest)
    const tag = opening?.[1]
    if (opening === null || tag === undefined || !(INJECTED.has(tag) || TYPED.has(tag))) break
    const closing = `</${tag}>`
    const end = rest.indexOf(closing, opening[0].length)
    if (end < 0) break
    if (TYPED.has(tag)) typed.push(rest.slice(opening[0].length, end).trim())
    rest = rest.slice(end + closing.length).trimStart()
  }
  if (!INTERRUPTED.test(rest)) typed.push(rest)
  return typed.filter((part) => part !== '').join('\n')
}
