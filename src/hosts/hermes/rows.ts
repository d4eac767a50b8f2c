/** The rows of one of Hermes' sessions, in the order in which they were written. */
import { asText, sessionFacts } from '../fields.ts'
import { largeValue, type Row, type RowDialect, requireColumns, rowsByKey, type SqliteLog } from '../sqlite-log.ts'
import type { SessionFacts, SessionRecord } from '../transcript-source.ts'
import { type Conversation, classify, type State } from './classify.ts'
import { copyTest } from './copies.ts'

/** So many numbers of rows are looked up together. */
const AT_ONCE = 500
/** A conversation that was compacted more often than that has forgotten where it began. */
const ANCESTORS = 16

/** Errors: `session_unreadable` where a column is missing without which nothing can be understood. */
export function hermesDialect(log: SqliteLog, session: string, conversation: Conversation): RowDialect<State, Row> {
  const columns = requireColumns(log, 'messages', ['id', 'session_id', 'role', 'content'])
  const selected = selection(columns)
  const active = columns.has('active') ? 'coalesce(sum(active), 0)' : '0'
  let goesOn = false
  let copies: ((record: SessionRecord) => boolean) | undefined

  function isCopy(record: SessionRecord): boolean {
    copies ??= log.snapshot(() => copyTest(log, session, selected, conversation))
    return copies(record)
  }

  return {
    restore(stored) {
      goesOn = stored !== undefined
      return { ...stored }
    },
    *rows(_, after) {
      const next = `select id from messages where session_id = ? and id > ? and id <= ${Number.MAX_SAFE_INTEGER} order by id limit ${AT_ONCE}`
      const content = rowsByKey(selected, 'messages', 'id')
      for (let ids = log.all(next, session, Number(after ?? -1)); ids.length > 0; ids = log.all(next, session, ids.at(-1)?.id ?? null)) {
        for (const row of log.each(content, JSON.stringify(ids.map(({ id }) => id)))) yield { place: Number(row.id), row }
      }
    },
    mark(_, place) {
      const id = Number(place)
      const last = log.first('select role, cast(timestamp as real) as timestamp from messages where id = ? and session_id = ?', id, session)
      // Where the user takes rows back or gives them again, or a compaction lays them aside, they are other rows now.
      const before = log.first(`select count(*) as n, ${active} as active from messages where session_id = ? and id <= ?`, session, id)
      return last && [last.role ?? null, last.timestamp ?? null, before?.n ?? null, before?.active ?? null]
    },
    classify(row, state) {
      const records = classify(row, state, conversation)
      return goesOn || conversation.isSubagent ? records : records.filter((record) => !isCopy(record))
    },
    facts: () => factsOf(log, session),
  }
}

/** Every column that is read, null where the schema is too old for it. Few: each costs as much as many bytes of text. */
function selection(columns: ReadonlySet<string>): string {
  const column = (name: string): string => (columns.has(name) ? name : `null as ${name}`)
  const large = (name: string): string => (columns.has(name) ? largeValue(name) : `null as ${name}`)
  const time = columns.has('timestamp') ? 'cast(timestamp as real) as timestamp' : 'null as timestamp'
  const plain = ['id', 'role', ...['tool_call_id', 'tool_name'].map(column)]
  return [...plain, time, `${unsaid(columns)} as unsaid`, largeValue('content'), large('tool_calls')].join(', ')
}

/** Rows that the user took back, that Hermes hides or made itself, and what others said in a group without asking the agent. */
function unsaid(columns: ReadonlySet<string>): string {
  const conditions = [
    [['active', 'compacted'], 'active = 0 and compacted is not 1'],
    [['display_kind'], "display_kind = 'hidden'"],
    [['_compressed_summary'], '_compressed_summary = 1'],
    [['observed'], 'observed = 1'],
  ] as const
  const possible = conditions.filter(([names]) => names.every((name) => columns.has(name)))
  return `coalesce(${[...possible.map(([, sql]) => `case when ${sql} then 1 end`), '0', '0'].join(', ')})`
}

/** A session that goes on from another one works where that one did, and often does not say so itself. */
function factsOf(log: SqliteLog, session: string): SessionFacts {
  const columns = log.columns('sessions')
  const column = (name: string): string => `${columns.has(name) ? `s.${name}` : 'null'} as ${name}`
  const names = ['title', 'cwd', 'git_branch', 'hidden', 'parent_session_id'].map(column).join(', ')
  const select = (id: string) => log.first(`select ${names} from sessions s where s.id = ?`, id)
  const row = select(session)
  let at = row
  for (let left = ANCESTORS; left > 0 && at !== undefined && !asText(at.cwd); left--) at = select(asText(at.parent_session_id) ?? '')
  const [title, project, branch] = [asText(row?.title)?.trim(), asText(at?.cwd), asText(at?.git_branch)]
  return sessionFacts({ title, project, branch, internal: row?.hidden === 1 })
}
