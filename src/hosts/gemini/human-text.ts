/** What a person typed, out of a user message of Gemini CLI. */

/** What hooks inject stands before what was typed, in the same part, or in a part of its own. */
const HOOK_CONTEXT = /^<hook_context>[\s\S]*?<\/hook_context>\s*/
/** Messages that the program makes: where it runs, and the summary that a long session goes on from. */
const INJECTED = /^<(?:session_context|state_snapshot)>/
/** `/model`, `/memory add x`, `?`; a path (`/home/u/shop is gone`) is no command. */
const COMMAND = /^[/?][\w:-]*(?:\s|$)/
/** With which the program lets the agent go on by itself. */
const GO_ON = 'Please continue.'

/** May be empty. Only complete pairs are taken away, and only at the start: a person may write about such a tag. */
export function humanText(text: string): string {
  let rest = text.trim()
  while (HOOK_CONTEXT.test(rest)) rest = rest.replace(HOOK_CONTEXT, '')
  return INJECTED.test(rest) || COMMAND.test(rest) || rest === GO_ON ? '' : rest
}
