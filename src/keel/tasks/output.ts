/**
 * Tasks out of what a program printed. Programs and the scripts around them print JSON, one JSON object a line, CSV with a header or plain
 * lines, and often say something else first: the form is found out here.
 */
import { withoutColours } from './colours.ts'
import { parseCsv } from './csv.ts'
import { fieldName, taskFrom } from './record.ts'
import type { Task } from './task-list.ts'

/** Beginnings of JSON, and lines that may be a header, that are tried before the text is taken for something else. */
const ATTEMPTS = 50
/** Where a list of tasks lies in an object that a program prints. */
const LISTS = ['results', 'tasks', 'items', 'data']
const COLUMNS = ['id', 'done', 'due', 'duedate', 'scheduled', 'scheduledate', 'project', 'priority']
/** A program that is about to print objects, in JSON or in the notation of a JavaScript console. */
const OBJECTS = /^[ \t]*(?:\[[ \t]*$|(?:\[[ \t]*)?\{[ \t]*(?:$|"|\w+:))/m

/** Open tasks in the order of the text. Errors: a plain `Error` that says why it cannot be read. */
export function readTasks(output: string): Task[] {
  const text = withoutColours(output).replace(/^\ufeff/, '')
  const records = jsonRecords(text) ?? csvRecords(text)
  if (records !== undefined) return records.flatMap((record) => taskFrom(record) ?? [])
  if (OBJECTS.test(text)) throw new Error('it printed objects that are not JSON')
  return plainLines(text).flatMap((line) => taskFrom(line) ?? [])
}

/** The id of the task that a program says it made, where it says so in JSON. */
export function createdId(output: string): string | undefined {
  return jsonRecords(output)?.flatMap((record) => taskFrom(record)?.id ?? [])[0]
}

function jsonRecords(text: string): readonly unknown[] | undefined {
  let attempts = 0
  for (const { index } of text.matchAll(/^[ \t]*[[{]/gm)) {
    if (++attempts > ATTEMPTS) break
    const rest = text.slice(index)
    const found = whole(rest) ?? oneALine(rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** One value, perhaps with other lines behind it. */
function whole(text: string): readonly unknown[] | undefined {
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1
  // A box to tick, `[ ] Walk`, begins like an empty list.
  const value = /^[ \t\r]*(?:\n|$)/.test(text.slice(end)) ? parsed(text.slice(0, end)) : undefined
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string' || isRecord(item)) ? value : undefined
  if (!isRecord(value)) return undefined
  const list = LISTS.map((name) => value[name]).find(Array.isArray)
  return list ?? [value]
}

function oneALine(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n')
  if (!isRecord(parsed(lines[0]!))) return undefined
  return lines.map(parsed).filter(isRecord)
}

function csvRecords(text: string): readonly unknown[] | undefined {
  let attempts = 0
  for (const { 0: line, index } of text.matchAll(/^.*\btitle\b.*$/gim)) {
    if (++attempts > ATTEMPTS) break
    const names = parseCsv(line)[0]!.map(fieldName)
    // A task may be called "Title, author and year": a header has another column that is known.
    if (!names.includes('title') || !names.some((name) => COLUMNS.includes(name))) continue
    const rows = parseCsv(text.slice(index)).slice(1)
    return rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])))
  }
  return undefined
}

function plainLines(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, box, title] = /^\s*(?:[-*•]\s+)?(?:\[([ xX-])\]\s+)?(.*)$/s.exec(line)!
    const isOpen = box === undefined || box === ' '
    return isOpen && !/^creating cache\b/i.test(title!) ? [title!] : []
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the next form is tried.
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
