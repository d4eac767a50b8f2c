/**
 * Some programs let a person take back turns: the records stay in the log, and a later line says from where on they no longer count.
 * What was taken back before it was mined is not mined. What was mined stays: it was said, and nobody asked to forget it.
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
  let counting: string[] = []
  const cut = (start: number): void => {
    for (const id of counting.splice(Math.max(start, 0))) gone.add(id)
  }
  const history: History = {
    add(id) {
      gone.delete(id)
      if (counting.at(-1) !== id) counting.push(id)
      if (counting.length > MOST_IDS) counting.splice(0, MOST_IDS / 2)
    },
    replace(ids) {
      for (const id of ids) gone.delete(id)
      counting = [...ids]
    },
    takeBackFrom: (id) => cut(counting.lastIndexOf(id)),
    takeBackAfter: (id) => cut(id === undefined ? 0 : counting.lastIndexOf(id) + 1),
    takeBack(ids) {
      const all = new Set(ids)
      counting = counting.filter((id) => !all.has(id))
      for (const id of all) gone.add(id)
    },
  }
  for (const { bytes } of readLines(source, from, undoing.filter)) {
    if (bytes === undefined) continue
    for (const value of parseLine(bytes.toString('utf8'), undoing.isRecord).records) undoing.play(value, history)
  }
  return gone
}
