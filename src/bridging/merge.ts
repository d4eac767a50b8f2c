/**
 * Three-way merge of lines over a common base. Each side is a set of removed base lines and of lines put into the gaps between
 * them; the result keeps what neither side removed and everything that either put in. Memory is made of lines that stand alone,
 * so a conflict needs no markers: both lines stay, the other side's first.
 */

/** Two sides put different lines in the place of one; both stand, and a person should look. */
export interface LineConflict {
  /** Where in the merged text the first of them stands, counted from 1. */
  readonly line: number
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
}

export interface MergedText {
  readonly text: string
  readonly conflicts: readonly LineConflict[]
}

/**
 * `mine` and `theirs` were both made from `base`. No line that a side added is lost; a line that both added comes once; a line
 * that one side removed and the other left alone is gone. `merge(b, x, x)` is `x`, `merge(b, b, x)` and `merge(b, x, b)` are `x`.
 * `onConflict` is told where the sides disagree; where `isApart` says so of two lines that follow each other in the result, a blank one
 * comes between them.
 */
export function mergeLines(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  onConflict: (conflict: LineConflict) => void = () => {},
  isApart: (above: string, below: string) => boolean = () => false,
): string[] {
  const ours = edits(base, mine)
  const others = edits(base, theirs)
  const allow = addedTwice(ours, others)
  const stays = keptByBoth(base, ours, others)
  const result: string[] = []
  const put = (line: string): number => {
    const above = result.at(-1)
    if (above !== undefined && isApart(above, line)) result.push('')
    return result.push(line)
  }
  let from = 0
  let start = 0
  for (let gap = 0; gap <= base.length; gap++) {
    for (const line of joinGap(others.added[gap] ?? [], ours.added[gap] ?? [])) if (allow(line)) put(line)
    const isStable = gap < base.length && stays(gap)
    if (isStable || gap === base.length) {
      const conflict = conflictBetween(ours, others, from, gap)
      if (conflict !== undefined) onConflict({ ...conflict, line: 1 + firstOf(result, start, conflict) })
      from = gap + 1
    }
    if (isStable) start = put(base[gap] ?? '')
  }
  return result
}

/** The same for whole texts, in which headings keep the blank lines around them. */
export function mergeText(base: string, mine: string, theirs: string): MergedText {
  if (mine === theirs || theirs === base) return { text: mine, conflicts: [] }
  if (mine === base) return { text: theirs, conflicts: [] }
  const conflicts: LineConflict[] = []
  const [ours, others] = [split(mine), split(theirs)]
  const lines = mergeLines(split(base), ours, others, (conflict) => conflicts.push(conflict), apart(ours, others))
  return { text: lines.join('\n'), conflicts }
}

const HEADING = /^#{1,6} /

/**
 * Whether a blank line belongs between two lines: around a heading, unless a side has it without one. Who takes the only item below a
 * heading away has taken the blank line with it (none ends a text), and would take it from the other side's items too.
 */
function apart(mine: readonly string[], theirs: readonly string[]): (above: string, below: string) => boolean {
  const withoutBelow = new Set<string>()
  const withoutAbove = new Set<string>()
  for (const side of [mine, theirs]) {
    side.forEach((line, at) => {
      if (!HEADING.test(line)) return
      if (side[at + 1]) withoutBelow.add(line)
      if (side[at - 1]) withoutAbove.add(line)
    })
  }
  return (above, below) =>
    above !== '' && below !== '' && ((HEADING.test(above) && !withoutBelow.has(above)) || (HEADING.test(below) && !withoutAbove.has(below)))
}

/** Between two lines that stay, base lines `from` to `to`: where both removed one, what each alone put in its place. */
function conflictBetween(ours: Edits, others: Edits, from: number, to: number): Omit<LineConflict, 'line'> | undefined {
  const bothRemoved = ours.kept.slice(from, to).some((kept, at) => !kept && !others.kept[from + at])
  if (!bothRemoved) return undefined
  const added = (side: Edits): string[] => side.added.slice(from, to + 1).flat()
  const [all, allOthers] = [added(ours), added(others)]
  const mine = all.filter((line) => line.trim() !== '' && !allOthers.includes(line))
  const theirs = allOthers.filter((line) => line.trim() !== '' && !all.includes(line))
  return mine.length > 0 && theirs.length > 0 ? { mine, theirs } : undefined
}

/** From `start` on; where none of them comes there, because the other side has put it somewhere before, that place. */
function firstOf(lines: readonly string[], start: number, { mine, theirs }: Omit<LineConflict, 'line'>): number {
  const isOne = (line: string): boolean => mine.includes(line) || theirs.includes(line)
  const at = lines.findIndex((line, index) => index >= start && isOne(line))
  return at >= 0 ? at : Math.max(0, lines.findLastIndex(isOne))
}

/** An empty text has no lines (and not one empty line). */
function split(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

interface Edits {
  /** For each base line whether the side still has it. */
  readonly kept: readonly boolean[]
  /** The lines that stand before each base line; the last entry stands at the end. */
  readonly added: readonly (readonly string[])[]
}

function edits(base: readonly string[], side: readonly string[]): Edits {
  const kept = new Array<boolean>(base.length).fill(false)
  const added: string[][] = Array.from({ length: base.length + 1 }, () => [])
  let gap = 0
  const matches = commonLines(base, side)
  side.forEach((line, at) => {
    const match = matches[at]
    if (match === undefined || match < 0) added[gap]?.push(line)
    else {
      kept[match] = true
      gap = match + 1
    }
  })
  return { kept, added }
}

/** Cells of the table below; larger middles count as replaced whole, which keeps both sides. */
const MAX_CELLS = 4_000_000

/** For each line of `side` the base line it is, or −1: a longest common subsequence between the equal ends. */
function commonLines(base: readonly string[], side: readonly string[]): Int32Array {
  const matches = new Int32Array(side.length).fill(-1)
  let start = 0
  while (start < base.length && start < side.length && base[start] === side[start]) matches[start] = start++
  let end = 0
  while (end < base.length - start && end < side.length - start && base[base.length - 1 - end] === side[side.length - 1 - end]) {
    end++
    matches[side.length - end] = base.length - end
  }
  const rows = base.length - start - end
  const columns = side.length - start - end
  if (rows * columns > MAX_CELLS) return matches
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const same = base[start + row] === side[start + column]
      lengths[row * width + column] = same ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (base[start + row] === side[start + column]) matches[start + column++] = start + row++
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return matches
}

/** Two lists in one gap: what they share at their ends comes once, the rest of both in between. */
function joinGap(theirs: readonly string[], mine: readonly string[]): string[] {
  const shorter = Math.min(theirs.length, mine.length)
  let start = 0
  while (start < shorter && theirs[start] === mine[start]) start++
  let end = 0
  while (end < shorter - start && theirs[theirs.length - 1 - end] === mine[mine.length - 1 - end]) end++
  return [...theirs.slice(0, theirs.length - end), ...mine.slice(start, mine.length - end), ...theirs.slice(theirs.length - end)]
}

/**
 * Whether a base line stays, asked in order. Of equal lines the two sides may have removed different ones; as many stay as the
 * side with fewer has left, so that a line that both still have is never lost.
 */
function keptByBoth(base: readonly string[], mine: Edits, theirs: Edits): (at: number) => boolean {
  const left = new Map<string, { mine: number; theirs: number; both: number }>()
  base.forEach((line, at) => {
    const count = left.get(line) ?? { mine: 0, theirs: 0, both: 0 }
    if (mine.kept[at]) count.mine++
    if (theirs.kept[at]) count.theirs++
    if (mine.kept[at] && theirs.kept[at]) count.both++
    left.set(line, count)
  })
  const missing = new Map([...left].map(([line, count]) => [line, Math.min(count.mine, count.theirs) - count.both]))
  return (at) => {
    if (mine.kept[at] && theirs.kept[at]) return true
    const line = base[at] ?? ''
    const needed = missing.get(line) ?? 0
    if (needed === 0 || !(mine.kept[at] || theirs.kept[at])) return false
    missing.set(line, needed - 1)
    return true
  }
}

/**
 * A filter for added lines in order: one that both sides added, in whatever place, comes as often as in the side that has it
 * more often. Lines that carry structure rather than words (blank ones, fences, rules) are left alone.
 */
function addedTwice(mine: Edits, theirs: Edits): (line: string) => boolean {
  const ours = counts(mine)
  const others = counts(theirs)
  const written = new Map<string, number>()
  return (line) => {
    const limit = ours.has(line) && others.has(line) ? Math.max(ours.get(line) ?? 0, others.get(line) ?? 0) : Number.POSITIVE_INFINITY
    const already = written.get(line) ?? 0
    if (already >= limit) return false
    written.set(line, already + 1)
    return true
  }
}

function counts(side: Edits): Map<string, number> {
  const found = new Map<string, number>()
  for (const line of side.added.flat()) {
    if (/[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line)) found.set(line, (found.get(line) ?? 0) + 1)
  }
  return found
}
