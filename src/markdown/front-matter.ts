/**
 * A memory file on disk: front matter with `name` and `description`, then markdown. Agents write these by hand, so the reader
 * takes what they mean (no quotes around a colon, a block scalar, a second block pasted on top) and says what it cannot read.
 */

export interface MemoryText {
  /** Undefined where the front matter has none, or an empty one: the caller knows the file's name. */
  readonly name?: string
  /** One line; undefined where the front matter has none. */
  readonly description?: string
  /** The markdown below, with `\n` line ends, without blank lines around it. */
  readonly content: string
  /** Other keys as they stand, one string a line: they belong to who wrote them. */
  readonly extra: readonly string[]
}

export type Parsed = { readonly ok: true; readonly file: MemoryText } | { readonly ok: false; readonly reason: string }

/** Never throws; `ok: false` means that text and front matter cannot be told apart, and that the file must be left as it is. */
export function parseMemoryText(text: string): Parsed {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const start = lines.findIndex((line) => line.trim() !== '')
  if (start < 0 || !isFence(lines[start] ?? '') || !mayOpen(lines, start)) return whole(lines)
  const end = closing(lines, start)
  if (end === undefined) return { ok: false, reason: `the front matter that opens in line ${start + 1} is never closed with ---` }
  const first = readBlock(lines.slice(start + 1, end))
  if (first === undefined)
    return { ok: false, reason: `the front matter in lines ${start + 1}–${end + 1} is not a list of "key: value" lines` }
  return { ok: true, file: withSecondBlock(first, lines.slice(end + 1)) }
}

/** The text of a mirror file: what `parseMemoryText` reads back unchanged. */
export function formatMemoryText(file: { name: string; description: string; content: string; extra?: readonly string[] }): string {
  const head = [`name: ${scalar(file.name)}`, `description: ${scalar(file.description)}`, ...(file.extra ?? [])]
  const content = trimBlankLines(file.content.replace(/\r\n?/g, '\n'))
  return `---\n${head.join('\n')}\n---\n${content === '' ? '' : `\n${content}\n`}`
}

/** Content as it comes back from a mirror file, so that a store's copy and a file can be compared. */
export function normalContent(content: string): string {
  return trimBlankLines(content.replace(/\r\n?/g, '\n'))
}

const KEY = /^([A-Za-z_][\w.-]*)\s*:(?:\s+(.*)|)$/

function isFence(line: string): boolean {
  return /^---\s*$/.test(line)
}

/** A `---` on the first line is a rule, not front matter, unless a key follows or another `---` directly does. */
function mayOpen(lines: readonly string[], start: number): boolean {
  const next = lines.slice(start + 1).find((line) => line.trim() !== '' && !line.startsWith('#'))
  return next !== undefined && (KEY.test(next) || isFence(next))
}

function closing(lines: readonly string[], start: number): number | undefined {
  for (let at = start + 1; at < lines.length; at++) {
    if (/^(?:---|\.\.\.)\s*$/.test(lines[at] ?? '')) return at
  }
  return undefined
}

interface Block {
  readonly name?: string
  readonly description?: string
  readonly extra: readonly string[]
}

/** Undefined where a line belongs to no key. A repeated key: the last one counts, as in most readers. */
function readBlock(lines: readonly string[]): Block | undefined {
  let name: string | undefined
  let description: string | undefined
  const extra: string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const match = KEY.exec(line)
    if (match === null) {
      if (line.trim() !== '' && !line.startsWith('#')) return undefined
      if (line.trim() !== '') extra.push(line)
      at++
      continue
    }
    let end = at + 1
    while (end < lines.length && continues(lines[end] ?? '', match[2] ?? '')) end++
    const key = (match[1] ?? '').toLowerCase()
    const value = (): string => readScalar([match[2] ?? '', ...lines.slice(at + 1, end)])
    if (key === 'name') name = value()
    else if (key === 'description') description = value()
    else extra.push(...lines.slice(at, end))
    at = end
  }
  return { ...(name ? { name } : {}), ...(description === undefined ? {} : { description }), extra }
}

/** Whether a line goes on with the value above: indented, or a list item below an empty value, or a blank line of a block. */
function continues(line: string, value: string): boolean {
  if (/^\s+\S/.test(line)) return true
  if (value === '' && /^- /.test(line)) return true
  return line.trim() === '' && /^[|>]/.test(value)
}

/** One line of text, whatever the style: plain, quoted, folded over lines, block. */
function readScalar(lines: readonly string[]): string {
  const [first = '', ...rest] = lines
  const head = rest.length > 0 && /^[|>][+-]?\d?\s*$/.test(first) ? '' : first
  const text = oneLine([head, ...rest].join(' '))
  if (/^".*"$/.test(text) && text.length > 1) return oneLine(unquoteDouble(text))
  if (/^'.*'$/.test(text) && text.length > 1) return oneLine(text.slice(1, -1).replaceAll("''", "'"))
  return text
}

function unquoteDouble(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    return text.slice(1, -1).replaceAll('\\"', '"') // An escape that only YAML knows stays as it is written.
  }
}

/** A second block right below the first, or below it with the same name, is a leftover of the first: the upper one wins. */
function withSecondBlock(first: Block, below: readonly string[]): MemoryText {
  const start = below.findIndex((line) => line.trim() !== '')
  const plain = { ...first, content: trimBlankLines(below.join('\n')) }
  if (start < 0 || !isFence(below[start] ?? '')) return plain
  const end = closing(below, start)
  const second = end === undefined ? undefined : readBlock(below.slice(start + 1, end))
  if (end === undefined || second?.name === undefined) return plain
  if (start > 0 && second.name !== first.name) return plain
  return { ...second, ...first, extra: [...first.extra, ...second.extra], content: trimBlankLines(below.slice(end + 1).join('\n')) }
}

function whole(lines: readonly string[]): Parsed {
  return { ok: true, file: { content: trimBlankLines(lines.join('\n')), extra: [] } }
}

/** Quotes what another reader of YAML, or ours, would take for something else. */
function scalar(value: string): string {
  const text = oneLine(value)
  const plain = text !== '' && !/^[\s"'|>&*!%@`{}[\]#,?:-]|: |:$| #|\s$/.test(text) && !/^(?:true|false|null|~|[\d.+-]+)$/i.test(text)
  return plain ? text : JSON.stringify(text)
}

/** Names and descriptions are one line, whatever the file or the store says. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
