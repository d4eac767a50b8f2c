/** What every reader does alike with what it finds: each record handed out once, what is bad counted, other work given its turn. */
import { reason } from '../util/errors.ts'
import type { BadPlace, Emit, ReadResult, SessionRecord } from './transcript-source.ts'

export interface Taker {
  readonly emit: Emit
  readonly signal: AbortSignal | undefined
}

export interface Delivery {
  /**
   * The records that one line, row or element gave; to be called for each of them, also where it gave none. Tells whether the taker has
   * enough, and the read may end here. Errors: the signal's reason when aborted; what `emit` throws.
   */
  handOut(records: readonly SessionRecord[]): Promise<boolean>
  /** What `classify` gives. What is too strange even to be looked at, nested thousands deep for example, costs itself alone. */
  attempt(place: BadPlace, classify: () => readonly SessionRecord[]): readonly SessionRecord[]
  bad(place: BadPlace, why: string): void
  /** For the result of the read. */
  counts(): Pick<ReadResult, 'bad' | 'firstBad'>
}

/** After so many milliseconds other work of the process, such as Ctrl-C, gets its turn. */
const BREATHE = 50
/** How many keys are remembered to drop records that the host wrote twice; older ones are forgotten in bulk. */
const KEYS = 100_000

/** Of one read. */
export function delivery({ emit, signal }: Taker): Delivery {
  const isNew = firstTime()
  let breath = performance.now()
  let count = 0
  let first: ReadResult['firstBad']

  function bad(place: BadPlace, why: string): void {
    count++
    first ??= { ...place, reason: why }
  }

  return {
    async handOut(records) {
      signal?.throwIfAborted()
      let hasEnough = false
      for (const record of records) {
        signal?.throwIfAborted()
        if (isNew(record) && (await emit(record)) === 'enough') hasEnough = true
      }
      if (performance.now() - breath > BREATHE) {
        await new Promise(setImmediate)
        breath = performance.now()
      }
      return hasEnough
    },
    attempt(place, classify) {
      try {
        return classify()
      } catch (error) {
        bad(place, reason(error))
        return []
      }
    },
    bad,
    counts: () => ({ bad: count, ...(first === undefined ? {} : { firstBad: first }) }),
  }
}

/** True the first time that a record's key comes by, in bounded memory. */
function firstTime(): (record: SessionRecord) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return ({ key }) => {
    if (recent.has(key) || older.has(key)) return false
    if (recent.size >= KEYS) {
      older = recent
      recent = new Set()
    }
    recent.add(key)
    return true
  }
}
