/** The list of what was learned: as much of it as fits, whole lines, the most telling first in and the rest counted. */
import { printable } from '../util/printable.ts'
import type { Memory } from './memories.ts'
import type { Palette } from './palette.ts'
import { withShortError } from './skill-text.ts'
import { wrap } from './wrap.ts'

/** "Claude Code 05-14" */
const ORIGIN_WIDTH = 17
const LABELS = ['preference', 'decision', 'fact', 'skill', 'user', 'memory', 'document'] as const
const LABEL_WIDTH = 10
/** Narrower pages do without the column of origins. */
const ORIGINS_FROM = 84
/** Where not everything fits, longer entries stand back, and so does what was before. */
const LINES_AN_ENTRY = 3

interface Entry {
  readonly label: (typeof LABELS)[number]
  readonly lines: readonly string[]
  readonly origin: string
  readonly at: string
  readonly changed: boolean
}

/** At most `most` lines. */
export function learnedLines(
  memories: readonly Memory[],
  resources: readonly string[],
  most: number,
  width: number,
  colours: Palette,
): string[] {
  const room = width - LABEL_WIDTH - 4 - (width < ORIGINS_FROM ? 0 : ORIGIN_WIDTH + 2)
  const entries = (before: boolean): Entry[] =>
    [...memories.map((memory) => entryOf(memory, room, before)), ...resources.map((text) => documentOf(text, room))].sort(
      (a, b) => LABELS.indexOf(a.label) - LABELS.indexOf(b.label),
    )
  const all = entries(true)
  const shown = all.reduce((sum, { lines }) => sum + lines.length, 0) <= most ? all : fitting(entries(false), most - 1)
  const left = all.length - shown.length
  const lines = shown.flatMap((entry, index) => linesOf(entry, shown[index - 1]?.label !== entry.label, room, width, colours))
  return [...lines, ...(left > 0 ? [colours.dim(`  … and ${left} more`)] : [])]
}

/** In the order of interest as many as fit, whole; then in the order of the list. */
function fitting(entries: readonly Entry[], most: number): Entry[] {
  let free = most
  const taken = new Set<Entry>()
  for (const entry of byInterest(entries)) {
    if (entry.lines.length > Math.min(free, LINES_AN_ENTRY)) continue
    taken.add(entry)
    free -= entry.lines.length
  }
  return entries.filter((entry) => taken.has(entry))
}

/** One of each kind in turn, within a kind what has changed and then the newest. */
function byInterest(entries: readonly Entry[]): Entry[] {
  const kinds = LABELS.map((label) =>
    entries.filter((entry) => entry.label === label).sort((a, b) => Number(b.changed) - Number(a.changed) || b.at.localeCompare(a.at)),
  )
  const turns = Math.max(0, ...kinds.map((kind) => kind.length))
  return Array.from({ length: turns }, (_, turn) => kinds.flatMap((kind) => kind[turn] ?? [])).flat()
}

function entryOf({ track, file, statement, before, origin }: Memory, room: number, withBefore: boolean): Entry {
  const text = withShortError(printable(statement))
  const full = before !== undefined && withBefore ? `${text} (before: ${printable(before)})` : text
  return {
    label: labelOf(track, file),
    lines: wrap(full, room),
    origin: origin === undefined ? '' : `${origin.host.padEnd(11)} ${origin.at?.slice(5, 10) ?? ''}`,
    at: origin?.at ?? '',
    changed: before !== undefined,
  }
}

function documentOf(text: string, room: number): Entry {
  return { label: 'document', lines: wrap(printable(text), room), origin: '', at: '', changed: false }
}

function labelOf(track: string, file: string): Entry['label'] {
  if (track === 'skill') return 'skill'
  if (file === 'preferences') return 'preference'
  if (file === 'about-the-user') return 'user'
  return file.endsWith('decisions') ? 'decision' : file.endsWith('facts') ? 'fact' : 'memory'
}

function linesOf({ label, lines, origin }: Entry, opens: boolean, room: number, width: number, { accent, dim }: Palette): string[] {
  return lines.map((line, row) => {
    const head = row === 0 && opens ? accent(label.padEnd(LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH)
    const end = width < ORIGINS_FROM || row > 0 || origin === '' ? '' : `${' '.repeat(room - line.length + 2)}${dim(origin)}`
    return `  ${head}  ${line}${end}`
  })
}
