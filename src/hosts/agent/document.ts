/**
 * The elements of one JSON document, a list or an object that holds one, as bytes stream past: of a document of any size only one
 * element is in memory, and one that is cut short gives those that are whole.
 */
import { type ByteSource, LINE_LIMIT, type Shrinker, shrinker } from '../../util/jsonl.ts'
import { structure } from './structure.ts'

export interface Element {
  /** Of its first byte in the document. */
  readonly offset: number
  /** Set for a field of the document itself, such as its title; absent for an element of the list. */
  readonly field?: string
  /** Its JSON; undefined where it is over the limit even when shortened. */
  readonly bytes: Buffer | undefined
}

const CHUNK = 256 * 1024
const [QUOTE, BACKSLASH] = [0x22, 0x5c]

export type Ending = 'whole' | 'cut short' | 'more' | 'none'

/**
 * Elements that are objects, in order, and the document's own fields that are strings. Nothing after its end is read. It ends as `step` of
 * its structure says.
 */
export function* elements(source: ByteSource, limit = LINE_LIMIT, chunkSize = CHUNK): Generator<Element, Ending> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  const place = structure()
  let base = 0
  let taken: Taken | undefined

  for (let count = source.readAt(base, chunk); count > 0; count = source.readAt(base, chunk)) {
    const stop = stringStops(chunk.subarray(0, count))
    /** Of what is taken, where it goes on in this chunk. */
    let from = 0
    for (let at = 0; at < count; at++) {
      if (place.isInText) at = stop(at)
      if (at >= count) break
      const step = place.step(chunk[at] as number)
      if (step === undefined) continue
      if (step === 'more' || step === 'none') return step
      if (step === 'begins') {
        taken = take(base + at, limit)
        from = at
      } else if (taken !== undefined) {
        taken.push(chunk.subarray(from, at + 1))
        const { offset } = taken
        const bytes = taken.bytes()
        taken = undefined
        if (place.wanted === 'name') place.field = text(bytes)
        else yield { offset, bytes, ...(place.wanted === 'string' && { field: place.field }) }
      }
    }
    taken?.push(chunk.subarray(from, count))
    base += count
  }
  return place.depth > 0 ? 'cut short' : place.isWhole ? 'whole' : 'none'
}

/** Where the next quote or backslash is, or the end; asked with positions that only grow, so that each is looked for once. */
function stringStops(bytes: Buffer): (from: number) => number {
  let quote = -1
  let backslash = -1
  const next = (byte: number, from: number): number => {
    const found = bytes.indexOf(byte, from)
    return found < 0 ? bytes.length : found
  }
  return (from) => {
    if (quote < from) quote = next(QUOTE, from)
    if (backslash < from) backslash = next(BACKSLASH, from)
    return Math.min(quote, backslash)
  }
}

interface Taken {
  readonly offset: number
  push(bytes: Buffer): void
  bytes(): Buffer | undefined
}

/** Collects the bytes of one element; one over the limit is shortened as a line is. */
function take(offset: number, limit: number): Taken {
  const pieces: Buffer[] = []
  let length = 0
  let short: Shrinker | undefined
  return {
    offset,
    push(bytes) {
      if (short === undefined && length + bytes.length <= limit) {
        pieces.push(Buffer.from(bytes)) // The chunk is filled anew.
        length += bytes.length
        return
      }
      if (short === undefined) {
        short = shrinker(limit)
        for (const piece of pieces) short.push(piece)
        pieces.length = 0
      }
      short.push(bytes)
    },
    bytes: () => (short === undefined ? Buffer.concat(pieces) : short.result()),
  }
}

function text(bytes: Buffer | undefined): string {
  try {
    return bytes === undefined ? '' : String(JSON.parse(bytes.toString('utf8')))
  } catch {
    return '' // A name that cannot be read is none of ours.
  }
}
