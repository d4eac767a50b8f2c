/** The home directory, and paths that people write where no shell reads them. On the hot path. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { MemuError } from './errors.ts'

/** `~` and `~/…` name the home directory; everything else is left alone. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path
}

/**
 * Before something is made at `path`: throws `no_home` (exit 2) where it would lie in a home directory that does not exist. A program that
 * makes one hides that HOME is wrong, and puts the memory where nobody looks for it.
 */
export function requireHome(home: string, path: string): void {
  const below = relative(home, path)
  if (isAbsolute(below) || below.split(sep, 1)[0] === '..' || existsSync(home)) return
  throw new MemuError('no_home', `The home directory ${home} does not exist; nothing is made in it.`, {
    hint: 'Set HOME to your home directory, or make that one first.',
    exit: 2,
  })
}
