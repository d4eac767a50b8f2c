/** The user's own task tool. */
export interface Task {
  readonly id?: string
  /** One line. */
  readonly title: string
  /** `YYYY-MM-DD` */
  readonly due?: string
  readonly scheduled?: string
  readonly project?: string
}

export interface ListOptions {
  readonly limit: number
  readonly signal: AbortSignal
  /** As it is now, also where the list is kept for a while. After a `create`, whatever its end, it always is. */
  readonly fresh?: boolean
  /** Told why (a sentence), where only a part of the tasks could be had; what could be had is given all the same. */
  readonly onMissing?: (why: string) => void
}

export interface TaskList {
  /** `Marvin`, `Taskwarrior`, …; shown to the user. */
  readonly name: string
  /** Open tasks, those that are due first, at most `limit`. Errors: `tasks_unavailable`, or the reason of `signal`. */
  list(options: ListOptions): Promise<readonly Task[]>
  /**
   * Adds a task: one line, at most 200 characters are kept. Errors: `task_create_failed` (it was not added), `task_create_unknown` (it may
   * have been: never tried again by itself; so is one that `signal` stopped in the middle), or the reason of `signal` where nothing was begun.
   */
  create(title: string, options: { readonly signal: AbortSignal }): Promise<{ readonly id?: string }>
}
