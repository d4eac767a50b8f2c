/**
 * No task tool. Confirming works all the same: an off-screen action is done, not filed, and that it was confirmed stands in the events. An
 * error here would leave a person without a task tool with proposals that can only be dismissed.
 */
import type { TaskList } from './task-list.ts'

/** Never fails, and keeps nothing. */
export function noTasks(): TaskList {
  return { name: 'none', list: async () => [], create: async () => ({}) }
}
