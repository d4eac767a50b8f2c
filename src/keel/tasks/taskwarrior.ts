/** Taskwarrior 2.6 and 3, by its program. */
import { reason } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import { unavailable } from './failures.ts'
import { readTasks } from './output.ts'
import { createWith, listWith, type ToolProgram } from './program.ts'
import type { TaskList } from './task-list.ts'
import { arranged, newTitle } from './task-text.ts'

export interface TaskwarriorOptions {
  readonly system: Pick<System, 'processes' | 'platform' | 'env' | 'home'>
  readonly timeLimits?: ToolProgram['timeLimits']
}

/** No questions, and neither the context nor the colours that the user works with at the moment. */
const ALWAYS = ['rc.confirmation=off', 'rc.context=', 'rc.color=off']
/** One task a line. Without garbage collection, which would give new numbers to the tasks that the user has on the screen. */
const EXPORT = ['rc.verbose=nothing', 'rc.gc=off', 'rc.json.array=off', 'status:pending', 'export']
/** Thousands of tasks with their notes. Characters. */
const OUTPUT_LIMIT = 16 * 1024 * 1024

/** Starts nothing yet. Each list is asked for anew. */
export function taskwarrior({ system, timeLimits }: TaskwarriorOptions): TaskList {
  const tool: ToolProgram = {
    name: 'Taskwarrior',
    argv: ['task', ...ALWAYS],
    hint: 'Install Taskwarrior, or start keeld with a PATH that holds its program, task.',
    system,
    outputLimit: OUTPUT_LIMIT,
    ...(timeLimits === undefined ? {} : { timeLimits }),
  }
  return {
    name: tool.name,
    async list({ limit, signal }) {
      const output = await listWith(tool, EXPORT, signal)
      try {
        return arranged(await readTasks(output), limit)
      } catch (error) {
        throw unavailable(tool.name, reason(error), { cause: error })
      }
    },
    async create(title, { signal }) {
      // Behind the two dashes nothing is a tag, a date or a setting. A backslash is special all the same, to each version in its own way:
      // 2.6 makes a line end of `\n` and drops those before other letters.
      const text = newTitle(title, tool.name).replaceAll('\\', '＼')
      const output = await createWith(tool, ['rc.verbose=new-uuid', 'add', '--', text], signal)
      const id = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(output)?.[0]
      return id === undefined ? {} : { id }
    },
  }
}
