/** `memu list-files`: every recall file of the store, page by page. */
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import type { MemoryBackend } from '../../memory/backend.ts'
import { openBackend } from '../../memory/open.ts'
import type { RecallFile } from '../../records.ts'
import { printable } from '../../util/printable.ts'
import type { Io } from '../io.ts'

export function addListFiles(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('list-files')
    .description('list the recall files of the store')
    .option('--track <track>', 'only files of this track: memory, skill or workspace')
    .option('--long', 'also size, time of the last change and where it came from')
    .option('--json', 'one JSON object {recall_files: […]}, contents included')
    .action(async (options: { track?: string; long?: true; json?: true }) => {
      const backend = await openBackend(loadSettings(io.system), io.system, { readOnly: true })
      try {
        const files: RecallFile[] = []
        for await (const file of allFiles(backend)) if (options.track === undefined || file.track === options.track) files.push(file)
        if (options.json) io.out(`${JSON.stringify({ recall_files: files })}\n`)
        else io.out(files.length === 0 ? 'No recall files.\n' : files.map((file) => `${row(file, options.long === true)}\n`).join(''))
      } finally {
        await backend.close()
      }
    })
}

async function* allFiles(backend: MemoryBackend): AsyncGenerator<RecallFile> {
  let cursor: string | null = null
  do {
    const page = await backend.listAllRecallFiles({ cursor })
    yield* page.recall_files
    cursor = page.next_cursor
  } while (cursor !== null)
}

function row(file: RecallFile, long: boolean): string {
  const name = printable(`${file.track}/${file.name}`)
  const description = file.description === '' ? '' : `  ${printable(file.description)}`
  if (!long) return name + description
  const bytes = String(Buffer.byteLength(file.content)).padStart(8)
  const { host, sessions } = file.provenance ?? {}
  const source = host === undefined ? '' : `  (${printable([host, ...(sessions ?? [])].join(' '))})`
  return `${bytes}  ${file.updated_at}  ${name}${description}${source}`
}
