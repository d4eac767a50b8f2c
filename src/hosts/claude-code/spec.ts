import { join } from 'node:path'
import type { HostSpec } from '../host-spec.ts'

/** In Claude Code's own notation: `~/` is the home, `//` the root of the file system. A denial goes before a permission. */
const KEYS = [
  ...['~/.ssh/**', '~/.gnupg/**', '~/.aws/**', '~/.azure/**', '~/.kube/**', '~/.docker/**', '~/.config/**', '~/.netrc', '~/.npmrc'],
  ...['~/.memu/config.env', '//**/.env', '//**/.env.*', '//**/*.pem', '//**/*.key', '//**/id_rsa*', '//**/id_ed25519*'],
]

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
    // No transcript of its own, no servers of the user's, writing only under the workspace, and of the shell only our program.
    // Reading is open, because the resource job describes documents that lie elsewhere; where keys usually lie it is closed.
    args: ({ workspace, binary }) => [
      '--print',
      '--no-session-persistence',
      '--strict-mcp-config',
      ...['--output-format', 'json'],
      ...['--permission-mode', 'acceptEdits'],
      ...['--add-dir', workspace],
      ...['--allowedTools', `Bash(${binary}:*)`, 'Read'],
      ...['--disallowedTools', ...KEYS.map((pattern) => `Read(${pattern})`)],
    ],
  },
}
