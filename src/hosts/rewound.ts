/**
 * Some programs let a person take back turns: the records stay in the log, and a later line says from where on they no longer count.
 * What was taken back before it was mined is not mined, unless a fork goes on with it (`forks.ts`). What was mined stays: it was said, and
 * nobody asked to forget it. A branch that was merely left for another is not taken back, and is mined: one can return to it.
 */
import { type ByteSource, type JsonObject, type LineFilter, openFile, parseLine, readLines } from '../util/jsonl.ts'

/** The ids of the records that count, in order. */
export interface History {
  add(id: string): void
  /** From here on these count alone; the others were said, and are not taken back either. */
  replace(ids: readonly string[]): void
  /** Takes back a record and all that follow it; all there are where it is not among them: it lies before this part of the log. */
  takeBackFrom(id: string): void
  /** Takes back all that follow a record; all there are where it is not among them. */
  takeBackAfter(id: string | undefined): void
  takeBack(ids: readonly string[]): void
}

export interface Undoing {
  /** Stands in every line that takes something back, and hardly anywhere else. */
  readonly mark: string
  readonly filter: LineFilter
  readonly isRecord: (value: JsonObject) => boolean
  /** Does to the history what the line did to the session. */
  readonly play: (line: JsonObject, history: History) => void
}

const CHUNK = 1024 * 1024
/** So many records back a line may reach; older ones count as lying before the part that is read. */
const MOST_IDS = 200_000

/**
 * The ids of the records from byte `from` on that later lines take back. A log without such lines, nearly every one, is searched
 * for the mark and not parsed. Empty where the log cannot be opened: reading it says why.
 */
export function takenBack(path: string, from: number, undoing: Undoing): ReadonlySet<string> {
  let source: ByteSource
  try {
    source = openFile(path)
  } catch {
    return new Set()
  }
  try {
    return holds(source, from, Buffer.from(undoing.mark)) ? play(source, from, undoing) : new Set()
  } finally {
    source.close()
  }
}

function holds(source: ByteSource, from: number, mark: Buffer): boolean {
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let position = from; ; position += CHUNK - mark.length) {
    const count = source.readAt(position, chunk)
    if (chunk.subarray(0, count).includes(mark)) return true
    if (count < CHUNK) return false
  }
}

function play(source: ByteSource, from: number, undoing: Undoing): ReadonlySet<string> {
  const gone = new Set<string>()
  let order: string[] = []
  /** Where in `order` each record that counts stands; one that was written again keeps its place. */
  const places = new Map<string, number>()
  const cut = (start: number): void => {
    for (const id of order.splice(start)) if (places.delete(id)) gone.add(id)
  }
  const replace = (ids: readonly string[]): void => {
    places.clear()
    order = [...new Set(ids)]
    order.forEach((id, place) => {
      gone.delete(id)
      places.set(id, place)
    })
  }
  const history: History = {
    add(id) {
      gone.delete(id)
      if (!places.has(id)) places.set(id, order.push(id) - 1)
      if (order.length > MOST_IDS) replace(order.slice(-MOST_IDS / 2).filter((one) => places.has(one)))
    },
    replace,
    takeBackFrom: (id) => cut(places.get(id) ?? 0),
    takeBackAfter: (id) => cut(id === undefined ? 0 : (places.get(id) ?? -1) + 1),
    takeBack(ids) {
      for (const id of ids) {
        places.delete(id)
        gone.add(id)
      }
    },
  }
  for (const { bytes } of readLines(source, from, undoing.filter)) {
    if (bytes === undefined) continue
    for (const value of parseLine(bytes.toString('utf8'), undoing.isRecord).records) undoing.play(value, history)
  }
  return gone
}
