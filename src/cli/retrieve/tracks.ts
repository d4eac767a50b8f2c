/** For a search that named a track and found nothing: whether there is such a track. Loaded only then. */
import { allFiles } from '../../memory/all-files.ts'
import type { MemoryBackend } from '../../memory/backend.ts'

/** Empty or not, these are no misspelling, and no listing has them where all their files were forgotten. */
export const USUAL_TRACKS: readonly string[] = ['memory', 'skill', 'workspace']

/** Says which tracks there are where `track` is none of them; undefined where it is one, or where there are none at all. */
export async function unknownTrack(backend: Pick<MemoryBackend, 'listAllRecallFiles'>, track: string): Promise<string | undefined> {
  if (USUAL_TRACKS.includes(track)) return undefined
  const tracks = new Set<string>()
  for await (const file of allFiles(backend)) tracks.add(file.track)
  return noSuchTrack(track, [...tracks])
}

export function noSuchTrack(track: string, tracks: readonly string[]): string | undefined {
  if (tracks.length === 0 || tracks.includes(track)) return undefined
  return `There is no track ${JSON.stringify(track)}; there ${tracks.length === 1 ? 'is' : 'are'} ${tracks.join(', ')}.`
}
