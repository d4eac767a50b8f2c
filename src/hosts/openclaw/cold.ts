/**
 * Sessions that nobody has touched for long: OpenClaw moves their events out of the table into one archive a session, with the numbers
 * and the generation that they had, so that a cursor goes on from the one into the other.
 */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Decompress } from 'fzstd'
import { MemuError } from '../../util/errors.ts'
import { type ByteSource, openFile, parseLine, readLines } from '../../util/jsonl.ts'
import { openCompressed } from '../compressed.ts'
import { asObject } from '../fields.ts'
import type { Row, SqliteLog } from '../sqlite-log.ts'
import { contentMark, type EventStore, type StoredEvent } from './events.ts'

/** OpenClaw makes no archive that is longer than this, packed or unpacked. */
const ARCHIVE_LIMIT = 64 * 1024 * 1024
const NAME = /^[0-9a-f]{64}\.jsonl\.zst$/
const COLUMNS = ['session_id', 'archive_name', 'last_seq']

export interface ColdEvents extends EventStore {
  close(): void
}

/**
 * The session's archive, or undefined where its events are in the table. Errors: `session_unreadable` where it is missing, is not the
 * file that was archived, or is damaged.
 */
export function coldEvents(log: SqliteLog, session: string, decompressor: typeof Decompress): ColdEvents | undefined {
  const columns = log.columns('session_transcript_cold_archives')
  if (!COLUMNS.every((column) => columns.has(column))) return undefined
  const blob = columns.has('archive_blob') ? `case when length(archive_blob) <= ${ARCHIVE_LIMIT} then archive_blob end` : 'null'
  const hash = columns.has('archive_sha256') ? 'archive_sha256' : 'null'
  const row = log.first(
    `select archive_name as name, ${hash} as hash, ${blob} as blob from session_transcript_cold_archives where session_id = ?`,
    session,
  )
  if (row === undefined) return undefined
  const { path, packed } = openArchive(log.path, row)
  try {
    verify(path, packed, row.hash)
  } catch (error) {
    packed.close()
    throw error
  }
  const source = openCompressed(path, decompressor, packed)
  return archivedEvents(bounded(path, source), decompressor)
}

function openArchive(database: string, { name, blob }: Row): { readonly path: string; readonly packed: ByteSource } {
  if (blob instanceof Uint8Array) return { path: database, packed: byteSource(blob) }
  if (typeof name !== 'string' || !NAME.test(name)) throw damaged(database, 'its archive has no proper name')
  const path = join(dirname(dirname(database)), 'sessions', 'cold', name)
  return { path, packed: openFile(path) }
}

/** Neither a forged name nor a damaged file is unpacked. */
function verify(path: string, packed: ByteSource, expected: unknown): void {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(256 * 1024)
  for (let at = 0; ; ) {
    const count = packed.readAt(at, chunk)
    if (count === 0) break
    at += count
    if (at > ARCHIVE_LIMIT) throw damaged(path, 'the archive is too long')
    hash.update(chunk.subarray(0, count))
  }
  if (typeof expected === 'string' && hash.digest('hex') !== expected) throw damaged(path, 'it is not the archive that was made')
}

/** Stops at what an archive can hold: a forged one may unpack to anything. */
function bounded(path: string, source: ByteSource): ByteSource {
  return {
    readAt(position, into) {
      if (position > 2 * ARCHIVE_LIMIT) throw damaged(path, 'it unpacks to more than an archive holds')
      return source.readAt(position, into)
    },
    close: source.close,
  }
}

/** One pass from the first line to the last serves a whole read; only who looks back begins again. */
function archivedEvents(source: ByteSource, decompressor: typeof Decompress): ColdEvents {
  let lines = events(source)
  let last: StoredEvent | undefined
  let count = 0

  function begin(): void {
    lines = events(source)
    last = undefined
    count = 0
  }

  function next(): StoredEvent | undefined {
    const { value, done } = lines.next()
    if (done) return undefined
    last = value
    count++
    return value
  }

  /** Places the pass behind the event with this number, or the one before where there is none. */
  function pass(seq: number): void {
    if (last !== undefined && last.seq > seq) begin()
    while ((last?.seq ?? -1) < seq && next() !== undefined);
  }

  return {
    *after(seq) {
      if ((last?.seq ?? -1) !== seq) pass(seq)
      for (let event = next(); event !== undefined; event = next()) yield event
    },
    mark(seq) {
      pass(seq)
      return last?.seq === seq ? [count, contentMark(last, decompressor)] : undefined
    },
    close: source.close,
  }
}

/** Lines of another kind repeat what the table of events is indexed by. */
function* events(source: ByteSource): Generator<StoredEvent, undefined> {
  for (const { bytes } of readLines(source, 0, { skip: (head) => !head.includes('"kind":"event"'), starts: [] })) {
    for (const { row } of parseLine(bytes?.toString('utf8') ?? '', () => false).records) {
      const { seq, event_json: json } = asObject(row) ?? {}
      if (typeof seq !== 'number') continue
      yield { seq, json: typeof json === 'string' ? json : null, json_bytes: null, packed: null, unpacked_bytes: null }
    }
  }
  return undefined
}

function byteSource(bytes: Uint8Array): ByteSource {
  return {
    readAt(position, into) {
      const part = bytes.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    close: () => {},
  }
}

function damaged(path: string, why: string): MemuError {
  return new MemuError('session_unreadable', `Cannot read the archived session in ${path}: ${why}.`, {
    hint: 'Restore it from a backup, or let OpenClaw look after it: openclaw doctor',
  })
}
