import { join } from 'node:path'
import type { HostSpec } from '../host-spec.ts'
import { agentName } from './name.ts'

/** Every agent that has no program of its own. Only the user knows which, and where its sessions lie: `detect` finds out. */
export const agent: HostSpec = {
  host: 'agent',
  binary: 'memu-agent',
  title: 'an agent of any kind',
  // A second one takes a tree of its own with `--base-dir ~/.memu/hosts/<name>`.
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'agent'),
  sessionDir: () => undefined,
  agentName: (sessionDir, system) => agentName(sessionDir, system.home),
  source: async (sessionDir, system) => (await import('./source.ts')).agentSource(sessionDir, system),
}
