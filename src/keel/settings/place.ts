/** Where Keel's settings are. */
import { join, resolve } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'

/** `$KEEL_CONFIG`, else `keel/settings.json` in the place that the platform has for configuration. */
export function settingsFile({ env, home, cwd, platform }: Pick<System, 'env' | 'home' | 'cwd' | 'platform'>): string {
  // A service's definition does not replace `~`.
  if (env.KEEL_CONFIG) return resolve(cwd, expandHome(env.KEEL_CONFIG, home))
  return join(configFolder(env, home, platform), 'keel', 'settings.json')
}

function configFolder(env: System['env'], home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}
