/** What a person typed, out of a user message of Gemini CLI. */

/** What hooks inject stands before what was typed, in the same part, or in a part of its own. */
const HOOK_CONTEXT = /^<hook_context>[\s\S]*?<\/hook_context>\s*/
/** Messages that the program makes: where it runs, and the summary that a long session goes on from. */
const INJECTED = /^<(?:session_context|state_snapshot)>/
/** `/memory add x`: the program's own commands, also with words behind them. */
const OWN_COMMAND = new RegExp(
  `^/(?:${[
    ...['about', 'agents', 'auth', 'bashes', 'bug', 'bug-memory', 'chat', 'clear', 'commands', 'compress', 'copy', 'corgi', 'dir'],
    ...['directory', 'docs', 'editor', 'exit', 'extensions', 'footer', 'gemma', 'help', 'hooks', 'ide', 'init', 'introspect', 'mcp'],
    ...['memory', 'model', 'oncall', 'permissions', 'plan', 'policies', 'privacy', 'profile', 'quit', 'restore', 'resume', 'rewind'],
    ...['settings', 'setup-github', 'shells', 'shortcuts', 'skills', 'stats', 'summarize', 'terminal-setup', 'theme', 'tools', 'upgrade'],
    ...['vim', 'voice'],
  ].join('|')})(?:\\s|$)`,
)
/** `/deploy`, `/git:commit`, `?`: a command of the user's own. With words behind it, it may as well be a path (`/tmp is full`), and is kept. */
const BARE_COMMAND = /^(?:\/[\w-]+(?::[\w-]+)*|\?)$/
/** With which the program lets the agent go on by itself. */
const GO_ON = 'Please continue.'

/** May be empty. Only complete pairs are taken away, and only at the start: a person may write about such a tag. */
export function humanText(text: string): string {
  let rest = text.trim()
  while (HOOK_CONTEXT.test(rest)) rest = rest.replace(HOOK_CONTEXT, '')
  return INJECTED.test(rest) || OWN_COMMAND.test(rest) || BARE_COMMAND.test(rest) || rest === GO_ON ? '' : rest
}
