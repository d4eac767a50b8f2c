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
  return parts(content).section.flatMap((line) => parseLine(line) ?? [])
}

/** The content with the rules' own lines replaced by `noted`. Every other line stays, in its place. */
export function withNotedLines(content: string, noted: readonly NotedLine[]): string {
  const { above, section, below } = parts(content)
  const others = section.filter((line) => parseLine(line) === undefined && line.trim() !== '')
  const own = [...others, ...noted.map(formatLine)]
  return join([above, own.length === 0 ? [] : [NOTED_HEADING, '', ...own], below])
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

interface Parts {
  readonly above: readonly string[]
  /** The lines between the heading and the next one. */
  readonly section: readonly string[]
  readonly below: readonly string[]
}

function parts(content: string): Parts {
  const lines = content.split('\n')
  const heading = lines.indexOf(NOTED_HEADING)
  if (heading < 0) return { above: lines, section: [], below: [] }
  const next = lines.findIndex((line, index) => index > heading && /^#{1,6} /.test(line))
  const end = next < 0 ? lines.length : next
  return { above: lines.slice(0, heading), section: lines.slice(heading + 1, end), below: lines.slice(end) }
}

function join(blocks: readonly (readonly string[])[]): string {
  return blocks
    .map((block) => trimEnd(block).join('\n'))
    .filter((block) => block.trim() !== '')
    .join('\n\n')
}

function trimEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1)
}
