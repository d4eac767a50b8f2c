/**
 * What the agent of the command line keeps of its chats: `chats/<workspace>/<session>/store.db`, a database for each, written while a turn
 * is under way. Messages are JSON under the hash of their content; the newest root, in Protocol Buffers, lists them in order. It is read
 * where there is no transcript: of older versions, and of a session whose first turn has not ended.
 */
import { MemuError } from '../../util/errors.ts'
import { digest, type JsonObject } from '../../util/jsonl.ts'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, isDirectory, keepBetter } from '../directory.ts'
import { asText } from '../fields.ts'
import { repeats } from '../repeats.ts'
import { jsonOf, largeColumn, openSqliteLog, type Row, type RowDialect, readRows, type SqliteLog } from '../sqlite-log.ts'
import type { Report, SessionFacts, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { agentMessage, type MessageReading } from './agent-message.ts'
import { chatFacts } from './project.ts'
import { protobufFields } from './protobuf.ts'
import { keyed } from './speech.ts'
import { localPath } from './workspace.ts'

const STORE = 'store.db'
/** Fields of the root. */
const MESSAGE = 1
const WORKSPACE = 9
/** A SHA-256. */
const ID_BYTES = 32
/** The name of a chat that nobody has named. */
const UNNAMED = 'New Agent'

/** `chats` is Cursor's folder of that name. */
export function cursorAgentStores(chats: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(chats),

    discover(report) {
      const sessions = new Map<string, SessionRef>()
      for (const workspace of entries(chats, report)) {
        if (!workspace.isDirectory()) continue
        const folder = child(chats, workspace.name)
        for (const { name } of entries(folder, report).filter((entry) => entry.isDirectory())) {
          const session = sessionIn(child(folder, name), name, report)
          if (session !== undefined) keepBetter(sessions, name, session)
        }
      }
      return [...sessions.values()]
    },

    async read(session, since, emit, signal) {
      const log = openSqliteLog(session.path)
      try {
        const chat = log.snapshot(() => openChat(log))
        const noted = chatFacts(chats, session.id)
        const reading = { isSubagent: noted.isSubagent, changed: session.modified, now: system.now().getTime() }
        const result = await readRows(log, chatDialect(chat, reading), { since, emit, signal })
        return { ...result, facts: { ...result.facts, ...noted.facts } }
      } finally {
        log.close()
      }
    },
  }
}

/**
 * The database grows in the file beside it until that is brought in; an empty one, which a program that is gone may leave there for a
 * while, says nothing.
 */
function sessionIn(folder: string, id: string, report: Report): SessionRef | undefined {
  const path = child(folder, STORE)
  const state = fileState(path, report)
  if (state === undefined || state.size === 0) return undefined
  const beside = fileState(`${path}-wal`, () => {})
  const added = beside === undefined || beside.size === 0 ? { size: 0, modified: 0 } : beside
  return { id, owner: id, path, size: state.size + added.size, modified: Math.max(state.modified, added.modified) }
}

interface Chat {
  /** Of the messages, in order. */
  readonly ids: readonly string[]
  readonly facts: SessionFacts
}

/** Errors: `session_unreadable` where it is no store of an agent. */
function openChat(log: SqliteLog): Chat {
  if (!log.columns('blobs').has('data') || !log.columns('meta').has('value')) throw unreadable(log, 'it is no chat of Cursor’s agent')
  const about = description(log)
  const root = asText(about?.latestRootBlobId)
  if (root === undefined) return { ids: [], facts: {} } // Nothing was said yet.
  const found = log.first(`select ${largeColumn('data')} from blobs where id = ?`, root)
  const fields = found?.data instanceof Uint8Array ? protobufFields(found.data) : undefined
  if (fields === undefined) throw unreadable(log, 'the list of its messages is missing or damaged')
  const ids = fields.flatMap(({ field, bytes }) =>
    field === MESSAGE && bytes.length === ID_BYTES ? [Buffer.from(bytes).toString('hex')] : [],
  )
  const workspace = fields.find(({ field }) => field === WORKSPACE)
  const project = workspace === undefined ? undefined : localPath(Buffer.from(workspace.bytes).toString('utf8'))
  const title = asText(about?.name)
  return { ids, facts: { ...(title && title !== UNNAMED && { title }), ...(project && { project }) } }
}

/** JSON in hexadecimal digits, in some versions as it is. */
function description(log: SqliteLog): JsonObject | undefined {
  for (const { value } of log.all('select value from meta order by key')) {
    const text = typeof value === 'string' && /^(?:[\da-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex').toString('utf8') : value
    try {
      const about = jsonOf(text)
      if (about.latestRootBlobId !== undefined) return about
    } catch {
      // Not the description: the next row may be.
    }
  }
  return undefined
}

interface State {
  repeats?: JsonObject
}

/** A message's place is its number in the chat. */
function chatDialect({ ids, facts }: Chat, reading: MessageReading): RowDialect<State, Row | undefined> {
  let seen = repeats(undefined)
  return {
    restore(stored) {
      seen = repeats(stored?.repeats)
      return { ...stored }
    },
    *rows(log, after) {
      for (let index = typeof after === 'number' ? after + 1 : 0; index < ids.length; index++) {
        yield { place: index, row: log.first(`select ${largeColumn('data')} from blobs where id = ?`, ids[index] ?? '') }
      }
    },
    mark: (_, place) => (isIndex(place) && place < ids.length ? [digest(JSON.stringify(ids.slice(0, place + 1)))] : undefined),
    classify(row) {
      if (row === undefined) throw new Error('the message is missing')
      return agentMessage(jsonOf(row.data, row.data_bytes), reading).map((record) => keyed(record, seen))
    },
    facts(state) {
      state.repeats = seen.stored() // Asked for at the end of a read: then all of them are known.
      return facts
    },
  }
}

function isIndex(place: unknown): place is number {
  return Number.isSafeInteger(place) && (place as number) >= 0
}

function unreadable(log: SqliteLog, why: string): MemuError {
  return new MemuError('session_unreadable', `Cannot read the chat in ${log.path}: ${why}.`, {
    hint: 'Run the command again; every session is taken up where it was left.',
  })
}
