/** Where Keel keeps what it remembers by itself. */
import { join } from 'node:path'
import type { System } from '../../util/system.ts'

/** The embedded store's file, in the place that the platform has for an application's data. */
export function defaultStoreFile({ env, home, platform }: Pick<System, 'env' | 'home' | 'platform'>): string {
  return join(dataFolder(env, home, platform), 'keel', 'events.db')
}

function dataFolder(env: System['env'], home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  return env.XDG_DATA_HOME || join(home, '.local', 'share')
}
