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
    // No rollout of its own; it may write under the workspace and, because of the two exclusions, nowhere else. A login shell
    // would reset PATH and not find our program. `-` takes the prompt from standard input.
    args: ({ workspace }) => [
      'exec',
      '--ephemeral',
      '--json',
      '--skip-git-repo-check',
      ...['--cd', workspace],
      ...['--sandbox', 'workspace-write'],
      ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
      ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
      ...['-c', 'allow_login_shell=false'],
      '-',
    ],
  },
}
