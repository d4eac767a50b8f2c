/** Hermes' table of sessions: what they are to one another, and how much is in each. */
import type { Row, SqliteLog } from '../sqlite-log.ts'

export interface HermesSession {
  readonly id: string
  /** The session in whose service it runs; its own id, where a person talks in it. */
  readonly owner: string
  /** Changes with every row that is added, taken away, or taken back by the user. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly job?: string
}

/** How a parent ends that goes on in its child: what came before was summarised, copied or laid aside. */
const GOES_ON = new Set(['compression', 'branched', 'session_reset', 'new_session'])
/** Runs of a scheduled job are named after it. */
const CRON = /^cron_(.+)_\d{8}_\d{6}/
/** From this version of the schema on every subagent's session is marked. */
const MARKED = 16
/** Chains of sub-agents are short; a loop in damaged data ends here. */
const DEPTH = 32

/** One query over an index of the messages; no content is read. */
export function hermesSessions(log: SqliteLog): HermesSession[] {
  const columns = log.columns('sessions')
  const messages = log.columns('messages')
  if (!columns.has('id') || !messages.has('session_id')) return []
  const column = (name: string): string => (columns.has(name) ? `s.${name}` : 'null')
  const active = messages.has('active') ? 'coalesce(sum(active), 0)' : '0'
  const time = messages.has('timestamp') ? 'max(timestamp)' : 'null'
  const rows = log.all(`
    select s.id, ${column('parent_session_id')} as parent, ${markers(columns)},
      cast(${column('started_at')} as real) as started, cast(${column('ended_at')} as real) as ended, ${column('end_reason')} as reason,
      m.size, cast(m.latest as real) as latest
    from sessions s
    left join (select session_id, count(*) + ${active} as size, ${time} as latest from messages group by session_id) m on m.session_id = s.id`)
  const marked =
    log.columns('schema_version').has('version') && Number(log.first('select max(version) as n from schema_version')?.n) >= MARKED
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return rows
    .filter(({ size }) => size !== null)
    .map((row) => {
      const id = String(row.id)
      const job = CRON.exec(id)?.[1]
      const owner = ownerOf(row, byId, marked)
      return { id, owner, size: Number(row.size), modified: latest(row), ...(job === undefined ? {} : { job }) }
    })
}

/** The SQL of what Hermes notes in the settings of a session `s` about where it comes from. */
export function markers(columns: ReadonlySet<string>): string {
  const marker = (name: string): string => {
    const value = `json_extract(s.model_config, '$.${name}')`
    return columns.has('model_config') ? `case when json_valid(s.model_config) then ${value} end` : 'null'
  }
  return `${marker('_delegate_from')} as delegate, ${marker('_branched_from')} as branch, ${marker('_reset_from')} as reset`
}

function ownerOf(row: Row, byId: ReadonlyMap<string, Row>, marked: boolean): string {
  let current = row
  for (let depth = 0; depth < DEPTH; depth++) {
    const parent = current.parent === null ? undefined : byId.get(String(current.parent))
    if (!isSubagent(current, marked ? undefined : parent)) return String(current.id)
    // Where the one that spawned it is gone, its id still says that nobody talked in here.
    if (parent === undefined) return String(current.delegate)
    current = parent
  }
  return String(current.id)
}

/** Older versions left no mark: then a child is a subagent's that began while its parent was still at work. */
function isSubagent(row: Row, parent: Row | undefined): boolean {
  if (typeof row.delegate === 'string') return row.delegate !== row.id
  if (parent === undefined || row.branch !== null || row.reset !== null) return false
  if (typeof parent.reason === 'string' && GOES_ON.has(parent.reason)) return false
  return typeof parent.ended !== 'number' || Number(row.started) < parent.ended
}

/** Epoch seconds; a broken clock gives no more than the others. */
function latest({ latest, ended, started }: Row): number {
  const times = [latest, ended, started].map((time) => Math.round(Number(time) * 1000))
  return Math.max(0, ...times.filter((time) => time > 0 && time < 1e14))
}
