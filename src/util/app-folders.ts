/** Where each platform has the files of applications. Pure. */
import { isAbsolute, join } from 'node:path'
import type { System } from './system.ts'

type Place = Pick<System, 'env' | 'home' | 'platform'>

/** What people edit and copy to other machines. */
export function configFolder({ env, home, platform }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config')
}

/** What an application keeps on this machine. */
export function dataFolder({ env, home, platform }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  return absolute(env.XDG_DATA_HOME) ?? join(home, '.local', 'share')
}

/** The specification: a path that is not absolute counts as none. It would be another one from another working directory. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined
}
