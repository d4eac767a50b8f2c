/**
 * A fork or a branch of a session begins with the records of the session that it came from. They are mined there; only where
 * that session's transcript is gone are they taken from the copy. Some versions mark a copy with `forkedFrom` or leave the old
 * `sessionId` in it; others write the same `uuid` and nothing else, and then the two transcripts begin with the same record.
 */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { type ByteSource, type JsonObject, openFile, readLines } from '../../util/jsonl.ts'
import { child, entries } from '../directory.ts'
import { asObject, asText } from '../fields.ts'

const EXTENSION = '.jsonl'
/** How much of a transcript is searched for its first record: usually little is enough, a pasted log or a picture needs more. */
const HEAD_SIZES = [8 * 1024, 512 * 1024]
/** Ids of records held at the most; what goes beyond is mined twice rather than held. */
const MOST_IDS = 300_000

export interface Head {
  readonly path: string
  readonly session: string
  /** The `uuid` of the first record. */
  readonly root: string
  /** The first time in the file: of a fork that of the fork, where the program notes the prompt before the copied records. */
  readonly began: string
}

/** What is known of the transcripts beside one that is read; each is looked at once. */
export interface Siblings {
  /** How the transcripts of a directory begin. */
  heads(directory: string): readonly Head[]
  /** The `uuid` of every record of a transcript. */
  ids(path: string): ReadonlySet<string>
}

export function siblings(): Siblings {
  const heads = new Map<string, readonly Head[]>()
  const ids = new Map<string, ReadonlySet<string>>()
  let held = 0
  return {
    heads(directory) {
      let known = heads.get(directory)
      if (known === undefined) {
        known = readHeads(directory)
        heads.set(directory, known)
      }
      return known
    },
    ids(path) {
      let known = ids.get(path)
      if (known === undefined) {
        if (held > MOST_IDS) ids.clear()
        known = readIds(path)
        held = ids.size === 0 ? known.size : held + known.size
        ids.set(path, known)
      }
      return known
    },
  }
}

/**
 * Tells the records of a session that are copies of another session's that is there to be read. Copies stand at the beginning:
 * a read that goes on from a cursor (not `fromStart`) leaves the other transcripts closed.
 */
export function copyTest(path: string, session: string, fromStart: boolean, beside: Siblings): (record: JsonObject) => boolean {
  const directory = dirname(path)
  const exists = new Map<string, boolean>()
  let inherited: readonly ReadonlySet<string>[] | undefined

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
    if (!fromStart || id === undefined) return false
    inherited ??= ancestors(session, beside.heads(directory)).map((head) => beside.ids(head.path))
    return inherited.some((ids) => ids.has(id))
  }
}

/** The sessions with the same first record that are older. With equal times the order of the ids decides, the same for both. */
function ancestors(session: string, heads: readonly Head[]): Head[] {
  const own = heads.find((head) => head.session === session)
  if (own === undefined) return []
  const family = heads.filter((head) => head.root === own.root)
  return family.filter((head) => head.began < own.began || (head.began === own.began && head.session < own.session))
}

function readHeads(directory: string): Head[] {
  // A directory that cannot be read is reported by the scan for sessions.
  const files = entries(directory, () => {}).filter((entry) => entry.isFile() && entry.name.endsWith(EXTENSION))
  const buffer = Buffer.allocUnsafe(Math.max(...HEAD_SIZES))
  return files.flatMap(({ name }) => {
    const path = child(directory, name)
    return withFile(path, (source) => readHead(source, path, name.slice(0, -EXTENSION.length), buffer)) ?? []
  })
}

function readHead(source: ByteSource, path: string, session: string, buffer: Buffer): Head | undefined {
  for (const size of HEAD_SIZES) {
    const head = buffer.subarray(0, source.readAt(0, buffer.subarray(0, size)))
    const root = field(head, '"uuid":"')
    if (root !== undefined) return { path, session, root, began: field(head, '"timestamp":"') ?? '' }
    if (head.length < size) return undefined
  }
  return undefined
}

function readIds(path: string): ReadonlySet<string> {
  const ids = new Set<string>()
  withFile(path, (source) => {
    for (const { bytes } of readLines(source, 0)) {
      const id = bytes === undefined ? undefined : field(bytes, '"uuid":"')
      if (id !== undefined && ids.size < MOST_IDS) ids.add(id)
    }
  })
  return ids
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
