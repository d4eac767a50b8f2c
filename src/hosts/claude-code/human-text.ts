/** What a person typed, out of a text into which Claude Code mixes its own. */

/** Blocks that Claude Code puts around text that nobody typed. */
const INJECTED = new Set([
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
/** The one block of a slash command's envelope that a person typed. */
const ARGUMENTS = 'command-args'

const OPENING = /^<([a-z][a-z0-9_-]*)(?:\s[^<>]*)?>/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]$/

/**
 * The text without the injected blocks at its start; of a slash command only its arguments. Only complete pairs are taken
 * away, and only at the start: a person may well write about `<system-reminder>`. May be empty.
 */
export function humanText(text: string): string {
  let rest = text.trim()
  const typed: string[] = []
  for (;;) {
    const opening = OPENING.exec(rest)
    const tag = opening?.[1]
    if (opening === null || tag === undefined || !(INJECTED.has(tag) || tag === ARGUMENTS)) break
    const closing = `</${tag}>`
    const end = rest.indexOf(closing, opening[0].length)
    if (end < 0) break
    if (tag === ARGUMENTS) typed.push(rest.slice(opening[0].length, end).trim())
    rest = rest.slice(end + closing.length).trimStart()
  }
  if (!INTERRUPTED.test(rest)) typed.push(rest)
  return typed.filter((part) => part !== '').join('\n')
}
