/** What one version of a text says that the other does not. */

export interface ChangedLines {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** By whole lines, each as often as it stands there, in the order of their text. Blank ones, and where lines stand, do not count. */
export function changedLines(before: string, after: string): ChangedLines {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  return { added: without(fresh, old), removed: without(old, fresh) }
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0
  })
}
