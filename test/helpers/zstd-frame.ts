/** A zstd frame (RFC 8878) without compression: what a test needs where the runtime has no zstd. */
import { xxh64Low } from '../../src/hosts/openclaw/xxh64.ts'

const BLOCK = 128 * 1024

/** One frame with content size and checksum, in blocks that hold the bytes as they are. */
export function storedFrame(bytes: Uint8Array): Buffer {
  const header = Buffer.alloc(9)
  header.writeUInt32LE(0xfd2fb528, 0)
  header[4] = 0b1010_0100 // Four bytes of content size, a single segment, a checksum.
  header.writeUInt32LE(bytes.length, 5)
  const parts: Uint8Array[] = [header]
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const isLast = at + BLOCK >= bytes.length
    const size = Buffer.alloc(3)
    size.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3)
    parts.push(size, block)
  }
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(xxh64Low(bytes))
  return Buffer.concat([...parts, checksum])
}
