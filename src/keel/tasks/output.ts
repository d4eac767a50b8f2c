/**
 * Tasks out of what a program printed. Programs and the scripts around them print JSON, one JSON object a line, CSV with a header or plain
 * lines, and often say something else first: the form is found out here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject } from '../../util/is-object.ts'
import { withoutColours } from './colours.ts'
import { csvRows } from './csv.ts'
import { inTurns, linesOf } from './in-turns.ts'
import { fieldName, taskFrom } from './record.ts'
import type { Task } from './task-list.ts'
import { MOST_TASKS } from './task-text.ts'

/** Beginnings of JSON, and lines that may be a header, that are tried before the text is taken for something else. */
const ATTEMPTS = 50
/** Where a list of tasks lies in an object that a program prints. */
const LISTS = ['results', 'tasks', 'items', 'data']
const COLUMNS = ['id', 'done', 'due', 'duedate', 'scheduled', 'scheduledate', 'project', 'priority']
/** A program that is about to print objects, in JSON or in the notation of a JavaScript console. */
const OBJECTS = /^[ \t]*(?:\[[ \t]*$|(?:\[[ \t]*)?\{[ \t]*(?:$|"|\w+:))/m

/** The first `MOST_TASKS` open tasks in the order of the text. Errors: a plain `Error` that says why it cannot be read. */
export async function readTasks(output: string): Promise<Task[]> {
  const text = withoutColours(output).replace(/^\ufeff/, '')
  const records = (await jsonRecords(text)) ?? csvRecords(text)
  if (records !== undefined) return inTurns(records, taskFrom, MOST_TASKS)
  if (OBJECTS.test(text)) throw new Error('it printed objects that are not JSON')
  return inTurns(linesOf(text), plainTask, MOST_TASKS)
}

/** The id of the task that a program says it made, where it says so in JSON. */
export async function createdId(output: string): Promise<string | undefined> {
  const records = (await jsonRecords(output)) ?? []
  return (await inTurns(records, (record) => taskFrom(record)?.id, 1))[0]
}

async function jsonRecords(text: string): Promise<Iterable<unknown> | undefined> {
  let attempts = 0
  for (const { index } of text.matchAll(/^[ \t]*[[{]/gm)) {
    if (++attempts > ATTEMPTS) break
    // What only begins like JSON may be read almost to its end before that is known.
    if (attempts > 1) await nextTurn()
    const rest = text.slice(index)
    const found = whole(rest) ?? oneALine(rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** One value, perhaps with other lines behind it. */
function whole(text: string): Iterable<unknown> | undefined {
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1
  // A box to tick, `[ ] Walk`, begins like an empty list.
  const value = /^[ \t\r]*(?:\n|$)/.test(text.slice(end)) ? parsed(text.slice(0, end)) : undefined
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string' || isObject(item)) ? value : undefined
  if (!isObject(value)) return undefined
  const list = LISTS.map((name) => value[name]).find(Array.isArray)
  return list ?? [value]
}

/** Lines between that are something else are passed over. */
function oneALine(text: string): Iterable<unknown> | undefined {
  const [line = ''] = linesOf(text)
  return objectOf(line) === undefined ? undefined : lazily(linesOf(text), objectOf)
}

function csvRecords(text: string): Iterable<unknown> | undefined {
  let attempts = 0
  for (const { 0: line, index } of text.matchAll(/^.*\btitle\b.*$/gim)) {
    if (++attempts > ATTEMPTS) break
    const names: string[] = csvRows(line).next().value.map(fieldName)
    // A task may be called "Title, author and year": a header has another column that is known.
    if (!names.includes('title') || !names.some((name) => COLUMNS.includes(name))) continue
    const rows = csvRows(text.slice(index))
    rows.next()
    return lazily(rows, (row) => Object.fromEntries(names.map((name, column) => [name, row[column]])))
  }
  return undefined
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(line)
  return isObject(value) ? value : undefined
}

function plainTask(line: string): Task | undefined {
  const [, box, title] = /^\s*(?:[-*•]\s+)?(?:\[([ xX-])\]\s+)?(.*)$/s.exec(line)!
  const isOpen = box === undefined || box === ' '
  return isOpen && !/^creating cache\b/i.test(title!) ? taskFrom(title) : undefined
}

function* lazily<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Generator<Made> {
  for (const item of items) yield make(item)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the next form is tried.
  }
}
