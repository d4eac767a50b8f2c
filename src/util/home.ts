/** Paths that people write where no shell reads them. Pure; on the hot path. */
import { join } from 'node:path'

/** `~` and `~/…` name the home directory; everything else is left alone. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path
}
