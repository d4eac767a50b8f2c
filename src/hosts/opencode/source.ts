/** opencode's sessions: rows of its databases (each development channel has one of its own), and the files of older versions. */
import { join } from 'node:path'
import { reason } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, isDirectory, keepBetter } from '../directory.ts'
import { openSqliteLog, readRows, withSqliteLog } from '../sqlite-log.ts'
import { isSubagent, ownId } from '../subagent.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { conversationDialect } from './conversation.ts'
import { fileStore, storedSessions } from './file-store.ts'
import { movedSessions, opencodeSessions } from './sessions.ts'
import { sqliteStore } from './sqlite-store.ts'

const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/

export function opencodeSource(sessionDir: string, system: System): TranscriptSource {
  const storage = join(sessionDir, 'storage')
  return {
    exists: () => databases(sessionDir, () => {}).length > 0 || isDirectory(join(storage, 'message')),

    discover(report) {
      const sessions = new Map<string, SessionRef>()
      const inDatabases = databases(sessionDir, report).flatMap((path) => sessionsOf(path, report))
      for (const found of inDatabases) keepBetter(sessions, found.id, found)
      const taken = new Set(inDatabases.map(ownId))
      for (const found of storedSessions(storage, report)) if (!taken.has(found.id)) sessions.set(found.id, found)
      return [...sessions.values()]
    },

    async read(session, since, emit, signal) {
      const conversation = { isSubagent: isSubagent(session), now: system.now().getTime() }
      const dialect = conversationDialect(conversation)
      if (session.path.endsWith('.json')) return await readRows(fileStore(storage, session), dialect, { since, emit, signal })
      const log = openSqliteLog(session.path)
      try {
        const store = log.snapshot(() => sqliteStore(log, ownId(session)))
        return await readRows(store, dialect, { since, emit, signal })
      } finally {
        log.close()
      }
    },
  }
}

/** The databases in opencode's folder, or the one that was named itself. */
function databases(sessionDir: string, report: Report): string[] {
  if (fileState(sessionDir, () => {}) !== undefined) return [sessionDir]
  return entries(sessionDir, report)
    .filter(({ name }) => DATABASE.test(name))
    .map(({ name }) => child(sessionDir, name))
    .filter((path) => fileState(path, report) !== undefined)
}

function sessionsOf(path: string, report: Report): SessionRef[] {
  try {
    return withSqliteLog(path, (log) => {
      const moved = movedSessions(log)
      if (moved > 0) report({ path, reason: `sessions in the tables of a newer version of opencode are not read yet: ${moved}` })
      return opencodeSessions(log)
    })
  } catch (error) {
    report({ path, reason: reason(error) })
    return []
  }
}
