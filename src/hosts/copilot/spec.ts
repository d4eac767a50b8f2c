import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'
import { isEvent } from './event.ts'

export const copilot: HostSpec = {
  host: 'copilot',
  binary: 'memu-copilot',
  title: 'Copilot CLI',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'copilot'),
  sessionDir: (system) => join(dataFolder(system), 'session-state'),
  source: async (sessionDir, system) => {
    const { copilotSource } = await import('./source.ts')
    const isOwn = sessionDir === copilot.sessionDir(system)
    return copilotSource([sessionDir, ...(isOwn ? [join(dataFolder(system), 'history-session-state')] : [])], system)
  },
  isRecord: isEvent,
  sessionIdEnv: 'COPILOT_AGENT_SESSION_ID',
}

function dataFolder({ env, home }: System): string {
  return expandHome(env.COPILOT_HOME || join(home, '.copilot'), home)
}
