/** `memu restore <track>/<name>`: takes back the last change of a file, or brings a forgotten one back. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import { openLocalBackend } from '../../memory/open.ts'
import type { FileKey } from '../../records.ts'
import { MemuError } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { Io } from '../io.ts'
import { sweepCopies } from '../sweep-copies.ts'

export function addRestore(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('restore')
    .description('take back the last change of a file; a forgotten file returns')
    .argument('<file>', 'its track and name: memory/preferences')
    .option('--json', 'print the receipt as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const key = parseKey(file)
      const backend = await openLocalBackend(loadSettings(io.system), io.system)
      try {
        const receipt = await backend.restore(key)
        await sweepCopies(io, backend)
        io.out(options.json ? `${JSON.stringify(receipt)}\n` : `Restored ${printable(file)}. Once more takes this back.\n`)
      } finally {
        await backend.close()
      }
    })
}

/** A name may hold slashes of its own; a track does not. */
function parseKey(file: string): FileKey {
  const slash = file.indexOf('/')
  if (slash > 0 && slash < file.length - 1) return { track: file.slice(0, slash), name: file.slice(slash + 1) }
  throw new MemuError('usage', `${JSON.stringify(file)} is not <track>/<name>.`, {
    hint: 'memu list-files shows the files there are.',
    exit: 2,
  })
}
