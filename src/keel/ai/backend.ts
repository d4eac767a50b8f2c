/** What answers a prompt: a command-line agent, a model server, or rules of our own. It knows nothing of proposals. */
export interface Backend {
  /** `claude`, `codex`, `ollama`, `openai`, `builtin` */
  readonly name: string
  /**
   * The answer as text. `schema` is the JSON schema that it should fit; not every backend holds it. Ends what it started when `signal` aborts.
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

/** What modes ask. */
export interface Proposer {
  readonly name: string
  /** `exclude`: actions that it must not propose again. Errors: as `Backend.ask`, and `ai_no_proposal` where no proposal could be made of the answer. */
  propose(brief: string, options: { readonly exclude?: readonly string[]; readonly signal: AbortSignal }): Promise<Proposal>
}
