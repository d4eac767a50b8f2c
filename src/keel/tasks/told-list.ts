/** A task list that tells the log where a part of the tasks is missing. */
import { printable } from '../../util/printable.ts'
import type { TaskList } from './task-list.ts'

/** The same list; a line once, until all of them are there. */
export function toldList(tasks: TaskList, log: (line: string) => void): TaskList {
  let complaint: string | undefined
  return {
    name: tasks.name,
    create: (title, options) => tasks.create(title, options),
    async list(options) {
      let missing: string | undefined
      const onMissing = (why: string): void => {
        missing = why
        options.onMissing?.(why)
      }
      const found = await tasks.list({ ...options, onMissing })
      if (missing !== undefined && missing !== complaint) log(printable(`tasks: a part is missing (${missing}); going on with the others`))
      complaint = missing
      return found
    },
  }
}
