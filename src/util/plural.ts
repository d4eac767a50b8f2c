/** `1 session`, `2 sessions`: of words that take an s. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
