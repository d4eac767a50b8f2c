import { isSecretName } from '../names.ts'
import type { Block, Rule } from '../rule.ts'
import { isPassword, isRandom, isStandIn, isWordPassword } from '../strength.ts'

/** Tables with a column of secrets: CSV, Markdown, what a database prints, and rows that SQL inserts. */

/** Line breaks, also as JSON and logs escape them, and where a string begins or ends that JSON has the whole text in. */
const BEGINNING = /\r?\n|(?:\\r)?\\n|": ?"/g
const ENDING = /\r?\n|(?:\\r)?\\n|"\}/
/** What a listing puts before a line: its number. */
const NUMBER = /^\s*\d{1,6}(?:→|\t|: )/
const PASSWORD_COLUMN =
  /(?:^|[\s_.-])(?:password|passwd|passwort|kennwort|pwd|pw|pass|contraseña|senha|mot de passe|密码|パスワード)(?:[_ ]plain)?$/i
const SECRET_COLUMN = /(?:^|[\s_.-])(?:secret|token|api[_ ]?key|access[_ ]?key|secret[_ ]?key)$/i

/** Of a line with headings, and of any other. Characters. */
const LONGEST_HEAD = 300
const LONGEST_LINE = 2000
const MOST_ROWS = 500

interface Cell {
  readonly start: number
  readonly text: string
}

/** The next line from `at` on, without the number of a listing; and where the one behind it begins. */
function lineAt(text: string, at: number): { readonly start: number; readonly text: string; readonly next: number } {
  const piece = text.slice(at, at + LONGEST_LINE)
  const end = ENDING.exec(piece)
  const line = piece.slice(0, end?.index)
  const number = NUMBER.exec(line)?.[0].length ?? 0
  return {
    start: at + number,
    text: line.slice(number),
    next: end === null ? at + piece.length : at + end.index + (end[0] === '"}' ? piece.length : end[0].length),
  }
}

function lineStart(text: string, at: number): number {
  const from = Math.max(at - LONGEST_HEAD, 0)
  let start = from
  for (const { index, 0: found } of text.slice(from, at).matchAll(BEGINNING)) start = from + index + found.length
  return start
}

function cellsOf(line: { readonly start: number; readonly text: string }, separator: string): Cell[] {
  const cells: Cell[] = []
  let at = line.start
  for (const part of line.text.split(separator)) {
    const [opening] = /^[\s"'`*]*/.exec(part)!
    cells.push({ start: at + opening.length, text: part.slice(opening.length).replace(/[\s"'`*]+$/, '') })
    at += part.length + separator.length
  }
  return cells
}

function isSecretCell(value: string, column: string): boolean {
  if (PASSWORD_COLUMN.test(column)) return value.length <= 200 && (isPassword(value) || isWordPassword(value))
  return isRandom(value, 10) && !value.includes(' ')
}

/** The rows under a line of headings of which one says password, secret or token. */
function findColumns(text: string, at: number): Block | undefined {
  const head = lineAt(text, lineStart(text, at))
  if (head.text.length > 2 * LONGEST_HEAD) return { secrets: [], end: Math.max(head.next, at + LONGEST_HEAD) }
  const separator = ['|', '\t', ';', ','].find((character) => head.text.includes(character))
  if (separator === undefined) return undefined
  const headings = cellsOf(head, separator)
  const columns = headings.flatMap(({ text: heading }, column) => {
    return (PASSWORD_COLUMN.test(heading) || SECRET_COLUMN.test(heading)) && isSecretName(heading) ? [column] : []
  })
  if (columns.length === 0 || !headings.every(({ text: heading }) => /^[\p{L}\p{N}_#. /-]{0,40}$/u.test(heading)))
    return { secrets: [], end: head.next }

  const secrets: [number, number][] = []
  let isRuled = separator !== '|'
  let next = head.next
  for (let row = 0; row < MOST_ROWS && next < text.length; row++) {
    const line = lineAt(text, next)
    // What rules a table off tells it from a sentence with bars.
    if (/^[\s|:+-]{3,}$/.test(line.text)) isRuled = true
    else {
      const cells = cellsOf(line, separator)
      if (!isRuled || cells.length !== headings.length) break
      for (const column of columns) {
        const { start, text: value } = cells[column]!
        if (isSecretCell(value, headings[column]!.text)) secrets.push([start, start + value.length])
      }
    }
    next = line.next
  }
  return { secrets, end: next }
}

/** `insert into t (a, password) values ('x', '…'), (…)`. */
function findInserted(text: string, at: number): Block | undefined {
  const head = /insert into [^()\n]{1,80}\((?<columns>[^()]{1,1000})\)\s{0,9}values\s{0,9}(?=\()/iy
  head.lastIndex = at
  const match = head.exec(text)
  if (match === null) return undefined
  const columns = match.groups!.columns!.split(',').map((column) => column.replace(/["'`[\]\s\\]/g, ''))
  const secrets: [number, number][] = []
  const values =
    /\s{0,9}(?:\(|,)?\s{0,9}(?:[NE]?\\?'(?<text>(?:[^'\\\n]|''){0,1000})\\?'|(?<other>[^',()]{0,200}(?:\([^()]{0,200}\))?))\s{0,9}(?<close>\)(?:\s{0,9},(?=\s{0,9}\())?)?/y
  values.lastIndex = head.lastIndex
  for (let column = 0, row = 0; row < MOST_ROWS; ) {
    const value = values.exec(text)
    if (value === null || value[0] === '') break
    const name = columns[column] ?? ''
    const own = value.groups!.text
    if (
      own !== undefined &&
      isSecretName(name) &&
      (PASSWORD_COLUMN.test(name) || SECRET_COLUMN.test(name)) &&
      isSecretCell(own, name) &&
      !isStandIn(own)
    ) {
      const start = value.index + value[0].indexOf(own)
      secrets.push([start, start + own.length])
    }
    column++
    if (value.groups!.close !== undefined) {
      if (!value.groups!.close.includes(',')) break
      column = 0
      row++
    }
  }
  return { secrets, end: Math.max(values.lastIndex, head.lastIndex) }
}

const COLUMN_NAMES = ['password', 'passwd', 'passwort', 'kennwort', 'contraseña', 'secret', 'token', 'api_key', 'api key']

export const tableRules: readonly Rule[] = [
  {
    name: 'password',
    // A heading ends at its separator, at the end of its line, or before the space that fills its column up.
    hints: COLUMN_NAMES.flatMap((name) => ['\n', '\\n', ',', ';', '\t', ' |', '  ', '",', '"\n'].map((after) => name + after)),
    find: findColumns,
  },
  { name: 'sql-password', hints: ['insert into '], find: findInserted },
]
