/**
 * Cola's sessions: `<scope>/<time>_<session>.jsonl`. A transcript that was copied has a header of its own and the entries of the
 * first one, ids included: they are mined in the oldest transcript that begins with them.
 */
import { parseLine } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import type { System } from '../../util/system.ts'
import { isDirectory } from '../directory.ts'
import { type EntryState, entryDialect, entryRecords, isNoise } from '../entry-tree/dialect.ts'
import { isEntry } from '../entry-tree/entry.ts'
import { entryFiles } from '../entry-tree/files.ts'
import { readSession } from '../jsonl-session.ts'
import type { SessionRef, TranscriptSource } from '../transcript-source.ts'

/** Enough for a header, the prompt that the program gave the model, and a first message. */
const HEAD_BYTES = 256 * 1024

interface Head {
  readonly session: string
  readonly root: string
  readonly began: string
}

export function colaSource(sessionDir: string, system: System): TranscriptSource {
  const now = system.now().getTime()
  let known: readonly Head[] | undefined

  /** How all transcripts begin; looked at only where one has entries that are older than it is. */
  function heads(): readonly Head[] {
    known ??= entryFiles(sessionDir, () => {}).flatMap((session) => headOf(session, now) ?? []) // Reported by the caller's own scan.
    return known
  }

  function isCopy(session: string, { root, began = '' }: EntryState): boolean {
    if (!root) return false
    return heads().some((head) => head.root === root && (head.began < began || (head.began === began && head.session < session)))
  }

  return {
    exists: () => isDirectory(sessionDir),
    discover(report) {
      known = undefined
      return entryFiles(sessionDir, report)
    },
    read({ id, path }, since, emit, signal) {
      const dialect = entryDialect({ now: system.now().getTime(), hasOrigin: (state) => isCopy(id, state) })
      return readSession(dialect, { path, since, emit, signal })
    },
  }
}

function headOf({ id, path }: SessionRef, now: number): Head | undefined {
  const state: EntryState = {}
  // The last line may be cut off: it is not whole JSON and no entry.
  for (const line of headOfFile(path, HEAD_BYTES)?.split('\n') ?? []) {
    if (isNoise(line)) continue
    for (const entry of parseLine(line, isEntry).records) entryRecords(entry, state, { now })
    if (state.root) return { session: id, root: state.root, began: state.began ?? '' }
  }
  return undefined
}
