/** The task tool that the settings name, or that is there: the one place that chooses an adapter. */
import { join, resolve } from 'node:path'
import { reason } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import { InvalidSetting } from '../settings/invalid-setting.ts'
import { splitCommand } from './argv.ts'
import type { TaskList } from './task-list.ts'
import { isFile, todoTxtPlace } from './todo-txt-place.ts'

export const TASK_TOOLS = ['auto', 'marvin', 'taskwarrior', 'todo-txt', 'todoist', 'none'] as const
export type TaskTool = (typeof TASK_TOOLS)[number]

/** Empty stands for not set. */
export interface TaskSettings {
  /** One of `TASK_TOOLS`; default `auto`. */
  readonly tasks?: string
  /** `KEEL_MARVIN_CMD` */
  readonly marvinCmd?: string
  /** `KEEL_MARVIN_TOKEN`: Marvin by its API, where no command is set. */
  readonly marvinToken?: string
  /** `KEEL_TODO_TXT`: path of the file; `~/` is the home. */
  readonly todoTxt?: string
  /** `KEEL_TODOIST_TOKEN` */
  readonly todoistToken?: string
  /** `KEEL_TODOIST_FILTER` */
  readonly todoistFilter?: string
}

/**
 * Starts no program and asks no server: a tool that cannot be reached now may be there when it is needed. `auto` takes the first that is
 * configured (Marvin, todo.txt, Todoist), then the first that is found on this machine (marvin, Taskwarrior, todo.txt), else none.
 * Errors: `InvalidSetting`, about the setting that is to blame.
 */
export async function openTasks(settings: TaskSettings, system: System): Promise<TaskList> {
  const wanted = settings.tasks || 'auto'
  const tool = wanted === 'auto' ? (configured(settings) ?? found(system)) : wanted
  switch (tool) {
    case 'marvin':
      return openMarvin(settings, system)
    case 'taskwarrior': {
      const { taskwarrior } = await import('./taskwarrior.ts')
      return taskwarrior({ system })
    }
    case 'todo-txt': {
      const { todoTxt } = await import('./todo-txt.ts')
      return todoTxt({ path: todoTxtPath(settings, system), system })
    }
    case 'todoist': {
      if (!settings.todoistToken) throw invalid('tasks', 'Todoist needs your API token.', 'Set KEEL_TODOIST_TOKEN.')
      const { todoist } = await import('./todoist.ts')
      return todoist({ token: settings.todoistToken.trim(), system, ...(settings.todoistFilter ? { filter: settings.todoistFilter } : {}) })
    }
    case 'none': {
      const { noTasks } = await import('./none.ts')
      return noTasks()
    }
    default:
      throw invalid('tasks', `There is no task tool of the name "${tool.slice(0, 50)}".`, `Choose one of ${TASK_TOOLS.join(', ')}.`)
  }
}

async function openMarvin({ marvinCmd, marvinToken }: TaskSettings, system: System): Promise<TaskList> {
  if (!marvinCmd && marvinToken) {
    const { marvinRest } = await import('./marvin-rest.ts')
    return marvinRest({ token: marvinToken.trim(), system })
  }
  const { marvinCommand } = await import('./marvin-command.ts')
  return marvinCommand({ argv: marvinArgv(marvinCmd || 'marvin', system), system })
}

function marvinArgv(command: string, system: System): readonly string[] {
  let argv: readonly string[]
  try {
    argv = splitCommand(command, system)
  } catch (error) {
    throw invalid('marvin_cmd', `KEEL_MARVIN_CMD is no command: ${reason(error)}.`, 'Quote it as in a shell.')
  }
  if (argv.length === 0 || argv[0] === '')
    throw invalid('marvin_cmd', 'KEEL_MARVIN_CMD names no program.', 'Give a program, or leave it out.')
  return argv
}

function configured({ marvinCmd, marvinToken, todoTxt, todoistToken }: TaskSettings): TaskTool | undefined {
  if (marvinCmd?.trim() || marvinToken) return 'marvin'
  if (todoTxt) return 'todo-txt'
  return todoistToken ? 'todoist' : undefined
}

function found(system: System): TaskTool {
  if (findProgram('marvin', system) !== undefined) return 'marvin'
  // Another well-known program is called `task` too: the settings tell that it is Taskwarrior.
  if (findProgram('task', system) !== undefined && taskrcs(system).some(isFile)) return 'taskwarrior'
  return isFile(todoTxtPlace(system)) ? 'todo-txt' : 'none'
}

function taskrcs({ env, home }: System): string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  return [...(env.TASKRC ? [env.TASKRC] : []), join(home, '.taskrc'), join(config, 'task', 'taskrc')]
}

function todoTxtPath({ todoTxt }: TaskSettings, system: System): string {
  if (!todoTxt) return todoTxtPlace(system)
  return resolve(system.home, expandHome(todoTxt, system.home))
}

function invalid(key: 'tasks' | 'marvin_cmd', message: string, hint: string): InvalidSetting {
  return new InvalidSetting(key, message, { hint })
}
