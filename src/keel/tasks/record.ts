/** One open task out of a record of any task tool: they agree on what a task has, hardly on what it is called. */
import { isObject } from '../../util/is-object.ts'
import { dayOf } from './day.ts'
import type { Task } from './task-list.ts'
import { boundedLine, TITLE_LIMIT } from './task-text.ts'

/** The best name first: Todoist's `content` is the title and its `description` a note, Taskwarrior's `description` is the title. */
const TITLES = ['title', 'content', 'description', 'text', 'name']
const IDS = ['uuid', 'id', 'externalid']
const DUES = ['due', 'duedate', 'deadline']
const SCHEDULES = ['scheduled', 'scheduledate', 'day']
const PROJECTS = ['project', 'projectname']
const ENDS = ['done', 'completed', 'iscompleted', 'checked', 'isdeleted']
const NAME_LIMIT = 100

/** Undefined for what is done, is no task, or has no title. */
export function taskFrom(value: unknown): Task | undefined {
  if (typeof value === 'string') return withTitle(value)
  if (!isObject(value)) return undefined
  const fields = new Map(Object.entries(value).map(([key, field]) => [fieldName(key), field]))
  if (isOver(fields)) return undefined
  const task = withTitle(first(fields, TITLES, asText) ?? '')
  if (task === undefined) return undefined
  const id = first(fields, IDS, asText)
  const due = first(fields, DUES, asDay)
  const scheduled = first(fields, SCHEDULES, asDay)
  const project = first(fields, PROJECTS, asText)
  return {
    ...(id === undefined ? {} : { id: boundedLine(id, NAME_LIMIT) }),
    ...task,
    ...(due === undefined ? {} : { due }),
    ...(scheduled === undefined ? {} : { scheduled }),
    ...(project === undefined ? {} : { project: boundedLine(project, NAME_LIMIT) }),
  }
}

/** `_id`, `DUE_DATE`, `dueDate`: `id`, `duedate`, `duedate`. */
export function fieldName(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

function withTitle(text: string): Task | undefined {
  const title = boundedLine(text, TITLE_LIMIT)
  return title === '' ? undefined : { title }
}

function isOver(fields: ReadonlyMap<string, unknown>): boolean {
  if (ENDS.some((name) => /^(?:true|1|yes|x|done)$/i.test(String(fields.get(name))))) return true
  // Marvin's lists hold projects and categories as well.
  return /^(?:completed|done|deleted|recurring|cancelled)$/i.test(String(fields.get('status'))) || fields.get('db') === 'Categories'
}

function first<Value>(
  fields: ReadonlyMap<string, unknown>,
  names: readonly string[],
  as: (field: unknown) => Value | undefined,
): Value | undefined {
  for (const name of names) {
    const value = as(fields.get(name))
    if (value !== undefined) return value
  }
  return undefined
}

function asText(field: unknown): string | undefined {
  if (typeof field === 'number') return String(field)
  return typeof field === 'string' && field.trim() !== '' ? field : undefined
}

/** Todoist's dates are objects. */
function asDay(field: unknown): string | undefined {
  return dayOf(isObject(field) ? field.date : field)
}
