/**
 * One zstd frame as OpenClaw stores an event (RFC 8878): its length is known from beside it, a dictionary is never used. Everything that
 * the frame asks for is checked before it is unpacked, so that a damaged or forged one costs neither memory nor time.
 */
import type { Decompress } from 'fzstd'
import { xxh64Low } from './xxh64.ts'

/** OpenClaw compresses no event that is longer, and none becomes longer when it is packed. */
export const FRAME_LIMIT = 4 * 1024 * 1024
/** How far back a frame may refer: no further than the longest event reaches, rounded up as the format does. */
const WINDOW_LIMIT = 2 * FRAME_LIMIT
const MAGIC = 0xfd2fb528

interface Frame {
  /** Where the blocks begin, and where the checksum does. */
  readonly start: number
  readonly end: number
  readonly hasChecksum: boolean
}

/** The bytes in the frame; `length` of them. Throws with a reason in words where it is damaged or asks for more than an event may. */
export function unpackFrame(packed: Uint8Array, length: number, decompressor: typeof Decompress): Uint8Array {
  if (!(length >= 0 && length <= FRAME_LIMIT) || packed.length > FRAME_LIMIT) throw new Error('the packed event is too long')
  const frame = measure(packed, length)
  const bytes = new Uint8Array(length)
  let filled = 0
  const stream = new decompressor((part) => {
    if (filled + part.length > length) throw new Error('the packed event is longer than it says')
    bytes.set(part, filled)
    filled += part.length
  })
  stream.push(packed, true)
  if (filled !== length) throw new Error('the packed event is shorter than it says')
  if (frame.hasChecksum && xxh64Low(bytes) !== u32(packed, frame.end)) {
    throw new Error('the packed event does not match its checksum')
  }
  return bytes
}

/** Finds the end of the frame by its block headers. Throws where there is another than one frame. */
function measure(packed: Uint8Array, length: number): Frame {
  if (packed.length < 6 || u32(packed, 0) !== MAGIC) throw new Error('no packed event')
  const descriptor = packed[4]!
  const isSingle = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  if ((descriptor & 0x0b) !== 0) throw new Error('the packed event needs a dictionary')
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  let at = 5
  if (!isSingle) {
    const base = 2 ** (10 + (packed[at]! >> 3))
    if (base + (base / 8) * (packed[at]! & 7) > WINDOW_LIMIT) throw new Error('the packed event needs too much memory')
    at++
  }
  if (sizeBytes > 0 && contentSize(packed, at, sizeBytes) !== length) throw new Error('the packed event has another length than it should')
  const start = at + sizeBytes
  at = start
  for (let isLast = false; !isLast; ) {
    if (at + 3 > packed.length) throw new Error('the packed event is cut off')
    const header = packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16)
    isLast = (header & 1) === 1
    const isRun = ((header >> 1) & 3) === 1
    at += 3 + (isRun ? 1 : header >> 3)
  }
  if (at + (hasChecksum ? 4 : 0) !== packed.length) throw new Error('the packed event is cut off, or more follows it')
  return { start, end: at, hasChecksum }
}

/** Little-endian; of two bytes it counts from 256. */
function contentSize(packed: Uint8Array, at: number, bytes: number): number {
  let size = 0
  for (let index = bytes - 1; index >= 0; index--) size = size * 256 + (packed[at + index] ?? 0)
  return bytes === 2 ? size + 256 : size
}

function u32(packed: Uint8Array, at: number): number {
  return (packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16) | (packed[at + 3]! << 24)) >>> 0
}
