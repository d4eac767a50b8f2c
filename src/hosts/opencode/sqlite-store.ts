/** One session of opencode's database. */
import { asObject, asText } from '../fields.ts'
import { jsonOf, largeColumn, type SqliteLog } from '../sqlite-log.ts'
import type { Message, MessageStore } from './conversation.ts'
import { sessionFacts } from './facts.ts'

export function sqliteStore(log: SqliteLog, session: string): MessageStore {
  const columns = log.columns('session')
  const started = column(log, session, columns, 'cast(time_created as real)', 'time_created')
  let copies: boolean | undefined

  return {
    snapshot: log.snapshot,

    *messages([created, id]) {
      const sql = `
        select id, cast(time_created as real) as created, ${largeColumn('data')} from message
        where session_id = ? and (time_created, id) >= (?, ?) and typeof(id) = 'text' order by time_created, id`
      for (const row of log.each(sql, session, created, id)) {
        yield { id: String(row.id), created: Number(row.created), data: () => jsonOf(row.data, row.data_bytes) }
      }
    },

    *parts(message, after) {
      const sql = `select id, ${largeColumn('data')} from part where message_id = ? and id > ? and typeof(id) = 'text' order by id`
      // Asked for at once: a message has few parts, and one statement cannot be in two places.
      for (const row of log.all(sql, message, after)) yield { id: String(row.id), data: () => jsonOf(row.data, row.data_bytes) }
    },

    count([created, id]) {
      const there = log.first('select 1 from message where session_id = ? and id = ?', session, id)
      const sql = 'select count(*) as n from message where session_id = ? and (time_created, id) <= (?, ?)'
      return there && Number(log.first(sql, session, created, id)?.n)
    },

    takenBack() {
      const revert = column(log, session, columns, 'revert', 'revert')
      if (typeof revert !== 'string') return undefined
      try {
        return asText(asObject(JSON.parse(revert))?.messageID)
      } catch {
        return undefined // A damaged mark hides nothing.
      }
    },

    isCopy(message) {
      if (typeof started !== 'number' || message.created >= started) return false
      copies ??= isElsewhere(log, session, message)
      return copies
    },

    facts() {
      const row = log.first('select * from session where id = ?', session)
      return sessionFacts({ title: row?.title, directory: row?.directory })
    },
  }
}

/** A fork copies messages with their times, under ids of its own. Asked once for a session: the ones that are older go together. */
function isElsewhere(log: SqliteLog, session: string, { created }: Message): boolean {
  const sql = 'select 1 from message where time_created = ? and session_id <> ? limit 1'
  return log.first(sql, created, session) !== undefined
}

/** A value of the session's own row; undefined where the schema has no such column. */
function column(log: SqliteLog, session: string, columns: ReadonlySet<string>, sql: string, name: string): unknown {
  return columns.has(name) ? log.first(`select ${sql} as value from session where id = ?`, session)?.value : undefined
}
