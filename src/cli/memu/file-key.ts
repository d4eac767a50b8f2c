/** From what a person types to one file of the store, also one that was forgotten. */
import { allFiles } from '../../memory/all-files.ts'
import type { LocalBackend } from '../../memory/local.ts'
import type { FileKey } from '../../records.ts'
import { MemuError } from '../../util/errors.ts'
import { USUAL_TRACKS } from '../retrieve/tracks.ts'

/** Names offered in place of one that is not there. */
const MOST_OFFERED = 5

/**
 * `<track>/<name>`, or a name alone where one track has it. A name may hold slashes of its own; a track does not.
 * Errors: `unknown_file`, which offers names alike; `ambiguous_file`, which names the choices; both exit 2.
 */
export async function findKey(backend: LocalBackend, typed: string): Promise<FileKey> {
  const slash = typed.indexOf('/')
  const whole = { track: typed.slice(0, slash), name: typed.slice(slash + 1) }
  if (slash > 0 && (await backend.history(whole)).length > 0) return whole
  const stored: FileKey[] = []
  for await (const { track, name } of allFiles(backend)) stored.push({ track, name })
  const tracks = new Set([...USUAL_TRACKS, ...stored.map(({ track }) => track)])
  const found: FileKey[] = []
  for (const track of tracks) if ((await backend.history({ track, name: typed })).length > 0) found.push({ track, name: typed })
  if (found.length > 1) {
    throw new MemuError('ambiguous_file', `There are several files ${JSON.stringify(typed)}.`, {
      hint: `Name one: ${list(found)}.`,
      exit: 2,
    })
  }
  if (found[0] !== undefined) return found[0]
  const alike = stored.filter(({ track, name }) => `${track}/${name}`.toLowerCase().includes(typed.toLowerCase()))
  throw new MemuError('unknown_file', `There is no file ${JSON.stringify(typed)}, and there was none.`, {
    hint: alike.length === 0 ? 'memu list-files shows the files there are.' : `Did you mean ${list(alike.slice(0, MOST_OFFERED))}?`,
    exit: 2,
  })
}

function list(keys: readonly FileKey[]): string {
  return keys.map(({ track, name }) => `${track}/${name}`).join(', ')
}
