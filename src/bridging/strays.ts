/** What lies in the mirror's folders and is no memory file: a note and exit 0, unless the run at work may have written it. */
import { basename, join } from 'node:path'
import type { Problem } from './bridging-deps.ts'
import type { Layout } from './layout.ts'
import type { PendingRun } from './pending.ts'
import { isWrittenSince } from './refused-output.ts'

/** Files that the notice names; the rest is counted. */
const NAMED = 5
/** What editors, merges and file managers leave behind: never the output of an agent that was told to write markdown. */
const LEFTOVER = /~$|^#.*#$|\.(?:bak|old|orig|rej|sw[op]|te?mp)$|^(?:desktop\.ini|thumbs\.db)$/i

/** `run`: the run whose agent may have meant them for memory; none where the executor told what it wrote. */
export function sortStrays(
  tree: Layout,
  strays: readonly string[],
  run: PendingRun | undefined,
): { problems: Problem[]; notices: string[] } {
  const isOutput = (path: string): boolean =>
    run !== undefined && !LEFTOVER.test(basename(path)) && isWrittenSince(join(tree.base, path), run)
  const output = strays.filter(isOutput)
  const others = strays.filter((path) => !output.includes(path))
  return {
    problems: output.map((path) => ({
      on: join(tree.base, path),
      reason: 'it was written during this run and is not a markdown file (.md); name it .md where it is a memory, or move it away',
    })),
    notices: others.length === 0 ? [] : [notice(tree, others)],
  }
}

function notice(tree: Layout, strays: readonly string[]): string {
  const more = strays.length - NAMED
  const names = `${strays.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Files that are no memory (.md) lie among the memory files under ${tree.base} and are left alone: ${names}.`
}
