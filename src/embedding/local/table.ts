/**
 * The word table on disk: one vector of int8 numbers a word. Nothing is parsed; a prompt reads the sorted hashes of the
 * words (4 bytes each) and then only the cells of its own words.
 *
 *   header   64 bytes: magic, version, dimensions, rows, hash seed (u32 each, little-endian), SHA-256 at byte 24
 *   hashes   rows × u32, ascending
 *   cells    rows × (f32 scale, dimensions × i8), in the same order
 *
 * The SHA-256 covers the file with its own 32 bytes taken as zeros.
 */
import * as fs from 'node:fs'
import { endianness } from 'node:os'
import { MemuError, reason } from '../../util/errors.ts'
import { hashWord } from './hash.ts'

export const MAGIC = 'MEMUWRDS'
/** Grows with the file's form and with how texts are summed from it: it enters the hash, and so old vectors are known as such. */
export const VERSION = 1
export const HEADER_BYTES = 64
export const SHA_OFFSET = 24
/** After so many single reads the whole table is loaded: 5 ms once, instead of 5 µs a word. */
export const READS_BEFORE_LOADING = 1_000

/** The vector of a word is `scale * values`. */
export interface Row {
  readonly scale: number
  readonly values: Int8Array
}

export interface WordTable {
  readonly dimensions: number
  /** Hex SHA-256 from the header: the table's identity. */
  readonly sha256: string
  /** Runs `work` with the table open. The reader is of no use afterwards. */
  read<T>(work: (find: (word: string) => Row | undefined) => T): T
}

/** Reads the header at once and the rest when it is needed. Errors: `model_unusable`. */
export function wordTable(path: string): WordTable {
  const readHeader = (fd: number) => readBytes(path, fd, 0, HEADER_BYTES)
  const header = withFile(path, readHeader)
  if (header.toString('latin1', 0, 8) !== MAGIC || header.readUInt32LE(8) !== VERSION) throw unusable(path, 'it is not a word table')
  const dimensions = header.readUInt32LE(12)
  const rows = header.readUInt32LE(16)
  const seed = header.readUInt32LE(20)
  const cellBytes = 4 + dimensions
  const cellsAt = HEADER_BYTES + 4 * rows
  let hashes: Uint32Array | undefined
  let all: Buffer | undefined
  let reads = 0

  function readCell(fd: number, index: number): Buffer {
    if (all === undefined && ++reads > READS_BEFORE_LOADING) all = readBytes(path, fd, cellsAt, rows * cellBytes)
    return all?.subarray(index * cellBytes, (index + 1) * cellBytes) ?? readBytes(path, fd, cellsAt + index * cellBytes, cellBytes)
  }

  return {
    dimensions,
    sha256: header.toString('hex', SHA_OFFSET, SHA_OFFSET + 32),
    read: (work) =>
      withFile(path, (fd) => {
        // An upgrade may replace the file under a program that runs on: cells of another table would give wrong vectors silently.
        if (!readHeader(fd).equals(header)) throw unusable(path, 'it was replaced while this program ran', 'Start the program again.')
        hashes ??= toUint32(readBytes(path, fd, HEADER_BYTES, 4 * rows))
        const known = hashes
        return work((word) => {
          const index = search(known, hashWord(word, seed))
          if (index < 0) return undefined
          const cell = readCell(fd, index)
          return { scale: cell.readFloatLE(0), values: new Int8Array(cell.buffer, cell.byteOffset + 4, dimensions) }
        })
      }),
  }
}

/** The place of `value` in an ascending list, or -1. */
function search(list: Uint32Array, value: number): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = list[middle]!
    if (found === value) return middle
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function withFile<T>(path: string, work: (fd: number) => T): T {
  let fd: number
  try {
    fd = fs.openSync(path, 'r')
  } catch (error) {
    throw unusable(path, reason(error))
  }
  try {
    return work(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function readBytes(path: string, fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  const count = fs.readSync(fd, bytes, 0, length, position)
  if (count < length) throw unusable(path, 'it ends too early')
  return bytes
}

function toUint32(bytes: Buffer): Uint32Array {
  if (endianness() === 'BE') bytes.swap32() // The file is little-endian.
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

function unusable(path: string, why: string, hint = 'Install memu again.'): MemuError {
  return new MemuError('model_unusable', `cannot read the embedded model ${path}: ${why}`, { hint })
}
