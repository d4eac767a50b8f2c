/**
 * Several places of one host's sessions as one source. Each is a scan of its own: one that fails is reported and hides no other.
 * A session goes to the region in which it was found, whatever else that region holds.
 */
import { MemuError, reason } from '../util/errors.ts'
import type { Report, SessionRef, TranscriptSource } from './transcript-source.ts'

/** The field of a cursor that says in which region it was made. */
const REGION = 'region'

export interface Region {
  /** What a problem with the whole region is reported under: its folder or its database. */
  readonly place: string
  readonly source: TranscriptSource
}

/**
 * Where two regions have a session of the same id, it is one. `newest`: the copy that changed last counts, as after a move.
 * `first`: the copy of the region that stands first, for regions that write the same session differently and whose cursors do not know
 * each other. A session that was read from a region which now has a problem, such as a locked database, waits for that region: nothing is
 * read of it in another one meanwhile, and its cursor stays.
 */
export function regions(all: readonly Region[], counts: 'newest' | 'first' = 'newest'): TranscriptSource {
  let found = new Map<string, Region>()
  let troubled: ReadonlySet<string> = new Set()

  function discover(report: Report): SessionRef[] {
    const sessions = new Map<string, SessionRef>()
    const homes = new Map<string, Region>()
    const problems = new Set<string>()
    for (const region of all) {
      const noting: Report = (problem) => {
        problems.add(region.place)
        report(problem)
      }
      for (const session of scan(region, noting)) {
        const known = sessions.get(session.id)
        if (known !== undefined && (counts === 'first' || known.modified >= session.modified)) continue
        sessions.set(session.id, session)
        homes.set(session.id, region)
      }
    }
    found = homes
    troubled = problems
    return [...sessions.values()]
  }

  return {
    exists: () => all.some(({ source }) => source.exists()),
    discover,
    async read(session, since, emit, signal) {
      if (!found.has(session.id)) discover(() => {}) // Found by another run of the program: its problems are not this read's.
      const home = found.get(session.id)
      if (home === undefined) {
        throw new MemuError('session_unreadable', `Cannot read the session log ${session.path}: it is gone.`, {
          hint: 'Run the command again; the session is taken up where it was left.',
        })
      }
      if (counts === 'newest') return await home.source.read(session, since, emit, signal)
      const before = since?.[REGION]
      if (since !== undefined && typeof before === 'string' && before !== home.place && troubled.has(before)) {
        return { cursor: since, restarted: false, bad: 0, facts: {} }
      }
      const result = await home.source.read(session, since, emit, signal)
      return { ...result, cursor: { ...result.cursor, [REGION]: home.place } }
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
