/**
 * Cola's sessions: `<scope>/<time>_<session>.jsonl`. A transcript that was copied has a header of its own and the entries of the
 * first one, ids included: they are mined in the oldest transcript that begins with them.
 */
import { type JsonObject, parseLine } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import type { System } from '../../util/system.ts'
import { isDirectory } from '../directory.ts'
import { type EntryState, entries, entryDialect, entryRecords, isNoise } from '../entry-tree/dialect.ts'
import { isEntry } from '../entry-tree/entry.ts'
import { entryFiles } from '../entry-tree/files.ts'
import { type Family, family, type Head, handedOut } from '../forks.ts'
import { readSession } from '../jsonl-session.ts'
import type { SessionRef, TranscriptSource } from '../transcript-source.ts'

/** Enough for a header, the prompt that the program gave the model, and a first message. */
const HEAD_BYTES = 256 * 1024

export function colaSource(sessionDir: string, system: System): TranscriptSource {
  let beside: Family | undefined

  /** How all transcripts begin is looked at only where one has entries that are older than it is. */
  function families(now: number): Family {
    // Unreadable directories were reported by the caller's own scan.
    beside ??= family(() => entryFiles(sessionDir, () => {}).flatMap((session) => headOf(session, now) ?? []), handedOut(entries))
    return beside
  }

  return {
    exists: () => isDirectory(sessionDir),
    discover(report) {
      beside = undefined
      return entryFiles(sessionDir, report)
    },
    read({ id: session, path }, since, emit, signal) {
      const now = system.now().getTime()
      const isCopy = ({ id }: JsonObject, { root, began = '' }: EntryState): boolean =>
        typeof id === 'string' && root !== undefined && root !== '' && families(now).isCopy(id, { session, root, began })
      return readSession(entryDialect({ now, isCopy }), { path, since, emit, signal })
    },
  }
}

function headOf({ id, path }: SessionRef, now: number): Head | undefined {
  const state: EntryState = {}
  // The last line may be cut off: it is not whole JSON and no entry.
  for (const line of headOfFile(path, HEAD_BYTES)?.split('\n') ?? []) {
    if (isNoise(line)) continue
    for (const entry of parseLine(line, isEntry).records) entryRecords(entry, state, { now })
    if (state.root) return { path, session: id, root: state.root, began: state.began ?? '' }
  }
  return undefined
}
