/**
 * `retrieve`: what memory holds about a prompt, on the path of every prompt. Loads the engine and nothing beyond it;
 * a test walks the bundle from here.
 */
import { loadSettings } from '../config/load.ts'
import type { MemoryBackend, Retrieved } from '../memory/backend.ts'
import { openBackend } from '../memory/open.ts'
import { phase } from '../util/timing.ts'
import type { Io } from './io.ts'
import { toAnswer } from './retrieve/answer.ts'
import { parseRetrieveArgs } from './retrieve/args.ts'
import { copiesDirectory } from './retrieve/copies.ts'
import { markedJson, markedText } from './retrieve/marked.ts'

/** Prints JSON on stdout and nothing else there; `--format text|markdown` for people. */
export async function retrieve(binary: string, args: readonly string[], io: Io): Promise<number> {
  const parsed = parseRetrieveArgs(args)
  if (parsed === undefined) {
    io.out((await import('./retrieve/help.ts')).retrieveHelp(binary))
    return 0
  }
  const query = parsed.query === '-' ? await io.readStdin() : parsed.query
  const settings = loadSettings(io.system)
  phase('settings')
  const backend = await openBackend(settings, io.system, { readOnly: true })
  phase('open')
  try {
    const { limit, track } = parsed
    const retrieved = await backend.progressiveRetrieve(query, {
      ...(limit === undefined ? {} : { limit }),
      ...(track === undefined ? {} : { track }),
    })
    phase('search')
    const answer = toAnswer(track === undefined ? retrieved : await withTrackNotice(retrieved, backend, track), copiesDirectory(io.system))
    phase('copies')
    if (parsed.format === 'json') io.out(markedJson(answer, io.system.home))
    else {
      const text = (await import('./retrieve/format.ts')).formatAnswer(answer, parsed.format)
      io.out(io.terminal() ? text : markedText(text, io.system.home))
    }
    return 0
  } finally {
    await backend.close()
  }
}

/** A mistyped track looks like an empty memory. */
async function withTrackNotice(retrieved: Retrieved, backend: MemoryBackend, track: string): Promise<Retrieved> {
  if (retrieved.segments.length + retrieved.files.length + retrieved.resources.length > 0) return retrieved
  const unknown = await (await import('./retrieve/tracks.ts')).unknownTrack(backend, track)
  return unknown === undefined ? retrieved : { ...retrieved, notice: unknown }
}
