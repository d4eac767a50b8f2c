/** What comes from task tools and what goes to them: one line, bounded, without control characters. */
import { visibleLine } from '../../util/printable.ts'
import { notCreated } from './failures.ts'
import type { Task } from './task-list.ts'

/** Characters of a title, as a reader counts them; no tool of ours allows fewer. */
export const TITLE_LIMIT = 200
/** Characters of a text for one that is kept: blanks, and what cannot be seen. */
const LOOKED_AT = 20
/** Open tasks that are looked at: more of them no brief is chosen from. */
export const MOST_TASKS = 10_000

/** The title that is given to a tool. Errors: `task_create_failed` where nothing of it is left. */
export function newTitle(title: string, tool: string): string {
  const line = boundedLine(title, TITLE_LIMIT)
  if (line === '') throw notCreated(tool, 'it has no text')
  return line
}

/** At most `limit` characters. */
export function boundedLine(text: string, limit: number): string {
  // Beyond that nothing is looked at: a line may have a million characters, few of which are a title.
  const line = visibleLine(text.slice(0, LOOKED_AT * limit))
  return line.length <= limit ? line : [...line].slice(0, limit).join('').trim()
}

/** Those that are due first, then those that are scheduled, then the others as the tool gave them; a task that was given twice is one. */
export function arranged(tasks: readonly Task[], limit: number): readonly Task[] {
  const unique = new Map<string, Task>()
  for (const task of tasks) {
    const key = task.id === undefined ? `title ${task.title}` : `id ${task.id}`
    if (!unique.has(key)) unique.set(key, task)
  }
  return [...unique.values()].sort(byOrder).slice(0, Math.max(limit, 0))
}

/** The sort is stable: the tool's own order is left where ours says nothing. */
function byOrder(one: Task, other: Task): number {
  const [left, right] = [order(one), order(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

function order({ due, scheduled }: Task): string {
  return due !== undefined ? `1 ${due}` : scheduled !== undefined ? `2 ${scheduled}` : '3'
}
