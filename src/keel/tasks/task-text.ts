/** What comes from task tools and what goes to them: one line, bounded, without control characters. */
import { printable } from '../../util/printable.ts'
import { notCreated } from './failures.ts'
import type { Task } from './task-list.ts'

/** Characters of a title, as a reader counts them; no tool of ours allows fewer. */
export const TITLE_LIMIT = 200

/** The title that is given to a tool. Errors: `task_create_failed` where nothing of it is left. */
export function newTitle(title: string, tool: string): string {
  const line = oneLine(title, TITLE_LIMIT)
  if (line === '') throw notCreated(tool, 'it has no text')
  return line
}

export function oneLine(text: string, limit: number): string {
  return [...printable(text)].slice(0, limit).join('').trim()
}

/** Those that are due first, then those that are scheduled, then the others as the tool gave them; a task that was given twice is one. */
export function arranged(tasks: readonly Task[], limit: number): readonly Task[] {
  const unique = new Map<string, Task>()
  for (const task of tasks) {
    const key = task.id === undefined ? `title ${task.title}` : `id ${task.id}`
    if (!unique.has(key)) unique.set(key, task)
  }
  return [...unique.values()].sort((one, other) => order(one).localeCompare(order(other), 'en')).slice(0, Math.max(limit, 0))
}

/** Sorts as text; the sort is stable. */
function order({ due, scheduled }: Task): string {
  return due !== undefined ? `1 ${due}` : scheduled !== undefined ? `2 ${scheduled}` : '3'
}
