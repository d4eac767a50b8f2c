/** A `.jsonl.zst` log by position in what it unpacks to. Unpacked as it streams, never to the disk or whole into memory. */
import type { Decompress } from 'fzstd'
import { MemuError, reason } from '../util/errors.ts'
import { type ByteSource, openFile } from '../util/jsonl.ts'

/** Small, because a few packed bytes can unpack to megabytes. */
const PACKED_CHUNK = 8 * 1024
/** How much of what was passed is kept, for a reader that looks back a little (it hashes the end of what it read). */
const LOOK_BACK = 1024 * 1024

interface Piece {
  readonly start: number
  readonly bytes: Uint8Array
}

/**
 * Errors: `session_unreadable`, as `openFile` and where the archive is damaged. An archive cut short ends early. `packed` are its bytes
 * where they do not lie in a file of their own; `path` then says where they came from.
 */
export function openCompressed(path: string, decompressor: typeof Decompress, packed: ByteSource = openFile(path)): ByteSource {
  const chunk = new Uint8Array(PACKED_CHUNK)
  /** Ascending. The first piece of the file is always kept: the head of a fingerprint lies in it. */
  let pieces: Piece[] = []
  let packedPosition = 0
  let end = 0
  let stream = start()

  function start(): Decompress {
    pieces = []
    packedPosition = end = 0
    return new decompressor((bytes) => {
      if (bytes.length > 0) pieces.push({ start: end, bytes: bytes.slice() })
      end += bytes.length
    })
  }

  /** Unpacks a little more; false at the end. */
  function more(): boolean {
    const count = packed.readAt(packedPosition, chunk)
    if (count === 0) return false
    packedPosition += count
    try {
      stream.push(chunk.slice(0, count)) // The stream keeps what it cannot use yet.
    } catch (error) {
      throw new MemuError('session_unreadable', `Cannot unpack the session log ${path}: ${reason(error)}.`, {
        hint: `Check it with: zstd -t ${path}`,
        cause: error,
      })
    }
    return true
  }

  function forget(before: number): void {
    pieces = pieces.filter((piece, index) => index === 0 || piece.start + piece.bytes.length > before)
  }

  function isForgotten(position: number): boolean {
    const first = pieces[0]
    const second = pieces[1]
    return first !== undefined && second !== undefined && position >= first.bytes.length && position < second.start
  }

  return {
    readAt(position, into) {
      if (isForgotten(position)) stream = start()
      while (end < position + into.length && more()) forget(position - LOOK_BACK)
      let filled = 0
      for (const piece of pieces) {
        const from = position + filled - piece.start
        if (from < 0 || from >= piece.bytes.length) continue
        const part = piece.bytes.subarray(from, from + into.length - filled)
        into.set(part, filled)
        filled += part.length
      }
      return filled
    },
    close: packed.close,
  }
}
