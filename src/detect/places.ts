/** Where programs keep their folders on each platform, and how a path is shown to a person. */
import { isAbsolute, join, relative, sep } from 'node:path'
import type { System } from '../util/system.ts'

export interface Places {
  readonly home: string
  /** `$XDG_CONFIG_HOME`, `~/.config`. */
  readonly config: string
  /** `$XDG_DATA_HOME`, `~/.local/share`. */
  readonly data: string
  /** Where desktop programs keep theirs: `~/Library/Application Support`, `%APPDATA%`, the configuration folder. */
  readonly support: string
}

export function places({ env, home, platform }: System): Places {
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share')
  const windows = env.APPDATA || join(home, 'AppData', 'Roaming')
  const support = platform === 'darwin' ? join(home, 'Library', 'Application Support') : platform === 'win32' ? windows : config
  return { home, config, data, support }
}

/** The agent's own folder that `path` lies in: the first one below the home or one of the common places. */
export function ownFolder(path: string, { home, config, data, support }: Places): string {
  for (const root of [data, config, support, home]) {
    const [first] = within(root, path) ?? []
    if (first !== undefined) return join(root, first)
  }
  return path // Moved by the user, to a place of its own.
}

/** The segments from `root` down to `path`; undefined where it is not below. */
export function within(root: string, path: string): readonly string[] | undefined {
  const way = relative(root, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? undefined : way.split(sep)
}

/** `~/.claude/projects` */
export function shown(path: string, home: string): string {
  return path === home ? '~' : within(home, path) === undefined ? path : join('~', relative(home, path))
}

/** As an argument of a command that a person copies into a shell. */
export function argument(path: string, { home, platform }: Pick<System, 'home' | 'platform'>): string {
  const safe = /^[\w@%+=:,./\\~-]+$/
  const short = platform === 'win32' ? path : shown(path, home)
  if (safe.test(short)) return short
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}
