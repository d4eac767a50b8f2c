/** Whether two actions are one, said a little differently. Pure. */

/** Words of three letters and more; shorter ones tie a sentence together. */
function words(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  )
}

/** Most words of the shorter one stand in the other, too. Without a single word: only the same text. */
export function isSameAction(a: string, b: string): boolean {
  const [left, right] = [words(a), words(b)]
  const [few, many] = left.size <= right.size ? [left, right] : [right, left]
  if (few.size === 0) return a.trim() === b.trim()
  const shared = [...few].filter((word) => many.has(word)).length
  return shared / few.size >= 0.75 && few.size * 4 >= many.size
}
