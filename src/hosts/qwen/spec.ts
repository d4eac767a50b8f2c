import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HostSpec } from '../host-spec.ts'

export const qwen: HostSpec = {
  host: 'qwen',
  binary: 'memu-qwen',
  title: 'Qwen Code',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'qwen'),
  sessionDir: (system) => join(runtimeDir(system), 'projects'),
  source: async (sessionDir, system) => (await import('./source.ts')).qwenSource(sessionDir, system),
  // Claude Code's records look alike; theirs have no parts and no provenance.
  isRecord: ({ uuid, sessionId, provenance, message }) =>
    typeof uuid === 'string' && typeof sessionId === 'string' && (typeof provenance === 'string' || hasParts(message)),
  sessionIdEnv: 'QWEN_CODE_SESSION_ID',
}

/** Sessions may lie elsewhere than the settings. */
function runtimeDir({ env, home }: System): string {
  const moved = env.QWEN_RUNTIME_DIR || env.QWEN_HOME
  return moved ? expandHome(moved, home) : join(home, '.qwen')
}

function hasParts(message: unknown): boolean {
  return Array.isArray((message as { readonly parts?: unknown } | null | undefined)?.parts)
}
