/** The environment that an agent program gets. Pure. */

/**
 * Not for it: our own settings and keys, keys of other services, and what would make it think that it runs inside another session. The rest
 * is the user's, since the program's own settings may name any variable for its key.
 */
const NOT_FOR_AGENTS =
  /^(?:KEEL_.*|MEMU_.*|CLAUDECODE|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT|SSE_PORT)|CODEX_(?:THREAD_ID|SESSION_ID|TOOL_CALL_ID|SANDBOX\w*)|TODOIST_API_TOKEN|(?:GITHUB|GH|GITLAB|NPM|NODE_AUTH|PYPI|TWINE|CARGO_REGISTRY|HOMEBREW_GITHUB_API)_?(?:TOKEN|PASSWORD)|DATABASE_URL|PGPASSWORD|SSH_AUTH_SOCK|SUDO_ASKPASS)$/

/** `env` without those, with `more` on top. */
export function agentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !NOT_FOR_AGENTS.test(name)) result[name] = value
  }
  // memU's hook in the agent, where there is one: this is no session of the user's.
  return { ...result, MEMU_BRIDGING_RUN: '1', ...more }
}
