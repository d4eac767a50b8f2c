/** What went wrong, in a sentence, and what to do about it. Pure; the page in the browser uses it too. */
export interface Notice {
  readonly message: string
  readonly hint?: string
  /** The setting that it is about. */
  readonly key?: string
}

/** Both in one paragraph; empty where nothing went wrong. */
export function problemWords(notice: Notice | undefined): string {
  return [notice?.message, notice?.hint].filter((words) => words !== undefined && words !== '').join(' ')
}
