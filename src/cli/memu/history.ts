/** `memu history <track>/<name>`: every version of a file, what it changed, and where that came from. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import { withoutListMark } from '../../markdown/list-mark.ts'
import type { LocalBackend } from '../../memory/local.ts'
import { openLocalBackend } from '../../memory/open.ts'
import { printable } from '../../util/printable.ts'
import { changedLines } from '../changed-lines.ts'
import type { Io } from '../io.ts'
import { minute } from '../origin.ts'
import { wholeNumber } from '../program.ts'
import { findKey } from './file-key.ts'
import { madeBy } from './version-origin.ts'

type FileVersion = Awaited<ReturnType<LocalBackend['history']>>[number]

const DEFAULT_LIMIT = 10
/** Of a version, so that a created file does not fill the screen. */
const MOST_LINES = 6

const HELP = `
Newest first; + and - are lines that the version added and took away. Forgotten files have their history too.

Examples:
  memu history memory/preferences
  memu restore memory/preferences --at 3`

export function addHistory(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('history')
    .description('show the versions of a file: when, what changed, from where')
    .argument('<file>', 'its track and name: memory/preferences; the name alone where one track has it')
    .option('--limit <n>', 'versions at the most', wholeNumber('--limit'), DEFAULT_LIMIT)
    .option('--json', 'one JSON object {track, name, versions: […]}, contents included')
    .addHelpText('after', HELP)
    .action(async (file: string, { limit, json }: { limit: number; json?: true }) => {
      const backend = await openLocalBackend(loadSettings(io.system), io.system, { readOnly: true })
      try {
        const key = await findKey(backend, file)
        const versions = await backend.history(key)
        if (json) io.out(`${JSON.stringify({ ...key, versions: versions.slice(0, limit) })}\n`)
        else io.out(historyText(`${key.track}/${key.name}`, versions, limit))
      } finally {
        await backend.close()
      }
    })
}

/** `versions` newest first. */
export function historyText(name: string, versions: readonly FileVersion[], limit: number): string {
  const earlier = versions.length - limit
  const restorable = versions.find(({ change }, at) => at > 0 && change !== 'forgotten')
  const lines = [
    printable(name),
    ...versions.slice(0, limit).flatMap((version, at) => versionLines(version, versions.slice(at + 1))),
    ...(earlier > 0 ? [`  ${earlier} earlier: --limit ${versions.length}`] : []),
    ...(restorable === undefined ? [] : ['', `To go back: memu restore ${shellWord(printable(name))} --at ${restorable.version}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** `older`: the versions before it, newest first. */
function versionLines(version: FileVersion, older: readonly FileVersion[]): string[] {
  const head = `  ${version.version}  ${minute(version.at)}  ${madeBy(version, older)}`
  if (version.change === 'forgotten') return [head]
  const [before] = older
  const old = before === undefined || before.change === 'forgotten' ? { description: '', content: '' } : before
  const { added, removed } = changedLines(old.content, version.content)
  const described = version.description === old.description ? [] : [`description: ${version.description}`]
  const changes = [
    ...described,
    ...removed.map((line) => `- ${withoutListMark(line)}`),
    ...added.map((line) => `+ ${withoutListMark(line)}`),
  ]
  const more = changes.length - MOST_LINES
  return [
    head,
    ...changes.slice(0, MOST_LINES).map((line) => `     ${printable(line)}`),
    ...(more > 0 ? [`     … ${more} more`] : []),
    ...(changes.length === 0 ? ['     the same lines, in another order or spacing'] : []),
  ]
}

/** To be pasted into a shell: a name is anybody's text. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
