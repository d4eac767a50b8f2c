/** What an agent is called that has no program of its own: after its folder, which is all that is known of it. */
import { basename, isAbsolute, relative, sep } from 'node:path'

/** Folders of many programs: the agent's is the one below. */
const SHARED: ReadonlySet<string> = new Set(['.config', '.local', '.local/share', '.local/state', '.cache'])

/** Characters: no agent has a longer name. */
const LONGEST = 64

/**
 * `weasel` of `~/.weasel/sessions` and of `~/.config/weasel/log`. Undefined where no folder on the way there is hidden: any name in it
 * may be a person's.
 */
export function agentName(sessionDir: string, home: string): string | undefined {
  const below = relative(home, sessionDir)
  const parts = (below.startsWith('..') || isAbsolute(below) ? sessionDir : below).split(sep)
  const first = parts.findIndex((part) => /^\.\w/.test(part))
  if (first < 0) return undefined
  for (let end = first + 1; end <= parts.length; end++) {
    if (!SHARED.has(parts.slice(first, end).join('/'))) return nameOf(parts[end - 1] ?? '').slice(0, LONGEST)
  }
  return undefined
}

/** `.foo-agent` is `foo-agent`. Names its working tree, too. */
export function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? 'other' : name
}
