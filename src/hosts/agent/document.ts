/**
 * The elements of one JSON document, a list or an object that holds one, as bytes stream past: of a document of any size only one
 * element is in memory, and one that is cut short gives those that are whole.
 */

import { type Shrinker, shrinker } from '../../util/jsonl/shrink.ts'
import type { ByteSource } from '../../util/jsonl.ts'
import { LINE_LIMIT } from '../../util/jsonl.ts'

export interface Element {
  /** Of its first byte in the document. */
  readonly offset: number
  /** Set for a field of the document itself, such as its title; absent for an element of the list. */
  readonly field?: string
  /** Its JSON; undefined where it is over the limit even when shortened. */
  readonly bytes: Buffer | undefined
}

/** Where an object keeps its conversation. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'history', 'conversation', 'turns', 'entries'])
const CHUNK = 256 * 1024

const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** `more`: something follows the end of the document, so that it is none, but lines. `none`: neither a list nor an object. */
export type Ending = 'whole' | 'cut short' | 'more' | 'none'

/** Elements that are objects, in order, and the document's own fields that are strings. Nothing after its end is read. */
export function* elements(source: ByteSource, limit = LINE_LIMIT, chunkSize = CHUNK): Generator<Element, Ending> {
  const chunk = Buffer.allocUnsafe(chunkSize)
  let base = 0
  let depth = 0
  /** The depth in which elements lie, while one of the lists is open. */
  let listDepth = 0
  let inString = false
  let escaped = false
  /** The name of the document's field under way, and whether a string now is a name. */
  let field = ''
  let expectsName = false
  let taken: Taken | undefined
  let ended = false

  for (let count = source.readAt(base, chunk); count > 0; count = source.readAt(base, chunk)) {
    const stop = stringStops(chunk.subarray(0, count))
    let from = taken === undefined ? -1 : 0
    for (let at = 0; at < count; at++) {
      // Most bytes are inside strings: straight to what may end one.
      if (inString && !escaped) at = stop(at)
      if (at >= count) break
      const byte = chunk[at] as number
      let ends = false
      if (ended && byte > 0x20) return 'more'
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) {
          inString = false
          ends = depth === 1 && listDepth === 0 && taken !== undefined
        }
      } else if (byte === QUOTE) {
        inString = true
        // Names and strings of the document itself.
        if (depth === 1 && listDepth === 0 && taken === undefined) {
          taken = take(base + at, expectsName ? undefined : field, limit)
          from = at
        }
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === 0 && listDepth === 0) {
          if (byte === OPEN_LIST) listDepth = 1
          else expectsName = true
        } else if (listDepth === 0 && depth === 1 && byte === OPEN_LIST && LISTS.has(field)) listDepth = 2
        else if (depth === listDepth && taken === undefined && byte === OPEN_OBJECT) {
          taken = take(base + at, undefined, limit)
          from = at
        }
        depth++
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth--
        ended = depth === 0
        if (depth < listDepth) listDepth = 0
        else ends = depth === listDepth && listDepth > 0 && taken !== undefined
      } else if (depth === 0 && byte > 0x20 && !BYTE_ORDER_MARK.has(byte)) {
        return 'none'
      } else if (depth === 1 && listDepth === 0) {
        if (byte === COMMA) expectsName = true
        else if (byte === COLON) expectsName = false
      }
      if (ends && taken !== undefined) {
        taken.push(chunk.subarray(from, at + 1))
        const bytes = taken.bytes()
        if (listDepth > 0) yield { offset: taken.offset, bytes }
        else if (expectsName) field = text(bytes)
        else yield { offset: taken.offset, field: taken.field ?? field, bytes }
        taken = undefined
        from = -1
      }
    }
    if (taken !== undefined) taken.push(chunk.subarray(from, count))
    base += count
  }
  return depth > 0 ? 'cut short' : ended ? 'whole' : 'none'
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
  readonly field: string | undefined
  push(bytes: Buffer): void
  bytes(): Buffer | undefined
}

/** Collects the bytes of one element; one over the limit is shortened as a line is. */
function take(offset: number, field: string | undefined, limit: number): Taken {
  const pieces: Buffer[] = []
  let length = 0
  let short: Shrinker | undefined
  return {
    offset,
    field,
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
