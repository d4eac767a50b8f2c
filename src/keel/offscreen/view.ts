/** As in `Outcome`. */
export type Repeated = 'confirmed' | 'dismissed' | 'put_aside' | 'unknown'

/** What the page shows of the off-screen mode: plain JSON. */
export interface OffscreenView {
  /** `pending`: nothing proposed yet, or a proposal is being made (`busy`). `done`: confirmed or dismissed. */
  readonly status: 'pending' | 'proposed' | 'error' | 'done'
  /** Something is under way: a proposal is being made, or a task is being added. */
  readonly busy?: 'proposing' | 'confirming'
  readonly proposal?: {
    readonly id: string
    readonly nextAction: string
    /** What was proposed, where `nextAction` is its user's own words: the rationale speaks of this. */
    readonly original?: string
    readonly rationale: string
    /** ISO time. */
    readonly madeAt: string
    /** The proposer's name; empty for a proposal of a run before, which is taken up again. */
    readonly by: string
    /** What its user said to much the same within the last day: its proposer had nothing else, or the user's own words are these. */
    readonly repeats?: Repeated
  }
  /** With `done`. */
  readonly outcome?: 'confirmed' | 'dismissed'
  /** With `dismissed`, where its user said why. */
  readonly reason?: string
  /** With `confirmed`: the task was on the list already, so none was added. */
  readonly existing?: true
  /** ISO time until which the proposal sleeps. */
  readonly snoozedUntil?: string
  /**
   * One sentence for the user, and what to do about it. With `task_create_unknown` as its `code` the proposal may be a task already: to
   * confirm it may add it a second time.
   */
  readonly error?: { readonly message: string; readonly hint?: string; readonly code?: string }
}

/**
 * The commands, as the page and the API name them. With a `proposalId` a command is for that proposal alone. `start` while one is proposed
 * keeps it, and wakes it; `another` puts it aside; `cancel` ends the proposal that is being made, as `dismiss` without an id does then;
 * `undo` takes back the dismissal just made. The same command for the same proposal a second time is done already, but for a `dismiss` that
 * says why, where the first one did not. `confirm` with a `text` is for these words alone; where the task may have been added already it needs
 * `again`: whoever sends it has seen that.
 * Errors: `stale_proposal`, `busy`, `nothing_to_confirm`, `nothing_to_dismiss`, `nothing_to_cancel`, `nothing_to_undo`, `nothing_proposed`,
 * `perhaps_added` (all 409); `unknown_command`, `invalid_argument` (400); `stopping` (503); for `confirm` also those of the task tool,
 * `task_create_failed` and `task_create_unknown`.
 */
export type OffscreenCommand =
  | { readonly name: 'start' }
  | { readonly name: 'another'; readonly proposalId?: string }
  | { readonly name: 'cancel' }
  | { readonly name: 'confirm'; readonly proposalId?: string; readonly text?: string; readonly again?: boolean }
  | { readonly name: 'dismiss'; readonly proposalId?: string; readonly reason?: string }
  | { readonly name: 'undo'; readonly proposalId?: string }
  | { readonly name: 'snooze'; readonly proposalId?: string; readonly minutes: number }
  | { readonly name: 'edit'; readonly proposalId?: string; readonly text: string }

export interface OffscreenMode {
  /** Resolves when the command is accepted and, for all but `start` and `another`, done. */
  command(command: OffscreenCommand): Promise<void>
  view(): OffscreenView
  /** The exact brief of the last proposal that was asked for: what was sent. */
  lastBrief(): { readonly text: string; readonly at: string; readonly to: string } | undefined
  /**
   * Cancels what is under way and waits until what was recorded is stored, or `signal` aborts. A task that is being added is waited for
   * in any case, ten seconds at most: what is ended in the middle may be added or not.
   */
  stop(signal: AbortSignal): Promise<void>
}
