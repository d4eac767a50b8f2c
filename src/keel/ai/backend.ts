/** What answers a prompt: a command-line agent or a model server. It knows nothing of proposals. */
export interface Backend {
  /** `claude`, `codex`, `ollama`, `openai` */
  readonly name: string
  /**
   * The answer as text. `schema` is the JSON schema that it should fit; not every backend holds it. When `signal` aborts it ends what it
   * started, within about a second, and throws the signal's reason: the time limit of the caller comes through it, too.
   * Errors: `ai_unavailable` (not there, not reachable, not logged in), `ai_failed` (it answered with an error), `ai_timeout`.
   */
  ask(prompt: string, options: { readonly schema: object; readonly signal: AbortSignal }): Promise<string>
}

export interface Proposal {
  /** 1 to 200 characters, one line. */
  readonly nextAction: string
  /** At most 500 characters, one line. */
  readonly rationale: string
}

/** What modes ask: a backend with a prompt and a strict reader, or rules of our own (`builtin`). */
export interface Proposer {
  readonly name: string
  /**
   * `exclude`: actions that it must not propose again, the most important ones first (20 are named). Errors: as `Backend.ask`, `ai_timeout` after 90 s, and
   * `ai_no_proposal` where no proposal could be made of the answer, also when it was asked for a second time.
   */
  propose(brief: string, options: { readonly exclude?: readonly string[]; readonly signal: AbortSignal }): Promise<Proposal>
}
