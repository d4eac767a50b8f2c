/**
 * The chats of Cursor's editor. Newer versions keep all of them in the database of all windows, older ones some in the database of the
 * workspace; a chat that is in both is the one of all windows.
 */
import { reason } from '../../util/errors.ts'
import type { JsonObject } from '../../util/jsonl.ts'
import type { System } from '../../util/system.ts'
import { child, fileState, isDirectory } from '../directory.ts'
import { repeats } from '../repeats.ts'
import { openSqliteLog, type RowDialect, readRows, type SqliteLog, withSqliteLog } from '../sqlite-log.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { bubbleRecords, isRunning } from './bubble.ts'
import { globalChats, isFresh, workspaceChats } from './chats.ts'
import { type Conversation, openConversation, parsedBubble, type StoredBubble } from './conversation.ts'
import { globalDatabase, hasTable, workspaces } from './editor-database.ts'
import { globalHeads, type Heads, workspaceHeads } from './heads.ts'
import { workspaceProject } from './workspace.ts'

/** `user` is the editor's `User` folder. */
export function cursorEditor(user: string, system: System): TranscriptSource {
  const all = globalDatabase(user)
  let heads: Heads | undefined

  function discover(report: Report): SessionRef[] {
    const known: Heads = new Map()
    const sessions = new Map<string, SessionRef>()
    for (const { folder, database } of workspaces(user, report)) {
      attempt(database, report, (log) => {
        if (!hasTable(log, 'ItemTable')) return
        for (const [id, head] of workspaceHeads(log, workspaceProject(folder))) known.set(id, head)
        for (const chat of workspaceChats(log, known)) {
          sessions.set(chat.id, { ...chat, path: database })
          const project = workspaceProject(folder)
          if (project !== undefined) known.set(chat.id, { project, modified: chat.modified, ...known.get(chat.id) })
        }
      })
    }
    if (fileState(all, report) !== undefined) {
      attempt(all, report, (log) => {
        for (const [id, head] of globalHeads(log)) known.set(id, { ...known.get(id), ...head })
        for (const chat of globalChats(log, known, system)) sessions.set(chat.id, { ...chat, path: all })
      })
    }
    heads = known
    return [...sessions.values()]
  }

  return {
    exists: () => fileState(all, () => {}) !== undefined || isDirectory(child(user, 'workspaceStorage')),
    discover,
    async read(session, since, emit, signal) {
      if (heads === undefined) discover(() => {}) // For the project, which an older chat does not name itself.
      const log = openSqliteLog(session.path)
      try {
        const id = session.id === session.owner ? session.id : session.id.slice(session.owner.length + 1)
        const conversation = log.snapshot(() => openConversation(log, id))
        const result = await readRows(log, chatDialect(conversation, session, system), { since, emit, signal })
        const { title, project } = heads?.get(id) ?? {}
        return { ...result, facts: { ...(title && { title }), ...(project && { project }), ...result.facts } }
      } finally {
        log.close()
      }
    },
  }
}

/** Each query is a moment of its own: over all of them the editor could not write for as long as thousands of chats take. */
function attempt(path: string, report: Report, use: (log: SqliteLog) => void): void {
  try {
    withSqliteLog(path, use)
  } catch (error) {
    report({ path, reason: reason(error) })
  }
}

interface State {
  repeats?: JsonObject
}

interface Bubble {
  readonly id: string
  readonly stored: StoredBubble | undefined
}

/** A bubble's place is its number in the chat. */
function chatDialect(conversation: Conversation, session: SessionRef, system: System): RowDialect<State, Bubble> {
  const { ids } = conversation
  const now = system.now().getTime()
  const isSubagent = session.id !== session.owner
  let seen = repeats(undefined)
  /** The answer under way is left for when it is whole: words are added to a bubble, and a result to a call. */
  const isAnswered = !isFresh(conversation.modified, now)
  const isWhole = (index: number, stored: StoredBubble | undefined): boolean =>
    isAnswered || (index < conversation.answering && !isAtWork(stored))
  return {
    restore(stored) {
      seen = repeats(stored?.repeats)
      return { ...stored }
    },
    *rows(_, after) {
      for (let index = typeof after === 'number' ? after + 1 : 0; index < ids.length; index++) {
        const stored = conversation.stored(index)
        if (!isWhole(index, stored)) return
        yield { place: index, row: { id: ids[index] ?? '', stored } }
      }
    },
    mark: (_, place) => (isIndex(place) && place < ids.length ? [conversation.mark(place + 1)] : undefined),
    classify: ({ id, stored }) => (stored === undefined ? [] : bubbleRecords(parsedBubble(stored), id, { isSubagent, seen, now })),
    facts(state) {
      state.repeats = seen.stored() // Asked for at the end of a read: then all of them are known.
      return conversation.facts
    },
  }
}

function isIndex(place: unknown): place is number {
  return Number.isSafeInteger(place) && (place as number) >= 0
}

function isAtWork(stored: StoredBubble | undefined): boolean {
  try {
    return stored !== undefined && isRunning(parsedBubble(stored))
  } catch {
    return false // Damaged: it counts as bad when it is read.
  }
}
