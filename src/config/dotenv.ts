/**
 * The syntax of `config.env`, and nothing else: one `KEY=value` a line, so that a stray quote costs one line and never
 * the rest of the file. On the hot path: no imports.
 *
 * A value is bare (up to white space and `#`), 'single-quoted' (as it stands) or "double-quoted" (`\n \r \t \" \\`).
 * `export ` before a key and a comment after a value are allowed. Where a key stands twice the last one counts.
 */
export interface Line {
  /** With its line ending, exactly as it stands in the file. */
  readonly text: string
  readonly entry?: Entry
  /** Neither blank, comment nor assignment. It is kept, and `doctor` names it. */
  readonly unreadable?: true
}

export interface Entry {
  readonly key: string
  readonly value: string
  /** Where the written value (quotes included) begins and ends within `Line.text`. */
  readonly from: number
  readonly to: number
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*/
const BLANK_OR_COMMENT = /^\s*(?:#|$)/

export function parseLines(text: string): Line[] {
  return (text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []).map(parseLine)
}

/** The settled values of a file's text: the last one of each key. */
export function parseDotenv(text: string): Map<string, string> {
  return values(parseLines(text))
}

export function values(lines: readonly Line[]): Map<string, string> {
  return new Map(lines.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.key, entry.value] as const])))
}

/** Writes a value so that this parser reads it back, and a shell and the usual dotenv readers too (line breaks aside). */
export function formatValue(value: string): string {
  if (/^[A-Za-z0-9_.,:/@%+=~-]*$/.test(value)) return value
  if (!/['\r\n]/.test(value)) return `'${value}'`
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }
  return `"${value.replace(/[\n\r"\\]/g, (character) => escapes[character]!)}"`
}

function parseLine(text: string): Line {
  const body = text.replace(/[\r\n]+$/, '')
  if (BLANK_OR_COMMENT.test(body)) return { text }
  const match = ASSIGNMENT.exec(body)
  if (match === null) return { text, unreadable: true }
  const from = match[0].length
  const { value, to } = quoted(body, from) ?? bare(body, from)
  return { text, entry: { key: match[1]!, value, from, to } }
}

interface Value {
  readonly value: string
  readonly to: number
}

/** Undefined where no quote opens here, where it never closes, or where more than a comment follows: then the text is bare. */
function quoted(body: string, from: number): Value | undefined {
  const quote = body[from]
  if (quote !== "'" && quote !== '"') return undefined
  let value = ''
  for (let at = from + 1; at < body.length; at++) {
    const character = body[at]!
    if (character === quote) return /^\s*(?:$|#)/.test(body.slice(at + 1)) ? { value, to: at + 1 } : undefined
    if (quote === '"' && character === '\\' && at + 1 < body.length) value += escaped(body[++at]!)
    else value += character
  }
  return undefined
}

function escaped(character: string): string {
  if (character === 'n') return '\n'
  if (character === 'r') return '\r'
  if (character === 't') return '\t'
  return character === '"' || character === '\\' ? character : `\\${character}`
}

function bare(body: string, from: number): Value {
  const rest = body.slice(from)
  const comment = from > 0 && rest.startsWith('#') && /\s/.test(body[from - 1]!) ? 0 : rest.search(/\s#/)
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd()
  return { value, to: from + value.length }
}
