/**
 * How a cursor notices that the bytes before it are not the ones it was made over: hashes of the first and the last
 * kilobyte. A log that was only appended to keeps both; one that was truncated, rewritten, compacted or replaced does not.
 */
import type { ByteSource } from './bytes.ts'
import { digest } from './digest.ts'

const SPAN = 1024

export interface Fingerprint {
  readonly offset: number
  /** Of `min(offset, 1024)` bytes from the start, and of the bytes between those and `offset`, 1024 at most. */
  readonly head: string
  readonly tail: string
}

export function fingerprint(source: ByteSource, offset: number): Fingerprint {
  const headLength = Math.min(offset, SPAN)
  const tailStart = Math.max(headLength, offset - SPAN)
  return { offset, head: hash(source, 0, headLength), tail: hash(source, tailStart, offset - tailStart) }
}

/** Whether the source still begins with the bytes that the fingerprint was made over, as far as two kilobytes tell. */
export function matches(source: ByteSource, made: Fingerprint): boolean {
  const now = fingerprint(source, made.offset)
  return now.head === made.head && now.tail === made.tail
}

/** A fingerprint from stored JSON, or undefined where it is not one. */
export function asFingerprint(value: unknown): Fingerprint | undefined {
  const { offset, head, tail } = (value ?? {}) as Record<string, unknown>
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) return undefined
  return typeof head === 'string' && typeof tail === 'string' ? { offset, head, tail } : undefined
}

/** The length is hashed too: a source that ends early does not match one that had all the bytes. */
function hash(source: ByteSource, position: number, length: number): string {
  const bytes = Buffer.alloc(length)
  const count = length === 0 ? 0 : source.readAt(position, bytes)
  return digest(`${count}:`, bytes.subarray(0, count))
}
