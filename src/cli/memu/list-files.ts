/** `memu list-files`: every recall file of the store, page by page. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import type { Settings } from '../../config/settings.ts'
import { allFiles } from '../../memory/all-files.ts'
import { openBackend } from '../../memory/open.ts'
import type { RecallFile } from '../../records.ts'
import { storePath } from '../../store/open.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import type { Io } from '../io.ts'
import { handText, originText } from '../origin.ts'
import { noSuchTrack, USUAL_TRACKS } from '../retrieve/tracks.ts'
import { fileFacts } from './file-facts.ts'

export function addListFiles(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('list-files')
    .description('list the recall files of the store')
    .option('--track <track>', 'only files of this track: memory, skill or workspace')
    .option('--long', 'also size, time of the last change and where it came from')
    .option('--json', 'one JSON object {recall_files: […]}, contents included')
    .action(async (options: { track?: string; long?: true; json?: true }) => {
      const settings = loadSettings(io.system)
      const backend = await openBackend(settings, io.system, { readOnly: true })
      try {
        const all: RecallFile[] = []
        for await (const file of allFiles(backend)) all.push(file)
        const files = options.track === undefined ? all : all.filter(({ track }) => track === options.track)
        if (options.json) io.out(`${JSON.stringify({ recall_files: files })}\n`)
        else io.out(files.length === 0 ? 'No recall files.\n' : files.map(options.long ? entry : row).join(''))
        const why = files.length > 0 ? undefined : all.length > 0 ? wrongTrack(options.track ?? '', all) : noStore(settings, io.system)
        if (why !== undefined) io.err(`note: ${printable(why)}\n`)
      } finally {
        await backend.close()
      }
    })
}

function row(file: RecallFile): string {
  const description = file.description === '' ? '' : `  ${printable(file.description)}`
  return `${printable(`${file.track}/${file.name}`)}${description}\n`
}

function entry(file: RecallFile): string {
  const origin = originText(file.provenance)
  const lines = [origin === '' ? '' : `from ${origin}`, handText(file.provenance)].filter((line) => line !== '')
  return [...fileFacts(file), ...lines.map((line) => `  ${line}`)].map((line) => `${line}\n`).join('')
}

function wrongTrack(track: string, files: readonly RecallFile[]): string | undefined {
  if (USUAL_TRACKS.includes(track)) return `The track ${JSON.stringify(track)} holds nothing yet.`
  return noSuchTrack(track, [...new Set(files.map((file) => file.track))])
}

/** A mistyped `MEMU_DB` looks like an empty memory. */
function noStore({ db, configFile }: Settings, system: System): string | undefined {
  if (db === undefined || db.includes(':memory:')) return undefined
  const path = storePath(db, system)
  if (existsSync(path)) return undefined
  if (existsSync(dirname(path))) return `The store ${path} does not exist yet; the first commit makes it.`
  return `The store ${path} does not exist, nor does its folder. If it should, correct MEMU_DB in the environment or in ${configFile}.`
}
