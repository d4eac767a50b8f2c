import { isAbsolute, join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'

export const opencode: HostSpec = {
  host: 'opencode',
  binary: 'memu-opencode',
  title: 'opencode',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'opencode'),
  sessionDir,
  source: async (directory, system) => (await import('./source.ts')).opencodeSource(directory, system),
}

/** The folder of opencode's data on every system, or the database that `OPENCODE_DB` names. */
function sessionDir({ env, home }: System): string {
  const data = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')
  const named = env.OPENCODE_DB && expandHome(env.OPENCODE_DB, home)
  if (!named || named === ':memory:') return data
  return isAbsolute(named) ? named : join(data, named)
}
