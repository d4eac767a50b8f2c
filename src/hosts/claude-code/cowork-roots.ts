/**
 * Where Claude Desktop keeps its data, and Cowork its sessions below. `MEMU_COWORK_ROOTS` (the environment, then `config.env`) replaces
 * the search; it holds paths separated as in PATH, and empty it switches Cowork off.
 */
import { join } from 'node:path'
import { loadSettings } from '../../config/load.ts'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import { entries } from '../directory.ts'

export interface CoworkRoot {
  readonly path: string
  /** The user named it: that it is missing is an error, not an answer. */
  readonly declared: boolean
}

/** Every place to look in, whether or not something is there. */
export function coworkRoots(system: System): CoworkRoot[] {
  const declared = declaredRoots(system)
  if (declared === undefined) return usualRoots(system).map((path) => ({ path, declared: false }))
  const separator = system.platform === 'win32' ? ';' : ':'
  return declared
    .split(separator)
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .map((path) => ({ path: expandHome(path, system.home), declared: true }))
}

function declaredRoots(system: System): string | undefined {
  try {
    return loadSettings(system).value('MEMU_COWORK_ROOTS')
  } catch {
    return system.env.MEMU_COWORK_ROOTS // A configuration that cannot be used is told about by what needs it.
  }
}

/** `Claude-3p` is the build for other providers than Anthropic's own. */
const NAMES = ['Claude', 'Claude-3p'] as const

function usualRoots({ platform, env, home }: System): string[] {
  if (platform === 'win32') {
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming')
    const local = env.LOCALAPPDATA || join(home, 'AppData', 'Local')
    return [join(roaming, 'Claude'), join(local, 'Claude-3p'), ...storePackages(join(local, 'Packages'))]
  }
  const data = platform === 'darwin' ? join(home, 'Library', 'Application Support') : env.XDG_CONFIG_HOME || join(home, '.config')
  return NAMES.map((name) => join(data, name))
}

/** Of an installation from the Microsoft Store: its roaming data lies in a package folder with a suffix of its own. */
function storePackages(packages: string): string[] {
  return entries(packages, () => {})
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('Claude_'))
    .map(({ name }) => join(packages, name, 'LocalCache', 'Roaming', 'Claude'))
}
