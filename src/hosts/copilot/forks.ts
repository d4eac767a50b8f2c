/**
 * A fork begins with the events of the session that it came from, with their ids and times; only its first event has a time and a
 * session of its own, under the id that the other's first event has. Copied events are mined where they came from (`../forks.ts`).
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import { asObject } from '../fields.ts'
import type { Head } from '../forks.ts'
import type { SessionRef } from '../transcript-source.ts'

/** The first event is short. Bytes. */
const HEAD_BYTES = 64 * 1024
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

/** How the sessions begin; those are left out of which it cannot be said: then nothing is known to be a copy of them. */
export function headsOf(sessions: readonly SessionRef[]): Head[] {
  return sessions.flatMap(({ id, path }) => {
    const first = beginningOf(path)
    return first === undefined ? [] : [{ path, session: id, ...first }]
  })
}

function beginningOf(path: string): Beginning | undefined {
  try {
    return beginning(asObject(JSON.parse(headOfFile(path, HEAD_BYTES)?.split('\n', 1)[0] ?? '')) ?? {})
  } catch {
    return undefined // Another kind of file, or a first line that is longer or damaged.
  }
}
