/** Hermes' sessions: rows of the databases of its profiles. */
import { reason } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import { keepBetter } from '../directory.ts'
import { openSqliteLog, readRows, withSqliteLog } from '../sqlite-log.ts'
import { isSubagent, ownId, refId } from '../subagent.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { databases, postgresConfig } from './databases.ts'
import { hermesDialect } from './rows.ts'
import { type HermesSession, hermesSessions } from './sessions.ts'

export function hermesSource(sessionDir: string, system: System): TranscriptSource {
  function discover(report: Report): SessionRef[] {
    const sessions = new Map<string, SessionRef>()
    for (const path of databases(sessionDir, report)) {
      for (const found of sessionsOf(path, report)) {
        const ref = reference(found, path)
        keepBetter(sessions, ref.id, ref)
      }
    }
    const config = postgresConfig(sessionDir, system)
    if (config !== undefined) report({ path: config, reason: 'sessions are kept in PostgreSQL, which memU does not read' })
    return [...sessions.values()]
  }

  return {
    exists() {
      let isClosed = false // Then `discover` says what cannot be looked at.
      const found = databases(sessionDir, () => {
        isClosed = true
      })
      return found.length > 0 || isClosed || postgresConfig(sessionDir, system) !== undefined
    },
    discover,

    async read(session, since, emit, signal) {
      const log = openSqliteLog(session.path)
      try {
        const conversation = { isSubagent: isSubagent(session), now: system.now().getTime() }
        return await readRows(log, hermesDialect(log, ownId(session), conversation), { since, emit, signal })
      } finally {
        log.close()
      }
    },
  }
}

function sessionsOf(path: string, report: Report): HermesSession[] {
  try {
    return withSqliteLog(path, hermesSessions)
  } catch (error) {
    report({ path, reason: reason(error) })
    return []
  }
}

function reference({ id, owner, ...rest }: HermesSession, path: string): SessionRef {
  return { id: refId(id, owner), owner, path, ...rest }
}
