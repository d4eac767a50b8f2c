/**
 * A fork or a branch of a session begins with the records of the session that it came from, and they are mined there (`../forks.ts`).
 * Some versions mark a copy with `forkedFrom` or leave the old `sessionId` in it; others write the same `uuid` and nothing else, and then
 * the two transcripts begin with the same record.
 */
import { dirname } from 'node:path'
import type { JsonObject } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import { child, entries } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import { type Family, family, type HandedOut, type Head, handedOut } from '../forks.ts'
import { transcriptRecords } from './classify.ts'

const EXTENSION = '.jsonl'
/** How much of a transcript is searched for its first record: usually little is enough, a pasted log or a picture needs more. */
const HEAD_SIZES = [8 * 1024, 512 * 1024]

/** What is known of the transcripts beside one that is read; each is looked at once. */
export interface Siblings {
  /** The families among the transcripts of a directory. */
  family(directory: string): Family
  readonly ids: HandedOut
}

export function siblings(): Siblings {
  const families = new Map<string, Family>()
  const ids = handedOut({ ...transcriptRecords, id: ({ uuid }) => asText(uuid) })
  return {
    family(directory) {
      const known = families.get(directory) ?? family(() => readHeads(directory), ids)
      families.set(directory, known)
      return known
    },
    ids,
  }
}

/**
 * Tells the records of a session that are copies of what another session hands out. Copies stand at the beginning: a read that goes on
 * from a cursor (not `fromStart`) opens another transcript only where a record names it.
 */
export function copyTest(path: string, session: string, fromStart: boolean, beside: Siblings): (record: JsonObject) => boolean {
  const directory = dirname(path)
  let isInherited: ((id: string) => boolean) | undefined

  /** Whether the session that a record says it is from has it; what it has no longer is told here alone. */
  const isThere = (origin: string, id: string): boolean =>
    /^[\w-]+$/.test(origin) && beside.ids(child(directory, origin + EXTENSION)).has(id)

  return (record) => {
    const from = asObject(record.forkedFrom)
    const origin = asText(from?.sessionId) ?? asText(record.sessionId)
    const id = asText(record.uuid)
    const original = asText(from?.messageUuid) ?? id
    if (origin !== undefined && original !== undefined && origin !== session && isThere(origin, original)) return true
    if (!fromStart || id === undefined) return false
    isInherited ??= inheritance(headOf(path, session), beside.family(directory))
    return isInherited(id)
  }
}

function inheritance(own: Head | undefined, { isCopy }: Family): (id: string) => boolean {
  return own === undefined ? () => false : (id) => isCopy(id, own)
}

function readHeads(directory: string): Head[] {
  // A directory that cannot be read is reported by the scan for sessions.
  const files = entries(directory, () => {}).filter((entry) => entry.isFile() && entry.name.endsWith(EXTENSION))
  return files.flatMap(({ name }) => headOf(child(directory, name), name.slice(0, -EXTENSION.length)) ?? [])
}

/** Undefined where it holds no record yet, is gone or is unreadable: then nothing is a copy of it, and it is reported where it is read. */
function headOf(path: string, session: string): Head | undefined {
  for (const size of HEAD_SIZES) {
    const head = headOfFile(path, size) ?? ''
    const root = field(head, '"uuid":"')
    if (root !== undefined) return { path, session, root, began: field(head, '"timestamp":"') ?? '' }
    if (head.length < size / 4) return undefined // The file is no longer: a character has four bytes at the most.
  }
  return undefined
}

/** The first string that follows `name`, without parsing: these values hold no escapes. */
function field(text: string, name: string): string | undefined {
  const start = text.indexOf(name)
  const end = start < 0 ? -1 : text.indexOf('"', start + name.length)
  return end < 0 ? undefined : text.slice(start + name.length, end)
}
