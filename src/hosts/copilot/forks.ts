/**
 * A fork begins with the events of the session that it came from, with their ids and times; only its first event has a time and a
 * session of its own, under the id that the other's first event has. Copied events are mined where they came from, and from the fork
 * only where no older session of the family holds them any more.
 */
import { type ByteSource, type JsonObject, openFile, parseLine, readLines } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import { asObject } from '../fields.ts'
import { isEvent } from './event.ts'

/** The first event is short. Bytes. */
const HEAD_BYTES = 64 * 1024
/** Ids of events held at the most; what goes beyond is mined twice rather than held. */
const MOST_IDS = 300_000

/** What the first event of a session says of its origin; plain JSON. */
export interface Beginning {
  /** The event's id, which a whole family of forks shares. */
  readonly root: string
  /** ISO time; of a fork that of the fork. */
  readonly began: string
}

export function beginning({ type, id, timestamp }: JsonObject): Beginning | undefined {
  return type === 'session.start' && typeof id === 'string' && typeof timestamp === 'string' ? { root: id, began: timestamp } : undefined
}

/** What is known of the sessions that lie beside each other; each is looked at once, and only where a fork asks. */
export interface Families {
  /** Whether an event from before the session began stands in an older session of its family. */
  isCopy(event: JsonObject, of: Beginning): boolean
}

/** `paths`: the events of every session there is. */
export function families(paths: () => readonly string[]): Families {
  let members: Map<string, { readonly path: string; readonly began: string }[]> | undefined
  const ids = new Map<string, ReadonlySet<string>>()

  function family(root: string): readonly { readonly path: string; readonly began: string }[] {
    if (members === undefined) {
      members = new Map()
      for (const path of paths()) {
        const first = beginningOf(path)
        if (first !== undefined) members.set(first.root, [...(members.get(first.root) ?? []), { path, began: first.began }])
      }
    }
    return members.get(root) ?? []
  }

  function idsOf(path: string): ReadonlySet<string> {
    const known = ids.get(path) ?? eventIds(path)
    ids.set(path, known)
    return known
  }

  return {
    isCopy({ id, timestamp }, { root, began }) {
      if (typeof id !== 'string' || typeof timestamp !== 'string' || timestamp >= began) return false
      return family(root).some((member) => member.began < began && idsOf(member.path).has(id))
    },
  }
}

function beginningOf(path: string): Beginning | undefined {
  try {
    return beginning(asObject(JSON.parse(headOfFile(path, HEAD_BYTES)?.split('\n', 1)[0] ?? '')) ?? {})
  } catch {
    return undefined // Another kind of file, or a first line that is longer or damaged: nothing is known to be a copy of it.
  }
}

function eventIds(path: string): ReadonlySet<string> {
  const ids = new Set<string>()
  let source: ByteSource
  try {
    source = openFile(path)
  } catch {
    return ids // Gone or unreadable: then nothing is a copy of it, and it is reported where it is read itself.
  }
  try {
    for (const { bytes } of readLines(source, 0)) {
      const events = bytes === undefined ? [] : parseLine(bytes.toString('utf8'), isEvent).records
      for (const { id } of events) if (typeof id === 'string' && ids.size < MOST_IDS) ids.add(id)
    }
  } finally {
    source.close()
  }
  return ids
}
