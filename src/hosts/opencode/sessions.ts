/** opencode's table of sessions: whose they are, and how much is in each. */
import { asText } from '../fields.ts'
import type { Row, SqliteLog } from '../sqlite-log.ts'
import { refId } from '../subagent.ts'
import type { SessionRef } from '../transcript-source.ts'

/** Subagents of subagents; a loop in damaged data ends here. */
const DEPTH = 32

/**
 * One query over the sessions and the index of the messages. A session's own time is not enough: the last answer is finished after it. Of
 * the messages only the last one of each session is looked at, and no part.
 */
export function opencodeSessions(log: SqliteLog): SessionRef[] {
  const columns = log.columns('session')
  if (!columns.has('id') || !log.columns('message').has('session_id')) return []
  const column = (name: string): string => (columns.has(name) ? `s.${name}` : 'null')
  const rows = log.all(`
    select s.id, ${column('parent_id')} as parent, cast(${column('time_updated')} as real) as updated, m.count, cast((
      select ${latest(log)} from message where session_id = s.id order by ${order(log)} limit 1
    ) as real) as latest
    from session s left join (select session_id, count(*) as count from message group by session_id) m on m.session_id = s.id`)
  const parents = new Map(rows.map(({ id, parent }) => [String(id), asText(parent)]))
  return rows.flatMap((row) => (Number(row.count ?? 0) === 0 ? [] : [reference(row, log.path, parents)]))
}

/** How many sessions only the tables have that newer versions prepare to move to, and that are not read yet. */
export function movedSessions(log: SqliteLog): number {
  if (!log.columns('session_message').has('session_id') || !log.columns('message').has('session_id')) return 0
  const sql = 'select count(distinct session_id) as n from session_message where session_id not in (select session_id from message)'
  return Number(log.first(sql)?.n ?? 0)
}

function latest(log: SqliteLog): string {
  return log.columns('message').has('time_updated') ? 'time_updated' : '0'
}

function order(log: SqliteLog): string {
  return log.columns('message').has('time_created') ? 'time_created desc, id desc' : 'id desc'
}

function reference({ id, updated, latest, count }: Row, path: string, parents: ReadonlyMap<string, string | undefined>): SessionRef {
  const own = String(id)
  const owner = ownerOf(own, parents)
  const modified = Math.max(0, ...[updated, latest].map(Number).filter((time) => time < 1e14))
  return { id: refId(own, owner), owner, path, size: Number(count), modified }
}

function ownerOf(session: string, parents: ReadonlyMap<string, string | undefined>): string {
  let owner = session
  for (let depth = 0; depth < DEPTH; depth++) {
    const parent = parents.get(owner)
    if (parent === undefined) break
    owner = parent
  }
  return owner
}
