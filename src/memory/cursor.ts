/** The opaque cursor of a listing: base64url of the JSON tuple `[track, name, id]` of the last file of a page. */
import type { ListKey } from '../store/store.ts'
import { MemuError } from '../util/errors.ts'

export function encodeCursor({ track, name, id }: ListKey): string {
  return Buffer.from(JSON.stringify([track, name, id])).toString('base64url')
}

/** Errors: `invalid_cursor`. */
export function decodeCursor(cursor: string): ListKey {
  const parts = parse(cursor)
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string')) {
    throw new MemuError('invalid_cursor', 'The cursor was not made by this command.', {
      hint: 'Pass `next_cursor` of the page before unchanged, or none for the first page.',
      exit: 2,
    })
  }
  const [track, name, id] = parts as [string, string, string]
  return { track, name, id }
}

function parse(cursor: string): unknown {
  // Node.js skips letters that are not of the alphabet; a cursor with such letters is refused below.
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
