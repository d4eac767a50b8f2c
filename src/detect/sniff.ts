/**
 * What lies in an agent's folder: whether a session log is among it whose records have a shape that is known. Directory entries and
 * the beginnings of a few files, no link followed, no file opened that may hold keys.
 */
import type { Dirent } from 'node:fs'
import { basename, join } from 'node:path'
import { elements } from '../hosts/agent/document.ts'
import { isDocument, isLogFolder, isLogName } from '../hosts/agent/log-files.ts'
import { recognise } from '../hosts/agent/shapes.ts'
import { child } from '../hosts/directory.ts'
import { asObject } from '../hosts/fields.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import { hostOf } from '../hosts/wrong-host.ts'
import type { JsonObject } from '../util/jsonl.ts'
import type { Budget } from './budget.ts'
import { within } from './places.ts'

export interface Sniffed {
  /** The folder of the sessions that could be read; absent where none could. */
  readonly sessionDir?: string
  /** The host that writes such records, where one is known. */
  readonly of?: HostSpec
  /** Files that could be logs and hold no record of a known shape. */
  readonly strange: number
  /** One of the databases and one of the binary files in it. */
  readonly database?: string
  readonly binary?: string
}

/**
 * So many of the entries of one directory that may be logs are looked at, among so many, and so many directories of one folder; so many
 * files are opened, and so many found are enough.
 */
const MOST_ENTRIES = 400
const AMONG = 2_000
const MOST_FOLDERS = 200
const MOST_FILES = 24
const ENOUGH = 6
const DEPTH = 7
const HEAD = 64 * 1024
/** A first line may hold a whole system prompt. */
const LONG_HEAD = 1024 * 1024
const MOST_RECORDS = 60

/** Folders called so are looked into first; no agent is. */
export const SESSIONS =
  /^(?:sessions?|projects?|chats?|conversations?|threads?|transcripts?|history|tasks|agents?|data|logs?|storage|messages?)$/i
const DATABASE = /\.(?:db|sqlite3?|vscdb)$/i
const BINARY = /\.(?:pb|bin|lmdb|mdb)$/i
const OF_SESSIONS = /session|chat|thread|conversation|history|message|state|data/i

interface Folder {
  readonly path: string
  readonly depth: number
  readonly likely: boolean
}

/** `isNamed`: a person says that sessions lie there. */
export function sniff(folder: string, budget: Budget, isNamed = SESSIONS.test(basename(folder))): Sniffed {
  const queue: Folder[] = [{ path: folder, depth: 0, likely: isNamed }]
  const found: string[] = []
  const hosts = new Map<HostSpec, number>()
  let strange = 0
  let opened = 0
  let database: string | undefined
  let binary: string | undefined
  let isCut = false
  for (let seen = 0; queue.length > 0 && seen < MOST_FOLDERS && found.length < ENOUGH && opened < MOST_FILES && !budget.spent; seen++) {
    const { path, depth, likely } = queue.shift() as Folder
    const folders: Folder[] = []
    const listing = budget.list(path, { takes: (entry) => mayBeLog(entry, likely), most: MOST_ENTRIES, among: AMONG })
    isCut ||= listing.more
    for (const entry of listing.entries) {
      const { name } = entry
      if (entry.isDirectory()) {
        if (depth < DEPTH) folders.push({ path: child(path, name), depth: depth + 1, likely: likely || SESSIONS.test(name) })
        else isCut = true
      } else if (DATABASE.test(name)) database = better(database, child(path, name))
      else if (BINARY.test(name)) binary ??= child(path, name)
      else if (opened < MOST_FILES && found.length < ENOUGH) {
        opened++
        const file = child(path, name)
        const records = recordsOf(file, budget)
        if (records.some(isSpeech)) {
          found.push(file)
          const of = hostOf(records)
          if (of !== undefined) hosts.set(of, (hosts.get(of) ?? 0) + 1)
        } else strange++
      }
    }
    // Likely ones first, and there in depth first: a session lies at the end of a way.
    queue.unshift(...folders.filter((one) => one.likely))
    queue.push(...folders.filter((one) => !one.likely))
  }
  // One that was found is an answer, whatever else lies there.
  if (found.length === 0 && (isCut || queue.length > 0 || opened === MOST_FILES)) budget.passOver()
  const of = [...hosts].sort((a, b) => b[1] - a[1])[0]
  return {
    ...(found.length === 0 ? {} : { sessionDir: commonFolder(folder, found) }),
    // Of one host only where all are: a folder of many agents' logs is nobody's.
    ...(of !== undefined && of[1] === found.length ? { of: of[0] } : {}),
    strange,
    ...(database === undefined ? {} : { database }),
    ...(binary === undefined ? {} : { binary }),
  }
}

function mayBeLog(entry: Dirent, likely: boolean): boolean {
  const { name } = entry
  if (entry.isDirectory()) return isLogFolder(name)
  if (!entry.isFile()) return false
  // Whole documents are settings as a rule; where sessions lie they are sessions.
  return DATABASE.test(name) || BINARY.test(name) || (isLogName(name) && (likely || !isDocument(name)))
}

/** A database that is named after sessions says more than another. */
function better(known: string | undefined, path: string): string {
  return known === undefined || (OF_SESSIONS.test(path) && !OF_SESSIONS.test(known)) ? path : known
}

function isSpeech(record: JsonObject): boolean {
  const turn = recognise(record)?.turn
  return turn?.speaker !== undefined && turn.parts.some((part) => part.is === 'text')
}

function recordsOf(path: string, budget: Budget): JsonObject[] {
  const head = budget.head(path, isDocument(path) ? LONG_HEAD : HEAD)
  if (head === undefined) return []
  const inDocument = isDocument(path) ? documentRecords(head) : []
  if (inDocument.length > 0) return inDocument
  const records = lineRecords(head)
  return records.length === 0 && head.length === HEAD ? lineRecords(budget.head(path, LONG_HEAD) ?? head) : records
}

/** The last line is as a rule cut off; where it is whole it counts. */
function lineRecords(head: Buffer): JsonObject[] {
  return head.toString('utf8').split('\n', MOST_RECORDS).flatMap(parse)
}

function documentRecords(head: Buffer): JsonObject[] {
  const records: JsonObject[] = []
  const source = { readAt: (at: number, into: Uint8Array) => head.copy(into, 0, Math.min(at, head.length)), close() {} }
  for (const { field, bytes } of elements(source)) {
    if (field === undefined && bytes !== undefined) records.push(...parse(bytes.toString('utf8')))
    if (records.length === MOST_RECORDS) break
  }
  return records
}

function parse(text: string): JsonObject[] {
  try {
    const record = asObject(JSON.parse(text))
    return record === undefined ? [] : [record]
  } catch {
    return [] // Cut off, damaged or no JSON: the others tell.
  }
}

/**
 * The folder of all sessions, from those that were found: the one given or the first on their way that is called so, else the first below the
 * agent's own. Narrower would be right today and wrong tomorrow.
 */
function commonFolder(folder: string, files: readonly string[]): string {
  if (isOfSessions(basename(folder))) return folder
  const ways = files.map((file) => (within(folder, file) ?? []).slice(0, -1))
  const [first = []] = ways
  let length = 0
  while (length < first.length && ways.every((way) => way[length] === first[length])) length++
  const common = first.slice(0, length)
  const named = common.findIndex((segment) => isOfSessions(segment))
  return join(folder, ...common.slice(0, named < 0 ? 1 : named + 1))
}

function isOfSessions(name: string): boolean {
  return SESSIONS.test(name) && !/^(?:agents?|data|storage)$/i.test(name)
}
