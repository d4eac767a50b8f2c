/**
 * Several places of one host's sessions as one source. Each is a scan of its own: one that fails is reported and hides no other.
 * A session goes to the region in which it was found, whatever else that region holds.
 */
import { MemuError, reason } from '../util/errors.ts'
import type { Report, SessionRef, TranscriptSource } from './transcript-source.ts'

export interface Region {
  /** What a problem with the whole region is reported under: its folder or its database. */
  readonly place: string
  readonly source: TranscriptSource
}

/**
 * Where two regions have a session of the same id, it is one. `newest`: the copy that changed last counts, as after a move.
 * `first`: the copy of the region that stands first, for regions that write the same session differently and whose cursors and keys
 * would not know each other.
 */
export function regions(all: readonly Region[], counts: 'newest' | 'first' = 'newest'): TranscriptSource {
  let found = new Map<string, TranscriptSource>()

  function discover(report: Report): SessionRef[] {
    const sessions = new Map<string, SessionRef>()
    const sources = new Map<string, TranscriptSource>()
    for (const region of all) {
      for (const session of scan(region, report)) {
        const known = sessions.get(session.id)
        if (known !== undefined && (counts === 'first' || known.modified >= session.modified)) continue
        sessions.set(session.id, session)
        sources.set(session.id, region.source)
      }
    }
    found = sources
    return [...sessions.values()]
  }

  return {
    exists: () => all.some(({ source }) => source.exists()),
    discover,
    async read(session, since, emit, signal) {
      if (!found.has(session.id)) discover(() => {}) // Found by another run of the program: its problems are not this read's.
      const source = found.get(session.id)
      if (source === undefined) {
        throw new MemuError('session_unreadable', `Cannot read the session log ${session.path}: it is gone.`, {
          hint: 'Run the command again; the session is taken up where it was left.',
        })
      }
      return await source.read(session, since, emit, signal)
    },
  }
}

function scan({ place, source }: Region, report: Report): SessionRef[] {
  try {
    return source.discover(report)
  } catch (error) {
    report({ path: place, reason: reason(error) })
    return []
  }
}
