const ERROR_LENGTH = 70

/** A skill's line with its error cut short between two words: the remedy behind it matters more. */
export function withShortError(text: string): string {
  return text.replace(/fails with "(.*)": run `/, (all, error: string) =>
    error.length <= ERROR_LENGTH ? all : `fails with "${error.slice(0, ERROR_LENGTH).replace(/ \S*$/, '')} …": run \``,
  )
}
