/** `memu restore <track>/<name>`: takes back the last change of a file, or all changes since a version; a forgotten file returns. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import type { CommitReceipt } from '../../memory/backend.ts'
import { openLocalBackend } from '../../memory/open.ts'
import { printable } from '../../util/printable.ts'
import type { Io } from '../io.ts'
import { wholeNumber } from '../program.ts'
import { sweepCopies } from '../sweep-copies.ts'
import { findKey } from './file-key.ts'
import { NO_REDACT, removedLine, storeGate } from './store-gate.ts'

const HELP = `
Nothing is lost: what is replaced stays in the history, and can be restored in turn. Secrets in an old
version, from before there were rules against them, are taken out.

Examples:
  memu restore memory/preferences          the last change
  memu history memory/preferences          which versions there are
  memu restore memory/preferences --at 3   what it was in version 3`

export function addRestore(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('restore')
    .description('take back the last change of a file, or go back to a version; a forgotten file returns')
    .argument('<file>', 'its track and name: memory/preferences; the name alone where one track has it')
    .option('--at <n>', 'the version, as memu history numbers it', wholeNumber('--at'))
    .option(...NO_REDACT)
    .option('--json', 'print the receipt as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, { at, redact, json }: { at?: number; redact: boolean; json?: true }) => {
      const gate = await storeGate(io.system, redact)
      const backend = await openLocalBackend(loadSettings(io.system), io.system)
      try {
        const key = await findKey(backend, file)
        const name = printable(`${key.track}/${key.name}`)
        const receipt = await backend.restore(key, {
          ...(at === undefined ? {} : { version: at }),
          cleaned: (version) => gate.file(version, name),
        })
        await sweepCopies(io, backend)
        io.out(
          json ? `${JSON.stringify({ ...receipt, redacted: gate.removed() })}\n` : `${restored(name, at, receipt)}\n${removedLine(gate)}`,
        )
      } finally {
        await backend.close()
      }
    })
}

function restored(name: string, at: number | undefined, { recall_files }: CommitReceipt): string {
  if (at === undefined) return `Restored ${name}. The same command again takes this back.`
  if (recall_files.every(({ change }) => change === 'unchanged')) return `${name} is what it was in version ${at} already.`
  return `Restored ${name} as it was in version ${at}. memu history ${name} shows what it was until now.`
}
