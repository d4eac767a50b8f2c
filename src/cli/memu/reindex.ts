/** `memu reindex`: embeds what has no vector of the present model. Stopped at any point, the next call goes on from there. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import { openLocalBackend } from '../../memory/open.ts'
import { plural } from '../../util/plural.ts'
import { printable } from '../../util/printable.ts'
import type { Io } from '../io.ts'
import { progressBar } from '../progress-bar.ts'

export function addReindex(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('reindex')
    .description('embed the store anew, after a change of model, and rebuild its indexes')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nCtrl-C is safe: what was embedded is kept, and the next reindex goes on from there.')
    .action(async (options: { json?: true }) => {
      const backend = await openLocalBackend(loadSettings(io.system), io.system)
      const bar = progressBar(io, 'embedding')
      try {
        const { embedded, space } = await backend.reindex({ onProgress: bar.update, signal: io.signal() })
        bar.end()
        const done = embedded === 0 ? 'Nothing to embed: every text has its vector of' : `Embedded ${plural(embedded, 'text')} with`
        const model = `${space.provider} (${space.model}, ${space.dimensions} dimensions)`
        io.out(options.json ? `${JSON.stringify({ embedded, space })}\n` : `${done} ${printable(model)}.\n`)
      } finally {
        bar.end()
        await backend.close()
      }
    })
}
