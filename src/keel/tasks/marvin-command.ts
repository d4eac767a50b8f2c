/**
 * Amazing Marvin by its command-line program, or by any program that takes the same arguments: `<command> today --csv`,
 * `<command> due --csv` (CSV, JSON, one JSON object a line, or one title a line) and `<command> add task <title>` (exit code 0: added).
 */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { toolName } from './argv.ts'
import { withCachedLists } from './cached-list.ts'
import { unavailable } from './failures.ts'
import { createdId, readTasks } from './output.ts'
import { createWith, listWith, type ToolProgram } from './program.ts'
import type { Task, TaskList } from './task-list.ts'
import { newTitle } from './task-text.ts'

export interface MarvinCommandOptions {
  /** The words of `KEEL_MARVIN_CMD`. */
  readonly argv: readonly string[]
  readonly system: Pick<System, 'processes' | 'platform' | 'env' | 'home' | 'now'>
  readonly timeLimits?: ToolProgram['timeLimits']
}

/** Called `Marvin` where anything in the command is; a script of the user's by its own name. Starts nothing yet. */
export function marvinCommand({ argv, system, timeLimits }: MarvinCommandOptions): TaskList {
  const tool: ToolProgram = {
    name: argv.some((word) => /marvin/i.test(word)) ? 'Marvin' : printable(toolName(argv)),
    argv,
    hint: 'Install marvin-cli, or give the whole path of your program in KEEL_MARVIN_CMD.',
    system,
    ...(timeLimits === undefined ? {} : { timeLimits }),
  }
  const source = {
    name: tool.name,
    // One of the two is enough: a script of the user's may know `today` alone.
    lists: () => ['today', 'due'].map((list) => (signal: AbortSignal) => one(tool, list, signal)),
    async create(title: string, { signal }: { readonly signal: AbortSignal }) {
      const output = await createWith(tool, ['add', 'task', literal(newTitle(title, tool.name))], signal)
      const id = await createdId(output)
      return id === undefined ? {} : { id }
    },
  }
  return withCachedLists(source, system)
}

async function one(tool: ToolProgram, list: string, signal: AbortSignal): Promise<Task[]> {
  const output = await listWith(tool, [list, '--csv'], signal)
  try {
    return await readTasks(output)
  } catch (error) {
    throw unavailable(tool.name, `the answer to ${list} cannot be read: ${reason(error)}`, { cause: error })
  }
}

/**
 * Marvin reads `#Category`, `@label`, `+date`, `~duration` and `*priority` out of a title, and a task with an unknown `#Category` is shown
 * nowhere: a space behind the sign keeps it text. A dash in front would be an option of the program; a longer one is none.
 */
function literal(title: string): string {
  return title.replace(/^-/, '–').replace(/(^|\s)([#@+~*]+)(?=\S)/g, '$1$2 ')
}
