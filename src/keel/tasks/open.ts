/** The task tool that the settings name, or that is there: the one place that chooses an adapter. */
import { join, resolve } from 'node:path'
import { reason } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import { InvalidSetting } from '../settings/invalid-setting.ts'
import { type KeelSettings, settingRow, type TaskTool } from '../settings/settings.ts'
import { splitCommand } from './argv.ts'
import type { TaskList } from './task-list.ts'
import { isFile, todoTxtPlace } from './todo-txt-place.ts'

/** Empty or absent stands for not set. */
export type TaskSettings = Partial<
  Pick<KeelSettings, 'tasks' | 'marvin_cmd' | 'marvin_token' | 'todo_txt' | 'todoist_token' | 'todoist_filter'>
>

interface Adapter {
  /** A setting of its own says that it is meant. */
  isConfigured?(settings: TaskSettings): boolean
  /** It is set up on this machine. */
  isFound?(system: System): boolean
  open(settings: TaskSettings, system: System): Promise<TaskList>
}

/** In the order in which `auto` looks for them. A further tool is an entry here, and what it needs in the table of settings. */
const ADAPTERS: Readonly<Record<Exclude<TaskTool, 'auto'>, Adapter>> = {
  marvin: {
    isConfigured: ({ marvin_cmd, marvin_token }) => Boolean(marvin_cmd?.trim() || marvin_token),
    isFound: (system) => findProgram('marvin', system) !== undefined,
    open: openMarvin,
  },
  taskwarrior: {
    // Another well-known program is called `task` too: the settings tell that it is Taskwarrior.
    isFound: (system) => findProgram('task', system) !== undefined && taskrcs(system).some(isFile),
    open: async (_, system) => (await import('./taskwarrior.ts')).taskwarrior({ system }),
  },
  'todo-txt': {
    isConfigured: ({ todo_txt }) => Boolean(todo_txt),
    isFound: (system) => isFile(todoTxtPlace(system)),
    open: async (settings, system) => (await import('./todo-txt.ts')).todoTxt({ path: todoTxtPath(settings, system), system }),
  },
  todoist: {
    isConfigured: ({ todoist_token }) => Boolean(todoist_token),
    open: openTodoist,
  },
  none: {
    isFound: () => true,
    open: async () => (await import('./none.ts')).noTasks(),
  },
}

/**
 * Starts no program and asks no server: a tool that cannot be reached now may be there when it is needed. `auto` takes the first that is
 * configured, then the first that is found on this machine, else none. Errors: `InvalidSetting`, about the setting that is to blame.
 */
export async function openTasks(settings: TaskSettings, system: System): Promise<TaskList> {
  const adapter = chosen(settings, system)
  return adapter.open(settings, system)
}

function chosen(settings: TaskSettings, system: System): Adapter {
  // The file is called so, and the page calls the tool so.
  const wanted = settings.tasks?.toLowerCase().replace('todo.txt', 'todo-txt') || 'auto'
  const adapters = Object.values(ADAPTERS)
  if (wanted === 'auto') return adapters.find((each) => each.isConfigured?.(settings)) ?? adapters.find((each) => each.isFound?.(system))!
  if (Object.hasOwn(ADAPTERS, wanted)) return ADAPTERS[wanted as keyof typeof ADAPTERS]
  const { choices } = settingRow('tasks')!
  throw invalid('tasks', `There is no task tool of the name "${wanted.slice(0, 50)}".`, `Choose one of ${choices!.join(', ')}.`)
}

async function openTodoist({ todoist_token: token, todoist_filter: filter }: TaskSettings, system: System): Promise<TaskList> {
  if (!token) throw invalid('tasks', 'Todoist needs your API token.', 'Set KEEL_TODOIST_TOKEN.')
  const { todoist } = await import('./todoist.ts')
  return todoist({ token: token.trim(), system, ...(filter ? { filter } : {}) })
}

async function openMarvin({ marvin_cmd: command, marvin_token: token }: TaskSettings, system: System): Promise<TaskList> {
  if (!command && token) {
    const { marvinRest } = await import('./marvin-rest.ts')
    return marvinRest({ token: token.trim(), system })
  }
  const { marvinCommand } = await import('./marvin-command.ts')
  return marvinCommand({ argv: marvinArgv(command || 'marvin', system), system })
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

function taskrcs({ env, home }: System): string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  return [...(env.TASKRC ? [env.TASKRC] : []), join(home, '.taskrc'), join(config, 'task', 'taskrc')]
}

function todoTxtPath({ todo_txt: path }: TaskSettings, system: System): string {
  if (!path) return todoTxtPlace(system)
  return resolve(system.home, expandHome(path, system.home))
}

function invalid(key: 'tasks' | 'marvin_cmd', message: string, hint: string): InvalidSetting {
  return new InvalidSetting(key, message, { hint })
}
