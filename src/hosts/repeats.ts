/**
 * Keys for records to which the host gave no id: a hash of what was said, and for what was said before the how many-eth time it is. So a
 * second "yes" is not taken for the first one, and a record keeps its key when others around it are gone.
 */
import type { JsonObject } from '../util/jsonl.ts'
import { contentKey } from './fields.ts'

/** How many different records are remembered; one that comes again after so many others counts as a copy of the first. */
const REMEMBERED = 1_000
/** Of the hash, what tells records of one session apart; it stands in the cursor, a thousand times at the most. */
const SHORT = 8

export interface Repeats {
  /** The key of the next record that says this. */
  key(...said: readonly unknown[]): string
  /** For the cursor: plain JSON. */
  stored(): JsonObject
}

/** `stored` is what an earlier read remembered, or anything else where there was none. */
export function repeats(stored: unknown): Repeats {
  const counts = new Map<string, number>()
  for (const [hash, count] of Object.entries((stored ?? {}) as JsonObject)) {
    if (typeof count === 'number' && Number.isSafeInteger(count)) counts.set(hash.slice(1), count)
  }
  return {
    key(...said) {
      const key = contentKey(...said)
      const hash = key.slice(0, SHORT)
      const count = (counts.get(hash) ?? 0) + 1
      counts.delete(hash) // Said again, it is the last to be forgotten.
      counts.set(hash, count)
      if (counts.size > REMEMBERED) counts.delete(counts.keys().next().value ?? '')
      return count === 1 ? key : `${key}~${count}`
    },
    // A name of digits alone would change its place in an object.
    stored: () => Object.fromEntries([...counts].map(([hash, count]) => [`_${hash}`, count])),
  }
}
