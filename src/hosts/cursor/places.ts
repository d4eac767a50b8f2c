/** Where Cursor keeps its data. Two programs share it: the agent of the command line, and the editor, which is built on VS Code. */
import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'

/** `~/.cursor`, or where the user moved it. */
function dataFolder({ env, home }: System): string {
  return expandHome(env.CURSOR_DATA_DIR || env.CURSOR_CONFIG_DIR || join(home, '.cursor'), home)
}

/** `projects` below it; what `--session-dir` replaces. */
export function projectsFolder(system: System): string {
  return join(dataFolder(system), 'projects')
}

/** `chats` below it: the stores of the agent of the command line. */
export function chatsFolder(system: System): string {
  return join(dataFolder(system), 'chats')
}

/** The `User` folder of the editor, in which `globalStorage` and `workspaceStorage` hold its chats. */
export function userFolder({ platform, env, home }: System): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Cursor', 'User')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Cursor', 'User')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Cursor', 'User')
}
