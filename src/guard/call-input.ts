/** The input of a tool call, as the fields that it has: how deep they lie does not matter to what they say. */

export interface Field {
  readonly name: string
  /** Numbers too. */
  readonly value: string
}

export const COMMAND_FIELD = /^(?:commands?|command_?line|cmd|script)$/i
const ARGUMENTS_FIELD = /^(?:args|argv|arguments)$/i
/** A field of input that is no JSON any more: cut off by its host. */
const CUT_FIELD = /"(\w{2,40})"\s*:\s*("(?:[^"\\]|\\.){1,4096}"|\d{1,20})/g
const MAX_DEPTH = 6

/** The fields of an input that is JSON, or was before it was cut; undefined where it is a text. */
export function inputFields(text: string): readonly Field[] | undefined {
  if (!/^\s*[[{]/.test(text) || !text.includes('"')) return undefined
  const input = parsed(text)
  if (input !== undefined) return [...fields(input, '', 0)]
  if (!text.startsWith('{')) return undefined
  return [...text.matchAll(CUT_FIELD)].map(([, name = '', value = '']) => ({ name, value: unquoted(value) }))
}

/** The command lines of a call: the text itself, or what its input has in fields for them. */
export function commandLinesOf(text: string): readonly string[] {
  const found = inputFields(text)
  return found === undefined ? [text] : found.filter(({ name }) => COMMAND_FIELD.test(name)).map(({ value }) => value)
}

function* fields(value: unknown, name: string, depth: number): Generator<Field> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (name !== '') yield { name, value: String(value) }
  } else if (typeof value === 'object' && value !== null && depth <= MAX_DEPTH) {
    if (Array.isArray(value)) {
      const items = COMMAND_FIELD.test(name) && isWords(value) ? commandLines(value) : value
      for (const item of items) yield* fields(item, name, depth + 1)
    } else {
      for (const [key, field] of withCommandLine(Object.entries(value))) yield* fields(field, key, depth + 1)
    }
  }
}

/** Words of one command line. Where the first has blanks they may also be command lines. */
function commandLines(words: readonly string[]): readonly string[] {
  return [words.map(quoted).join(' '), ...(/\s/.test(words[0] ?? '') ? words : [])]
}

/** Where the arguments stand in a field of their own, they and the program, if it is named, become one field. */
function withCommandLine(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const given = entries.find(([name, value]) => ARGUMENTS_FIELD.test(name) && isWords(value))?.[1]
  if (given === undefined) return entries
  const program = entries.find(([name, value]) => COMMAND_FIELD.test(name) && typeof value === 'string')
  const words = [...(program === undefined ? [] : [program[1]]), ...(given as readonly string[])]
  return [...entries.filter((entry) => entry !== program), ['command', words]]
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // A command line in braces, or input that was cut off: looked at as text.
  }
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value))
  } catch {
    return value.slice(1, -1)
  }
}
