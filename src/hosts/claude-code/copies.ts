/**
 * A fork or a branch of a session begins with the records of the session that it came from. They are mined there; only where
 * that session's transcript is gone are they taken from the copy. Some versions mark a copy with `forkedFrom` or leave the old
 * `sessionId` in it; others write the same `uuid` and nothing else, and then the two transcripts begin with the same record.
 */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { type ByteSource, openFile, readLines } from '../../util/jsonl.ts'
import { child, entries } from '../directory.ts'
import { asObject, asText } from '../fields.ts'

const EXTENSION = '.jsonl'
/** Enough for the lines before the first record and, unless a picture is in it, for that record. */
const HEAD = 64 * 1024
/** Ids kept of one session that others were forked from; what goes beyond is mined twice rather than held. */
const MOST_IDS = 500_000

export interface Head {
  readonly path: string
  readonly session: string
  /** The `uuid` of the first record. */
  readonly root: string
  /** The first time in the file: of a fork that of the fork, where the program notes the prompt before the copied records. */
  readonly began: string
}

/** The beginnings of the transcripts of a directory, read once for all of them. */
export type Heads = (directory: string) => readonly Head[]

export function headsCache(): Heads {
  const known = new Map<string, readonly Head[]>()
  const buffer = Buffer.allocUnsafe(HEAD)
  return (directory) => {
    let heads = known.get(directory)
    if (heads === undefined) {
      // A directory that cannot be read is reported by the scan for sessions.
      const files = entries(directory, () => {}).filter((entry) => entry.isFile() && entry.name.endsWith(EXTENSION))
      heads = files.flatMap(({ name }) => readHead(child(directory, name), name.slice(0, -EXTENSION.length), buffer) ?? [])
      known.set(directory, heads)
    }
    return heads
  }
}

/** Tells the records of a session, given in file order, that are copies of another session's that is there to be read. */
export function copyTest(path: string, session: string, heads: Heads): (record: Readonly<Record<string, unknown>>) => boolean {
  const directory = dirname(path)
  const exists = new Map<string, boolean>()
  let inherited: ReadonlySet<string> | undefined

  function isThere(id: string): boolean {
    let there = exists.get(id)
    if (there === undefined) {
      there = /^[\w-]+$/.test(id) && fs.existsSync(child(directory, id + EXTENSION))
      exists.set(id, there)
    }
    return there
  }

  return (record) => {
    const origin = asText(asObject(record.forkedFrom)?.sessionId) ?? asText(record.sessionId)
    if (origin !== undefined && origin !== session && isThere(origin)) return true
    const id = asText(record.uuid)
    if (id === undefined) return false
    // Copies stand at the beginning, so a read that goes on from a cursor never asks for the other transcripts.
    if (inherited === undefined && record.parentUuid === null) inherited = idsOf(ancestors(session, id, heads(directory)))
    return inherited?.has(id) ?? false
  }
}

/** The sessions with the same first record that are older. With equal times the order of the ids decides, the same for both. */
function ancestors(session: string, root: string, heads: readonly Head[]): Head[] {
  const family = heads.filter((head) => head.root === root)
  const own = family.find((head) => head.session === session)
  if (own === undefined) return []
  return family.filter((head) => head.began < own.began || (head.began === own.began && head.session < own.session))
}

function idsOf(sessions: readonly Head[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { path } of sessions) {
    withFile(path, (source) => {
      for (const { bytes } of readLines(source, 0)) {
        const id = bytes === undefined ? undefined : field(bytes, '"uuid":"')
        if (id !== undefined && ids.size < MOST_IDS) ids.add(id)
      }
    })
  }
  return ids
}

function readHead(path: string, session: string, buffer: Buffer): Head | undefined {
  return withFile(path, (source) => {
    const head = buffer.subarray(0, source.readAt(0, buffer))
    const root = field(head, '"uuid":"')
    return root === undefined ? undefined : { path, session, root, began: field(head, '"timestamp":"') ?? '' }
  })
}

/** The first string that follows `name`, without parsing: these values hold no escapes. */
function field(bytes: Buffer, name: string): string | undefined {
  const start = bytes.indexOf(name)
  const end = start < 0 ? -1 : bytes.indexOf('"', start + name.length)
  return end < 0 ? undefined : bytes.toString('latin1', start + name.length, end)
}

function withFile<T>(path: string, use: (source: ByteSource) => T): T | undefined {
  let source: ByteSource
  try {
    source = openFile(path)
  } catch {
    return undefined // Gone or unreadable: then nothing is a copy of it, and it is reported where it is read itself.
  }
  try {
    return use(source)
  } finally {
    source.close()
  }
}
