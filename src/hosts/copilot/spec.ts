import { join } from 'node:path'
import { expandHome } from '../../config/store-address.ts'
import type { HostSpec } from '../host-spec.ts'
import { isEvent } from './event.ts'

export const copilot: HostSpec = {
  host: 'copilot',
  binary: 'memu-copilot',
  title: 'Copilot CLI',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'copilot'),
  sessionDir: ({ env, home }) => {
    const moved = env.COPILOT_HOME
    return join(moved ? expandHome(moved, home) : join(home, '.copilot'), 'session-state')
  },
  source: async (sessionDir, system) => (await import('./source.ts')).copilotSource(sessionDir, system),
  isRecord: isEvent,
  sessionIdEnv: 'COPILOT_AGENT_SESSION_ID',
}
