import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import { isEntry } from '../entry-tree/entry.ts'
import type { HostSpec } from '../host-spec.ts'

export const cola: HostSpec = {
  host: 'cola',
  binary: 'memu-cola',
  title: 'Cola',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'cola'),
  sessionDir: ({ env, home }) => join(expandHome(env.COLA_DATA_DIR || join(home, '.cola'), home), 'sessions'),
  source: async (sessionDir, system) => (await import('./source.ts')).colaSource(sessionDir, system),
  isRecord: isEntry,
}
