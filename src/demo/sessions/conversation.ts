/** A conversation before it is put into a host's format: what was said, what was run and what came back. */
export interface Conversation {
  readonly host: 'claude-code' | 'codex'
  /** The project's directory, below the home directory. */
  readonly project: string
  readonly title: string
  /** How long ago it took place. */
  readonly daysAgo: number
  readonly turns: readonly Turn[]
}

export type Turn =
  | { readonly user: string }
  | { readonly agent: string }
  | { readonly run: string; readonly prints: string; readonly fails?: true }
  /** `writes` is a path below the project. */
  | { readonly writes: string; readonly content: string }
  /** What a host adds to a conversation in the user's name. */
  | { readonly injected: string }

/** `prints` with a failing exit code. */
export function fails(run: string, prints: string): Turn {
  return { run, prints, fails: true }
}

export function works(run: string, prints: string): Turn {
  return { run, prints }
}
