/** What the page shows of the off-screen mode: plain JSON. */
export interface OffscreenView {
  /** `pending`: nothing proposed yet, or a proposal is being made (`busy`). `done`: confirmed or dismissed. */
  readonly status: 'pending' | 'proposed' | 'error' | 'done'
  /** Something is under way: a proposal is being made, or a task is being added. */
  readonly busy?: 'proposing' | 'confirming'
  readonly proposal?: {
    readonly id: string
    readonly nextAction: string
    readonly rationale: string
    /** ISO time. */
    readonly madeAt: string
    readonly by: string
    /** It repeats something that was just confirmed or dismissed, although it was asked for something else. */
    readonly repeats?: true
  }
  /** With `done`. */
  readonly outcome?: 'confirmed' | 'dismissed'
  /** ISO time until which the proposal sleeps. */
  readonly snoozedUntil?: string
  /** One sentence for the user, and what to do about it. */
  readonly error?: { readonly message: string; readonly hint?: string }
}

/** The commands, as the page and the API name them. Errors: `unknown_command`, `nothing_to_confirm`, `nothing_to_dismiss`, `stale_proposal`, `busy` (409), `invalid_argument` (400). */
export type OffscreenCommand =
  | { readonly name: 'start' }
  | { readonly name: 'another' }
  | { readonly name: 'confirm'; readonly proposalId?: string }
  | { readonly name: 'dismiss'; readonly proposalId?: string; readonly reason?: string }
  | { readonly name: 'snooze'; readonly proposalId?: string; readonly minutes: number }
  | { readonly name: 'edit'; readonly proposalId?: string; readonly text: string }

export interface OffscreenMode {
  /** Resolves when the command is accepted and, for all but `start` and `another`, done. */
  command(command: OffscreenCommand): Promise<void>
  view(): OffscreenView
  /** The exact brief of the last proposal that was asked for: what was sent. */
  lastBrief(): { readonly text: string; readonly at: string; readonly to: string } | undefined
  /** Cancels what is under way and waits until what was recorded is stored, or `signal` aborts. */
  stop(signal: AbortSignal): Promise<void>
}
