import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import { isEntry } from '../entry-tree/entry.ts'
import type { HostSpec } from '../host-spec.ts'

export const openclaw: HostSpec = {
  host: 'openclaw',
  binary: 'memu-openclaw',
  title: 'OpenClaw',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'openclaw'),
  sessionDir: (system) => join(stateDir(system), 'agents'),
  source: async (sessionDir, system) => (await import('./source.ts')).openclawSource(sessionDir, system),
  isRecord: isEntry,
}

/** Where it kept its state under its earlier names, and still does where it was not moved. */
const EARLIER = ['.clawdbot', '.moltbot', '.moldbot']

function stateDir({ env, home }: System): string {
  const root = expandHome(env.OPENCLAW_HOME?.trim() || home, home)
  const moved = env.OPENCLAW_STATE_DIR?.trim()
  if (moved) return expandHome(moved, root)
  const profile = env.OPENCLAW_PROFILE?.trim() ?? ''
  if (/^[\w-]+$/.test(profile) && profile.toLowerCase() !== 'default') return join(root, `.openclaw-${profile}`)
  const folders = ['.openclaw', ...EARLIER].map((name) => join(root, name))
  return folders.find((folder) => existsSync(folder)) ?? join(root, '.openclaw')
}
