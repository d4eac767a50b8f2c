import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { HostSpec } from '../host-spec.ts'

export const gemini: HostSpec = {
  host: 'gemini',
  binary: 'memu-gemini',
  title: 'Gemini CLI',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'gemini'),
  sessionDir: ({ env, home }) => join(expandHome(env.GEMINI_CLI_HOME || home, home), '.gemini', 'tmp'),
  source: async (sessionDir, system) => (await import('./source.ts')).geminiSource(sessionDir, system),
  // No id reaches its tools: `GEMINI_SESSION_ID` is for hooks alone.
  isRecord: (value) => typeof value.projectHash === 'string' || value.type === 'gemini' || '$set' in value || '$rewindTo' in value,
}
