/** What a person typed, out of a text into which Claude Code mixes its own. */

import { leadingBlock } from '../leading-block.ts'

/** The one block of a slash command's envelope that a person typed. */
const ARGUMENTS = 'command-args'
/** The blocks that Claude Code makes; of all others nobody typed what stands in them. */
const TAGS = new Set([
  ARGUMENTS,
  'system-reminder',
  'command-name',
  'command-message',
  'command-contents',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-input',
  'bash-stdout',
  'bash-stderr',
  'bash-exit-code',
  'task-notification',
  'teammate-message',
  'agent-message',
  'cross-session-message',
  'channel',
  'tick',
  'fetched-web-content',
  'persisted-output',
  'user-prompt-submit-hook',
  // Cowork's list of the files that lie beside the prompt.
  'uploaded_files',
])

const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]$/

/** The text without the injected blocks at its start; of a slash command only its arguments. May be empty. */
export function humanText(text: string): string {
  let rest = text.trim()
  const typed: string[] = []
  for (let block = leadingBlock(rest, TAGS); block !== undefined; block = leadingBlock(rest, TAGS)) {
    if (block.tag === ARGUMENTS) typed.push(block.inside)
    rest = block.rest
  }
  if (!INTERRUPTED.test(rest)) typed.push(rest)
  return typed.filter((part) => part !== '').join('\n')
}
