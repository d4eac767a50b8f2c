/** What went wrong, in a sentence, and what to do about it. */
export interface Notice {
  readonly message: string
  readonly hint?: string
  /** The setting that it is about. */
  readonly key?: string
}
