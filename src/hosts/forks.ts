/**
 * Forks: sessions that begin with the records of another one. What was copied is mined where it came from, and from the fork only what
 * no older session hands out: because that one is gone or was written anew, or because the user took it back there and not here. (What
 * was mined there before it was taken back comes twice then. That is the lesser evil: nobody knows what another session's cursor passed.)
 */
import { type ByteSource, type JsonObject, openFile, parseLine, readLines } from '../util/jsonl.ts'
import type { Dialect } from './jsonl-session.ts'
import { takenBack, type Undoing } from './rewound.ts'

/** How a session begins. Of a family, a session and all that were forked from it or from each other, the first record is the same. */
export interface Head {
  readonly path: string
  readonly session: string
  /** The id of the first record. */
  readonly root: string
  /** ISO time; of a fork that of the fork. Empty where it is not known. */
  readonly began: string
}

/** How the records of a log are told from one another. */
export interface Identified extends Pick<Dialect<object>, 'filter' | 'isRecord'> {
  readonly id: (record: JsonObject) => string | undefined
  readonly undoing?: Undoing
}

/** The ids of the records that a session hands out. */
export type HandedOut = (path: string) => ReadonlySet<string>

/** Ids held at the most; what goes beyond is mined twice rather than held. */
const MOST_IDS = 300_000

/** Each session is looked at once, as long as not too many ids are held. */
export function handedOut(records: Identified): HandedOut {
  const known = new Map<string, ReadonlySet<string>>()
  let held = 0
  return (path) => {
    const before = known.get(path)
    if (before !== undefined) return before
    if (held > MOST_IDS) {
      known.clear()
      held = 0
    }
    const ids = readIds(path, records)
    held += ids.size
    known.set(path, ids)
    return ids
  }
}

export interface Family {
  /** Whether an older session of the family hands out the record of this id. */
  isCopy(id: string, own: Omit<Head, 'path'>): boolean
}

/** `heads` gives how all sessions begin, and is asked once, where a session may hold copies. */
export function family(heads: () => readonly Head[], ids: HandedOut): Family {
  let byRoot: Map<string, Head[]> | undefined
  const older = new Map<string, readonly Head[]>()

  function olderThan({ session, root, began }: Omit<Head, 'path'>): readonly Head[] {
    const known = older.get(session)
    if (known !== undefined) return known
    byRoot ??= grouped(heads())
    // With equal times the order of the ids decides, the same for both.
    const found = (byRoot.get(root) ?? []).filter((head) => head.began < began || (head.began === began && head.session < session))
    older.set(session, found)
    return found
  }

  return { isCopy: (id, own) => olderThan(own).some(({ path }) => ids(path).has(id)) }
}

function grouped(heads: readonly Head[]): Map<string, Head[]> {
  const byRoot = new Map<string, Head[]>()
  for (const head of heads) {
    const same = byRoot.get(head.root)
    if (same === undefined) byRoot.set(head.root, [head])
    else same.push(head)
  }
  return byRoot
}

function readIds(path: string, { filter, isRecord, id, undoing }: Identified): ReadonlySet<string> {
  const ids = new Set<string>()
  let source: ByteSource
  try {
    source = openFile(path)
  } catch {
    return ids // Gone or unreadable: then nothing is a copy of it, and it is reported where it is read itself.
  }
  try {
    for (const { bytes } of readLines(source, 0, filter)) {
      for (const record of bytes === undefined ? [] : parseLine(bytes.toString('utf8'), isRecord).records) {
        const found = id(record)
        if (found !== undefined && ids.size < MOST_IDS) ids.add(found)
      }
    }
  } finally {
    source.close()
  }
  for (const gone of undoing === undefined ? [] : takenBack(path, 0, undoing)) ids.delete(gone)
  return ids
}
