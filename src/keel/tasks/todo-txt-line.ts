/** What a todo.txt file says: `x ` done, `(A) ` priority, a day of creation, `+project`, `@context`, `key:value`. */
import { dayOf } from './day.ts'
import { inTurns, linesOf } from './in-turns.ts'
import type { Task } from './task-list.ts'
import { boundedLine, MOST_TASKS, TITLE_LIMIT } from './task-text.ts'

/** Characters of a line that are read: a title has few of them, and dates and projects stand near it. */
const LINE_LIMIT = 10_000

/** Fields that programs around todo.txt know. */
const FIELDS = ['due', 't', 'rec', 'pri', 'h', 'id', 'p', 'sup', 'uuid', 'star', 'note']
const FIELD = new RegExp(`^(?:${FIELDS.join('|')}):(?=\\S)`, 'i')

/** The line of a new task: `title` is text, whatever it looks like. The day in front keeps `x ` and `(A) ` from saying that it is done or urgent. */
export function newLine(title: string, today: string): string {
  const words = title.split(' ').map((word) => word.replace(FIELD, '$& '))
  return `${today} ${words.join(' ')}`
}

/** The open tasks that may begin by `today` (`YYYY-MM-DD`; `t:` says from when on), the most urgent first. */
export async function parseTodoTxt(text: string, today: string): Promise<Task[]> {
  const found = await inTurns(linesOf(text, /[^\r\n]+/g), (line) => openTask(line.slice(0, LINE_LIMIT), today), MOST_TASKS)
  return found.sort((one, other) => one.priority.localeCompare(other.priority, 'en')).map(({ task }) => task)
}

function openTask(line: string, today: string): { readonly task: Task; readonly priority: string } | undefined {
  if (/^x\s/.test(line)) return undefined
  const [, priority = 'none', rest] = /^\s*(?:\(([A-Z])\)\s+)?(?:\d{4}-\d{2}-\d{2}(?:\s+|$))?(.*)$/s.exec(line)!
  const words = rest!.split(/\s+/)
  const value = (key: string): string | undefined => words.find((word) => word.startsWith(`${key}:`))?.slice(key.length + 1)
  const due = dayOf(value('due'))
  const starts = dayOf(value('t'))
  // Some programs hide lines that only carry a name for others, with `h:1`.
  if (value('h') === '1' || (starts !== undefined && starts > today)) return undefined
  const title = boundedLine(words.filter((word) => !/^(?:due|t|rec|pri|h):\S/.test(word)).join(' '), TITLE_LIMIT)
  const project = words.find((word) => /^\+\S/.test(word))?.slice(1)
  if (title === '') return undefined
  return {
    priority,
    task: {
      title,
      ...(due === undefined ? {} : { due }),
      ...(starts === undefined ? {} : { scheduled: starts }),
      ...(project === undefined ? {} : { project }),
    },
  }
}
