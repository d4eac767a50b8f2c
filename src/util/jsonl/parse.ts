/**
 * One line to the records in it. Usually that is one; a line after a killed write holds half a record with the next one
 * glued to it, two records without a newline between them, or a run of NUL bytes.
 */

export type JsonObject = Readonly<Record<string, unknown>>

export interface ParsedLine {
  readonly records: readonly JsonObject[]
  /** Why part of the line was given up, where it was. */
  readonly bad?: string
}

/** How many bytes a damaged line may make the search look at, as a multiple of its length. */
const EFFORT = 32

/**
 * `isRecord` tells a record of the log from an object inside one, so that the pieces of a torn record are not taken for
 * records. Blank lines hold nothing and are not bad.
 */
export function parseLine(text: string, isRecord: (value: JsonObject) => boolean): ParsedLine {
  const whole = parseObject(text)
  if (whole !== undefined) return { records: [whole] }
  const clean = text.replace(/[\0\uFEFF]+/g, '').trim()
  if (clean === '') return { records: [] }
  const cleaned = clean === text ? undefined : parseObject(clean)
  if (cleaned !== undefined) return { records: [cleaned] }
  return salvage(clean, isRecord)
}

function salvage(text: string, isRecord: (value: JsonObject) => boolean): ParsedLine {
  const records: JsonObject[] = []
  let lost = false
  let budget = text.length * EFFORT
  /** Where the last whole record ended, and from where the next one is looked for. */
  let whole = 0
  let from = 0
  while (budget > 0) {
    const start = text.indexOf('{"', from)
    if (start < 0) break
    const end = objectEnd(text, start)
    budget -= (end < 0 ? text.length : end) - start
    const value = end < 0 ? undefined : parseObject(text.slice(start, end))
    if (value !== undefined && isRecord(value)) {
      records.push(value)
      lost ||= text.slice(whole, start).trim() !== ''
      from = whole = end
    } else {
      from = start + 2
    }
  }
  lost ||= text.slice(whole).trim() !== ''
  return lost ? { records, bad: records.length > 0 ? 'a torn record before or after a whole one' : 'not JSON' } : { records }
}

/** Where the object that begins at `start` ends, by counting braces outside strings, or -1. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x22) {
      i = stringEnd(text, i)
      if (i < 0) return -1
    } else if (char === 0x7b) {
      depth++
    } else if (char === 0x7d && --depth === 0) {
      return i + 1
    }
  }
  return -1
}

/** Where the string that begins at `start` has its closing quote, or -1. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x5c) i++
    else if (char === 0x22) return i
  }
  return -1
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined // The caller looks for what can be saved and counts the line as bad otherwise.
  }
}
