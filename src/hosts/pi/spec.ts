import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { readTextIfExists } from '../../util/fs.ts'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import { isEntry } from '../entry-tree/entry.ts'
import type { HostSpec } from '../host-spec.ts'

export const pi: HostSpec = {
  host: 'pi',
  binary: 'memu-pi',
  title: 'pi',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'pi'),
  sessionDir: (system) => {
    const { PI_CODING_AGENT_SESSION_DIR: sessions } = system.env
    if (sessions) return expandHome(sessions, system.home)
    const folder = agentDir(system)
    return fromSettings(folder, system) ?? join(folder, 'sessions')
  },
  source: async (sessionDir, system) => (await import('./source.ts')).piSource(sessionDir, system),
  isRecord: isEntry,
  sessionIdEnv: 'PI_SESSION_ID',
}

/** pi's own folder; that of omp, which goes on with pi's format, where only that one is there. */
function agentDir({ env, home }: System): string {
  if (env.PI_CODING_AGENT_DIR) return expandHome(env.PI_CODING_AGENT_DIR, home)
  const own = join(home, '.pi', 'agent')
  const data = env.XDG_DATA_HOME ? [join(env.XDG_DATA_HOME, 'omp')] : []
  const others = [join(home, '.omp', 'agent'), ...data]
  return [own, ...others].find((folder) => existsSync(join(folder, 'sessions'))) ?? own
}

/** Where pi's settings put the sessions. A relative place is another one in every project: then `--session-dir` has to say which. */
function fromSettings(folder: string, { home }: System): string | undefined {
  try {
    const settings = JSON.parse(readTextIfExists(join(folder, 'settings.json')) ?? '{}') as { readonly sessionDir?: unknown } | null
    const place = typeof settings?.sessionDir === 'string' ? expandHome(settings.sessionDir, home) : ''
    return isAbsolute(place) ? place : undefined
  } catch {
    return undefined // Unreadable or damaged: pi itself then takes the usual place.
  }
}
