import { join } from 'node:path'
import type { HostSpec } from '../host-spec.ts'

export const codex: HostSpec = {
  host: 'codex',
  binary: 'memu-codex',
  title: 'Codex',
  baseDir: (system) => join(system.home, '.memu'),
  sessionDir: (system) => join(system.env.CODEX_HOME || join(system.home, '.codex'), 'sessions'),
  source: async (sessionDir, system) => (await import('./source.ts')).codexSource(sessionDir, system),
  sessionIdEnv: 'CODEX_THREAD_ID',
  headless: {
    program: 'codex',
    // No rollout of its own; it may write under the workspace and nowhere else; `-` takes the prompt from standard input.
    args: ({ workspace }) => ['exec', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'workspace-write', '--cd', workspace, '-'],
  },
}
