import { join } from 'node:path'
import type { HostSpec } from '../host-spec.ts'

export const claudeCode: HostSpec = {
  host: 'claude-code',
  binary: 'memu-claude-code',
  title: 'Claude Code',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'claude-code'),
  sessionDir: (system) => join(system.env.CLAUDE_CONFIG_DIR || join(system.home, '.claude'), 'projects'),
  source: async (sessionDir, system) => (await import('./source.ts')).claudeCodeSource(sessionDir, system),
  sessionIdEnv: 'CLAUDE_CODE_SESSION_ID',
  headless: {
    program: 'claude',
    // No transcript of its own, no servers of the user's, files only under the workspace, and of the shell only our program.
    args: ({ workspace, binary }) => [
      '--print',
      '--no-session-persistence',
      '--strict-mcp-config',
      ...['--output-format', 'json'],
      ...['--permission-mode', 'acceptEdits'],
      ...['--add-dir', workspace],
      ...['--allowedTools', `Bash(${binary}:*)`],
    ],
  },
}
