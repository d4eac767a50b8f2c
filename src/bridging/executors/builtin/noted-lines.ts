/**
 * The part of a memory file that belongs to the built-in rules: the list below their heading. Headings are not searched, so the mark
 * costs nothing, and it survives the store, other hosts and a person's editor. Lines of anybody else are never touched.
 */

/** The job texts name this heading too. */
export const NOTED_HEADING = '## Noted by the built-in rules'

export interface NotedLine {
  readonly text: string
  /** `YYYY-MM-DD`, of the message; absent where the log gave no time. */
  readonly date?: string
  /** What this line took the place of. */
  readonly before?: string
}

const LINE = /^- (.*?) \((\d{4}-\d{2}-\d{2}|undated)(?:; before: (.*))?\)$/

/** The rules' own lines of a file's content, in order. */
export function notedLines(content: string): NotedLine[] {
  const lines = content.split('\n')
  const [start, end] = section(lines)
  return lines.slice(start, end).flatMap((line) => parseLine(line) ?? [])
}

/** The content with the rules' own lines replaced by `noted`. Every other line stays, in its place. */
export function withNotedLines(content: string, noted: readonly NotedLine[]): string {
  const lines = content.split('\n')
  const [start, end] = section(lines)
  const others = lines.slice(start, end).filter((line) => parseLine(line) === undefined && line.trim() !== '')
  const above = trimEnd(lines.slice(0, start === end ? lines.length : start - 1))
  const below = start === end ? [] : lines.slice(end)
  if (noted.length + others.length === 0) return join([above, below])
  return join([above, [NOTED_HEADING, '', ...others, ...noted.map(formatLine)], below])
}

export function formatLine({ text, date, before }: NotedLine): string {
  return `- ${text} (${date ?? 'undated'}${before === undefined ? '' : `; before: ${before}`})`
}

function parseLine(line: string): NotedLine | undefined {
  const match = LINE.exec(line)
  if (match === null) return undefined
  const [, text = '', date, before] = match
  return { text, ...(date === 'undated' || date === undefined ? {} : { date }), ...(before === undefined ? {} : { before }) }
}

/** The lines below the heading, up to the next one: `[start, end)`, empty where the heading is missing. */
function section(lines: readonly string[]): readonly [number, number] {
  const heading = lines.indexOf(NOTED_HEADING)
  if (heading < 0) return [lines.length, lines.length]
  const next = lines.findIndex((line, index) => index > heading && /^#{1,6} /.test(line))
  return [heading + 1, next < 0 ? lines.length : next]
}

function join(parts: readonly (readonly string[])[]): string {
  return parts
    .map((part) => trimEnd(part).join('\n'))
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

function trimEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1)
}
