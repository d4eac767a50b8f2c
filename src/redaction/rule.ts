/** One kind of secret and how it is known. A new kind is one more record in `rules/`. */
export type Rule = PatternRule | BlockRule

interface Named {
  /** Kebab-case, what a reader finds in place of the secret: `[removed: github-token]`. Several records may share a name. */
  readonly name: string
  /**
   * The pattern is tried only where one of these stands (three characters or more, any case). Where they are rare, a rule costs
   * nothing.
   */
  readonly hints: readonly string[]
}

/** What one pattern says: nearly every kind. */
export interface PatternRule extends Named {
  /**
   * Tried with its beginning at the hint. What is removed ends the match: the group `secret` (`bare`, where it is not quoted), or the
   * whole match where there is neither. The group `head`, in a lookbehind, is what of the secret stands right before the hint. Every
   * repetition before the first character that proves the match has an upper bound, so that a rule costs the same at every hint.
   */
  readonly pattern: RegExp
  /** False where what was matched is no secret after all. */
  readonly check?: (secret: string, match: RegExpExecArray) => boolean
  /** The match alone proves it: removed even where it looks like a placeholder. */
  readonly certain?: boolean
}

/** For what no pattern can say: columns of a table, entries of a document. */
export interface BlockRule extends Named {
  /** The secrets of the block that the hint at `at` belongs to. Looks at a bounded stretch of text. */
  readonly find: (text: string, at: number) => Block | undefined
}

export interface Block {
  /** Where the secrets are: `[start, end)`, in order. */
  readonly secrets: readonly (readonly [start: number, end: number])[]
  /** The block ends here: hints before are its own. */
  readonly end: number
}

/** Every mark begins so. */
export const MARK_START = '[removed: '

/** What stands in place of a secret. */
export function mark(rule: string): string {
  return `${MARK_START}${rule}]`
}

/**
 * Nothing that could belong to a longer word stands before. In escaped text (`\n`, `\t`), behind a percent escape (`%3D`) and behind a
 * colour of a terminal (`[32m`) a letter before is none of the word.
 */
export const WORD_START = String.raw`(?<![A-Za-z0-9_-](?<!\\[nrtbf])(?<!%[0-9A-Fa-f]{2})(?<!\[[0-9;]{1,12}m))`

/** `text` as a pattern that matches it alone. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
