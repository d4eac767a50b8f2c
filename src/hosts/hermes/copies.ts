/** What compaction and branching copied from the session before this one, at its start: it is mined there, as far as it is handed out there. */
import { asText, asTime, contentKey } from '../fields.ts'
import { rowsByKey, type SqliteLog } from '../sqlite-log.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { type Conversation, classify, type State } from './classify.ts'
import { markers } from './sessions.ts'

/** Of a parent so many of the last rows are looked at: more are never taken over into the session that goes on. */
const TAKEN_OVER = 20_000
/** A branch is stamped anew while it is copied, in one go. Seconds. */
const COPYING_TAKES = 5

/** Tells the records of a session that are copies of what its parent hands out. `selected` are the columns to classify a row by. */
export function copyTest(
  log: SqliteLog,
  session: string,
  selected: string,
  conversation: Conversation,
): (record: SessionRecord) => boolean {
  const origin = copiedFrom(log, session)
  if (origin === undefined) return () => false
  const [keys, words] = [new Set<string>(), new Set<string>()]
  for (const record of recordsOf(log, origin.id, selected, conversation)) {
    keys.add(record.key)
    words.add(wordsOf(record))
  }
  const stampedUntil = origin.branched === undefined ? undefined : asTime(origin.branched + COPYING_TAKES, conversation.now)
  const isStampedAnew = ({ at }: SessionRecord): boolean => at !== undefined && stampedUntil !== undefined && at <= stampedUntil
  return (record) => keys.has(record.key) || (isStampedAnew(record) && words.has(wordsOf(record)))
}

/**
 * The session of which this one holds copies, and when it branched off, in seconds. Only compaction and branching copy: after `/new`, a
 * reset or a delegation the parent is another conversation, in which the same words may have been said before.
 */
function copiedFrom(log: SqliteLog, session: string): { readonly id: string; readonly branched?: number } | undefined {
  const columns = log.columns('sessions')
  if (!columns.has('parent_session_id')) return undefined
  const reason = columns.has('end_reason') ? 'p.end_reason' : 'null'
  const started = columns.has('started_at') ? 'cast(s.started_at as real)' : 'null'
  const row = log.first(
    `select s.parent_session_id as parent, ${started} as started, ${reason} as reason, ${markers(columns)}
    from sessions s left join sessions p on p.id = s.parent_session_id where s.id = ?`,
    session,
  )
  const id = asText(row?.parent)
  if (row === undefined || id === undefined || row.reset != null || row.delegate != null) return undefined
  // A later end of the parent may overwrite its reason; the mark of a branch stays.
  const isBranch = row.branch != null || row.reason === 'branched'
  if (!isBranch && row.reason !== 'compression') return undefined
  return { id, ...(isBranch && typeof row.started === 'number' && { branched: row.started }) }
}

function* recordsOf(log: SqliteLog, session: string, selected: string, conversation: Conversation): Iterable<SessionRecord> {
  const state: State = {}
  const ids = log.all(`select id from messages where session_id = ? order by id desc limit ${TAKEN_OVER}`, session).reverse()
  for (const row of log.each(rowsByKey(selected, 'messages', 'id'), JSON.stringify(ids.map(({ id }) => id)))) {
    try {
      yield* classify(row, state, conversation)
    } catch {
      // It is counted as bad where its own session is read.
    }
  }
}

function wordsOf({ role, text, tool }: SessionRecord): string {
  return contentKey(role, tool?.part, text)
}
