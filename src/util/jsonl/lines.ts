/** Newline-terminated lines of a byte source, with bounded memory for lines of any length. */
import type { ByteSource } from './bytes.ts'
import { shrinker } from './shrink.ts'

/** The reader's buffer: large enough that reading is bound by the disk, small enough to stay in the cache. */
const CHUNK = 512 * 1024
/** A line up to this length is held whole; a longer one is shortened while it streams past. */
export const LINE_LIMIT = 8 * 1024 * 1024
/** A filter sees at most this much of a line. */
const HEAD = 1024
/** After so many bytes an empty line is given, so that the caller can let others run, or stop, while all is passed over. */
const STRETCH = 16 * 1024 * 1024
const NOTHING = Buffer.alloc(0)

export interface Line {
  /** Where it begins, and where the next one begins. */
  readonly offset: number
  readonly next: number
  /**
   * Without the newline; valid until the next line is asked for. Undefined: the line is over the limit even when shortened.
   */
  readonly bytes: Buffer | undefined
}

export interface LineFilter {
  /** Whether a line that begins like this can be passed over unread. */
  readonly skip: (head: Buffer) => boolean
  /**
   * How a record that matters begins (`{"timestamp":`). A line to pass over that holds one of these further on is a torn
   * record with the next one glued to it: it is not passed over.
   */
  readonly starts: readonly Buffer[]
}

export interface LineReader extends Iterable<Line> {
  /** Where the next line begins: after the last one that was handed out or passed over. */
  readonly position: number
}

let spare: Buffer | undefined

/**
 * The lines from `from` on, in order, to be iterated once; lines that the filter passes over are not among them. Bytes
 * after the last newline are not a line yet.
 */
export function readLines(source: ByteSource, from: number, filter?: LineFilter, limit = LINE_LIMIT): LineReader {
  let position = from

  function* lines(): Generator<Line, void> {
    let buffer = spare ?? Buffer.allocUnsafe(CHUNK)
    spare = undefined
    try {
      /** `buffer[0]` is the byte at `base` of the source; the line under way begins at `start`; `end` bytes are filled. */
      let base = from
      let start = 0
      let end = 0
      /** How far the line under way has been searched for its newline, and whether it is a long one to pass over. */
      let searched = 0
      let skipping = false
      let rested = from

      for (;;) {
        const filled = buffer.subarray(0, end)
        for (let newline = filled.indexOf(10, searched); newline >= 0; newline = filled.indexOf(10, searched)) {
          const bytes = filled.subarray(start, newline)
          const offset = position
          position = base + newline + 1
          if (skipping ? glued(bytes, 0, filter) >= 0 : !passedOver(bytes, filter)) yield { offset, next: position, bytes }
          skipping = false
          start = searched = newline + 1
        }
        searched = end
        if (base - rested > STRETCH) {
          rested = base
          yield { offset: position, next: position, bytes: NOTHING }
        }

        if (end === buffer.length && start === 0) {
          const before = skipping
          skipping ||= filter?.skip(filled.subarray(0, HEAD)) ?? false
          if (skipping) {
            // Let it go by, except for a record glued to it; the overlap finds one that lies across two reads.
            const record = glued(filled, before ? 0 : 1, filter)
            skipping = record < 0
            start = skipping ? end - HEAD : record
          } else if (buffer.length >= limit) {
            const line = shorten(source, buffer, base, limit)
            if (line === undefined) return
            position = line.next
            yield { offset: base, ...line }
            base = line.next
            end = searched = 0
            continue
          }
        }

        if (start > 0) {
          buffer.copyWithin(0, start, end)
          base += start
          end -= start
          searched -= start
          start = 0
        } else if (end === buffer.length) {
          const larger = Buffer.allocUnsafe(Math.min(limit, buffer.length * 2))
          buffer.copy(larger)
          buffer = larger
        }
        const count = source.readAt(base + end, buffer.subarray(end))
        if (count === 0) return
        end += count
      }
    } finally {
      if (buffer.length === CHUNK) spare = buffer
    }
  }

  return {
    get position() {
      return position
    },
    [Symbol.iterator]: lines,
  }
}

function passedOver(line: Buffer, filter: LineFilter | undefined): boolean {
  if (filter === undefined || !filter.skip(line.subarray(0, HEAD))) return false
  return glued(line, 1, filter) < 0
}

/** Where in a line to pass over a record that matters begins, or -1. */
function glued(line: Buffer, from: number, filter: LineFilter | undefined): number {
  let first = -1
  for (const start of filter?.starts ?? []) {
    const at = line.indexOf(start, from)
    if (at >= 0 && (first < 0 || at < first)) first = at
  }
  return first
}

/** The line that begins at `base` and does not fit: streamed through the shrinker. Undefined where its newline is not there yet. */
function shorten(source: ByteSource, head: Buffer, base: number, limit: number): Pick<Line, 'next' | 'bytes'> | undefined {
  const shrink = shrinker(limit)
  shrink.push(head)
  const chunk = Buffer.allocUnsafe(CHUNK)
  let position = base + head.length
  for (;;) {
    const count = source.readAt(position, chunk)
    if (count === 0) return undefined
    const newline = chunk.subarray(0, count).indexOf(10)
    shrink.push(chunk.subarray(0, newline < 0 ? count : newline))
    if (newline >= 0) return { next: position + newline + 1, bytes: shrink.result() }
    position += count
  }
}
