/** What a person typed, out of a text into which an agent program mixes its own. */
import { leadingBlock } from '../leading-block.ts'

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
const TAGS = new Set([...INJECTED, ...TYPED])

const AGENTS_FILE = /^# AGENTS\.md instructions for [^\n]*\n\s*(?=<INSTRUCTIONS>)/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]$/

/** The text without the injected blocks at its start, and without the tags around what was typed. May be empty. */
export function humanText(text: string): string {
  let rest = text.trim()
  const typed: string[] = []
  for (;;) {
    rest = rest.replace(AGENTS_FILE, '')
    const block = leadingBlock(rest, TAGS)
    if (block === undefined) break
    if (TYPED.has(block.tag)) typed.push(block.inside)
    rest = block.rest
  }
  if (!INTERRUPTED.test(rest)) typed.push(rest)
  return typed.filter((part) => part !== '').join('\n')
}
