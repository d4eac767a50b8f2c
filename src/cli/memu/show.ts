/** `memu show <track>/<name>`: what a file says, and where that came from. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import type { LocalBackend } from '../../memory/local.ts'
import { openLocalBackend } from '../../memory/open.ts'
import type { FileKey, Provenance, RecallFile } from '../../records.ts'
import { MemuError } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { Io } from '../io.ts'
import { hostsOf, minute } from '../origin.ts'
import { fileFacts } from './file-facts.ts'
import { findKey } from './file-key.ts'

const HELP = `
Examples:
  memu show memory/preferences
  memu show preferences --json
  memu history memory/preferences    the versions before`

export function addShow(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('show')
    .description('show a file: its content, and from which host, sessions and projects it was learned')
    .argument('<file>', 'its track and name: memory/preferences; the name alone where one track has it')
    .option('--json', 'one JSON object, the file as list-files --json has it')
    .addHelpText('after', HELP)
    .action(async (typed: string, { json }: { json?: true }) => {
      const backend = await openLocalBackend(loadSettings(io.system), io.system, { readOnly: true })
      try {
        const file = await storedFile(backend, await findKey(backend, typed))
        io.out(json ? `${JSON.stringify(file)}\n` : showText(file))
      } finally {
        await backend.close()
      }
    })
}

/** Errors: `forgotten_file`, for one that has a history and is not there. */
async function storedFile(backend: LocalBackend, key: FileKey): Promise<RecallFile> {
  const file = await backend.get(key)
  if (file !== undefined) return file
  const [last] = await backend.history(key)
  const name = printable(`${key.track}/${key.name}`)
  const when = last === undefined ? '' : ` on ${minute(last.at)}`
  throw new MemuError('forgotten_file', `${name} was forgotten${when}.`, {
    hint: `memu history ${name} shows what it said; memu restore ${name} brings it back.`,
  })
}

export function showText(file: RecallFile): string {
  const content = file.content.split('\n').map(printableLine)
  return `${[...fileFacts(file), ...originLines(file.provenance), '', ...content].join('\n')}\n`
}

/** A line of the content with its indentation; what would steer the terminal becomes a space. */
function printableLine(line: string): string {
  return line.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ')
}

/** In full, one source a line: here somebody wants to find the session. */
function originLines(provenance: Provenance = {}): string[] {
  const { sessions = [], projects = [], from, to, by_hand } = provenance
  const hosts = hostsOf(provenance)
  const when = [...new Set([from, to].flatMap((time) => (time === undefined ? [] : [minute(time)])))].join(' to ')
  const rows: (readonly [string, readonly string[]])[] = [
    ['host', hosts],
    ['session', sessions],
    ['project', projects],
    ['time', when === '' ? [] : [when]],
    ['edited', by_hand ? ['by hand'] : []],
  ]
  return rows.flatMap(([label, values]) => values.map((value) => `  ${label.padEnd(8)}${printable(value)}`))
}
