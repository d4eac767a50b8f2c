/** Where Keel's settings are. */
import { join, resolve } from 'node:path'
import { configFolder } from '../../util/app-folders.ts'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'

/** `$KEEL_CONFIG`, else `keel/settings.json` in the place that the platform has for configuration. */
export function settingsFile(system: Pick<System, 'env' | 'home' | 'cwd' | 'platform'>): string {
  const { env, home, cwd } = system
  // A service's definition does not replace `~`.
  if (env.KEEL_CONFIG) return resolve(cwd, expandHome(env.KEEL_CONFIG, home))
  return join(configFolder(system), 'keel', 'settings.json')
}
