import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'
import { KEY_FILES, KEY_FOLDERS } from '../key-places.ts'

/** In Claude Code's own notation: `~/` is the home, `//` the root of the file system. A denial goes before a permission. */
const KEYS = [
  ...KEY_FOLDERS.map((folder) => `${folder}/**`),
  ...['~/.config/**', '//**/.env', '//**/.env.*', '//**/*.pem', '//**/*.key', '//**/id_rsa*', '//**/id_ed25519*'],
  ...KEY_FILES,
]

/** Records that name no session: summaries of others, copies of files. */
const NAMELESS: ReadonlySet<unknown> = new Set(['system', 'summary', 'file-history-snapshot'])

export const claudeCode: HostSpec = {
  host: 'claude-code',
  binary: 'memu-claude-code',
  title: 'Claude Code',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'claude-code'),
  sessionDir: ownPlace,
  // Cowork has places of its own: `--session-dir` names one folder of transcripts to read, and nothing besides.
  source: async (sessionDir, system) => (await import('./source.ts')).claudeCodeSource(sessionDir, sessionDir === ownPlace(system), system),
  isRecord,
  sessionIdEnv: 'CLAUDE_CODE_SESSION_ID',
  headless: {
    program: 'claude',
    // No transcript of its own, no servers of the user's, writing only under the workspace, and of the shell only what a job asks for:
    // our other verbs would let a session that talks to the model commit, restore or take another tree.
    // Reading is open, because the resource job describes documents that lie elsewhere; where keys usually lie it is closed.
    args: ({ workspace, binary, verifyCommand, hidden }) => [
      '--print',
      '--no-session-persistence',
      '--strict-mcp-config',
      ...['--output-format', 'json'],
      ...['--permission-mode', 'acceptEdits'],
      ...['--add-dir', workspace],
      ...['--allowedTools', `Bash(${binary} job-done:*)`, `Bash(${verifyCommand})`, 'Read'],
      ...['--disallowedTools', ...[...KEYS, ...hidden.map(fromRoot)].map((pattern) => `Read(${pattern})`)],
    ],
  },
}

function ownPlace({ env, home }: System): string {
  return join(expandHome(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), home), 'projects')
}

/** Several programs write records of this family: Qwen Code with `parts` and a word of provenance, WorkBuddy with times in numbers. */
function isRecord({ type, sessionId, timestamp, provenance, message }: Readonly<Record<string, unknown>>): boolean {
  if (typeof type !== 'string' || typeof timestamp === 'number' || typeof provenance === 'string') return false
  if (type === 'user' || type === 'assistant') return typeof message === 'object' && message !== null && !('parts' in message)
  return typeof sessionId === 'string' || NAMELESS.has(type)
}

function fromRoot(path: string): string {
  return `//${path.replaceAll('\\', '/').replace(/^\//, '')}`
}
