import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'

export const hermes: HostSpec = {
  host: 'hermes',
  binary: 'memu-hermes',
  title: 'Hermes Agent',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'hermes'),
  sessionDir: (system) => expandHome(system.env.HERMES_HOME?.trim() || nativeHome(system), system.home),
  source: async (sessionDir, system) => (await import('./source.ts')).hermesSource(sessionDir, system),
  // Hermes also sets it to nothing, and to the id of another session: whoever reads it looks whether that session is there.
  sessionIdEnv: 'HERMES_SESSION_ID',
}

function nativeHome({ env, home, platform }: System): string {
  if (platform !== 'win32') return join(home, '.hermes')
  return join(env.LOCALAPPDATA?.trim() || join(home, 'AppData', 'Local'), 'hermes')
}
