import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'

const RECORDS: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_result',
  'file-history-snapshot',
  'ai-title',
])

export const workbuddy: HostSpec = {
  host: 'workbuddy',
  binary: 'memu-workbuddy',
  title: 'WorkBuddy',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'workbuddy'),
  sessionDir: (system) => join(ownFolder(system), 'projects'),
  source: async (sessionDir, system) => {
    const { workbuddySource } = await import('./source.ts')
    // Whoever names a folder means that one alone.
    const isDefault = sessionDir === workbuddy.sessionDir(system)
    return workbuddySource([sessionDir, ...(isDefault ? siblings(system) : [])], system)
  },
  isRecord: ({ type, timestamp }) => typeof timestamp === 'number' && RECORDS.has(type),
  sessionIdEnv: 'CODEBUDDY_SESSION_ID',
}

function ownFolder({ env, home }: System): string {
  const moved = env.WORKBUDDY_HOME || env.WORKBUDDY_DIR
  return moved ? expandHome(moved, home) : join(home, '.workbuddy')
}

/** CodeBuddy and the international edition keep the same log in places of their own. */
function siblings({ env, home }: System): string[] {
  const codebuddy = env.CODEBUDDY_CONFIG_DIR ? expandHome(env.CODEBUDDY_CONFIG_DIR, home) : join(home, '.codebuddy')
  return [codebuddy, join(home, '.codebuddy-cn'), join(home, '.workbuddy-ai')].map((folder) => join(folder, 'projects'))
}
