/** The sessions in an agent's database, by one cheap query that no transcript takes part in. */
import type { SqlValue } from '../../util/sqlite.ts'
import { asText } from '../fields.ts'
import type { Row, SqliteLog } from '../sqlite-log.ts'

/** What the database says of a session beside its transcript. */
export interface SessionWindow {
  readonly session: string
  /** `agent:<agent>:<where it is held>`; sessions that follow each other there share it. */
  readonly key: string
  readonly events: number
  /** Milliseconds since 1970. */
  readonly created: number
  readonly modified: number
  /** The key of the session that spawned this one. */
  readonly spawnedBy?: string
  /** Sessions whose first events this one may have taken over. */
  readonly origins: readonly string[]
  /** Begun by a mail or a web hook: what "the user" says in it, an outsider wrote. */
  readonly isExternal: boolean
  readonly title?: string
}

/** Its names by age: the newest schema first. */
const WINDOWS = ['session_windows', 'sessions']
const WATERMARKS = ['transcript_rewrite_watermarks', 'session_transcript_generations']

/** None in a database that holds other things. Errors: as SQLite's, where a table lacks what every version has. */
export function readWindows(log: SqliteLog): SessionWindow[] {
  const table = WINDOWS.find((name) => log.columns(name).has('session_id'))
  if (table === undefined || !log.columns('transcript_events').has('seq')) return []
  const own = columnsOf(log, table, 'w')
  const nodes = own.has('session_key') ? columnsOf(log, 'session_nodes', 'n') : columnsOf(log, '', 'n')
  const cold = columnsOf(log, 'session_transcript_cold_archives', 'c')
  const marks = watermarkTable(log)
  const sql = `select w.session_id as session, ${own.or('session_key')} as key,
      coalesce((select max(seq) from transcript_events where session_id = w.session_id), ${cold.or('last_seq')}, -1) + 1 as events,
      ${own.or('created_at')} as created, ${own.or('updated_at')} as updated, ${own.or('transcript_updated_at')} as written,
      ${marks ? 'm.updated_at' : 'null'} as rewritten,
      ${own.or('spawned_by')} as spawned_by, ${nodes.or('spawned_by')} as node_spawned_by,
      ${own.or('parent_session_key')} as parent_key, ${own.or('previous_session_id')} as previous,
      ${nodes.or('fork_source_session_id')} as fork_source, ${own.or('hook_external_content_source')} as hook,
      ${nodes.or('label')} as label
    from "${table}" w
    ${nodes.has('session_key') ? 'left join session_nodes n on n.session_key = w.session_key' : ''}
    ${cold.has('session_id') ? 'left join session_transcript_cold_archives c on c.session_id = w.session_id' : ''}
    ${marks ? `left join "${marks}" m on m.session_id = w.session_id` : ''}`
  return log.all(sql).flatMap(windowOf)
}

/** The name of the table that counts rewrites; undefined where none are counted. */
export function watermarkTable(log: SqliteLog): string | undefined {
  return WATERMARKS.find((name) => ['generation', 'updated_at'].every((column) => log.columns(name).has(column)))
}

interface Columns {
  has(column: string): boolean
  /** The column, or null where this version has none. */
  or(column: string): string
}

function columnsOf(log: SqliteLog, table: string, alias: string): Columns {
  const there = log.columns(table)
  return { has: (column) => there.has(column), or: (column) => (there.has(column) ? `${alias}."${column}"` : 'null') }
}

function windowOf(row: Row): SessionWindow[] {
  const session = asText(row.session)
  const events = number(row.events)
  if (session === undefined || events <= 0) return []
  const key = asText(row.key) ?? ''
  const spawnedBy = asText(row.spawned_by) ?? asText(row.node_spawned_by) ?? (isSubagentKey(key) ? asText(row.parent_key) : undefined)
  const title = asText(row.label)
  return [
    {
      session,
      key,
      events,
      created: number(row.created),
      modified: Math.max(number(row.written) || number(row.updated) || number(row.created), number(row.rewritten)),
      origins: [row.previous, row.fork_source].flatMap((id) => asText(id) ?? []),
      isExternal: row.hook !== null || isHookKey(key),
      ...(spawnedBy && { spawnedBy }),
      ...(title && { title }),
    },
  ]
}

export function isSubagentKey(key: string): boolean {
  return key.includes(':subagent:')
}

export function isHookKey(key: string): boolean {
  return /^(?:agent:[^:]+:)?hook:/.test(key)
}

function number(value: SqlValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
