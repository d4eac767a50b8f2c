import type { Destination } from './destination.ts'

/** What answers a prompt: a command-line agent or a model server. It knows nothing of proposals. */
export interface Backend {
  /** `claude`, `codex`, `ollama`, `openai` */
  readonly name: string
  /** Where a prompt goes. */
  readonly destination?: Destination
  /**
   * The answer as text. `schema` is the JSON schema that it should fit; not every backend holds it. When `signal` aborts it ends what it
   * started, within about a second, and throws the signal's reason: the time limit of the caller comes through it, too. `onSent` is called when
   * the prompt is given away, and not called where nothing of it was.
   * Errors: `ai_unavailable` (not there, not reachable, not logged in), `ai_failed` (it answered with an error), `ai_timeout`.
   */
  ask(prompt: string, options: { readonly schema: object; readonly signal: AbortSignal; readonly onSent?: () => void }): Promise<string>
}

export interface Proposal {
  /** 1 to 200 characters, one line. */
  readonly nextAction: string
  /** At most 500 characters, one line. */
  readonly rationale: string
}

export interface ProposeOptions {
  readonly exclude?: readonly string[]
  readonly signal: AbortSignal
  readonly onSent?: (text: string) => void
}

/** What modes ask: a backend with a prompt and a strict reader, or rules of our own (`builtin`). */
export interface Proposer {
  readonly name: string
  /** Where a brief goes; absent: nowhere, it stays in this process. */
  readonly destination?: Destination
  /**
   * `exclude`: actions that it must not propose again, the most important ones first (20 are named). `onSent` gets each
   * whole text that is given away, in the moment when it is. Errors: as `Backend.ask`, `ai_timeout` after 90 s, and
   * `ai_no_proposal` where no proposal could be made of the answer, also when it was asked for a second time.
   */
  propose(brief: string, options: ProposeOptions): Promise<Proposal>
}
