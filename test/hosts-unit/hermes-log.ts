/** Hermes' database, written through the port of logs. */
import { join } from 'node:path'
import { hermes } from '../../src/hosts/hermes/spec.ts'
import { type Database, type SqlValue, sqliteClass } from '../../src/util/sqlite.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'

/** The columns that are read, of the versions that have them all. */
export const SCHEMA = `
  create table schema_version (version integer not null);
  create table sessions (
    id text primary key, source text not null, parent_session_id text, model_config text, started_at real not null, ended_at real,
    end_reason text, message_count integer default 0, cwd text, git_branch text, title text, archived integer not null default 0,
    hidden integer not null default 0
  );
  create table messages (
    id integer primary key autoincrement, session_id text not null, role text not null, content text,
    tool_call_id text, tool_calls text, tool_name text, timestamp real not null, observed integer default 0,
    _compressed_summary integer default 0, active integer not null default 1, compacted integer not null default 0, display_kind text
  );
  create index idx_messages_session on messages (session_id, timestamp);
  create index idx_messages_session_active on messages (session_id, active, timestamp);
`

/** 2026-09-01T08:00:00Z, in seconds. */
export const START = Date.UTC(2026, 8, 1, 8) / 1000

export type Values = Readonly<Record<string, SqlValue>>

export interface HermesDatabase {
  readonly database: Database
  session(id: string, values?: Values): void
  message(session: string, values: Values): void
  /** Finishes what is written, so that the file holds all of it. */
  close(): void
}

export function hermesDatabase(path: string, schema = SCHEMA): HermesDatabase {
  const database = new (sqliteClass())(path, { timeout: 5000 })
  database.exec(`pragma journal_mode = wal; ${schema}`)
  let open = true
  return {
    database,
    session: (id, values = {}) => insert(database, 'sessions', { id, source: 'cli', started_at: START, ...values }),
    message: (session, values) => insert(database, 'messages', { session_id: session, timestamp: START, ...values }),
    close() {
      if (!open) return
      open = false
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}

/** A text with a NUL is bound as bytes: the API would end it there. */
function insert(database: Database, table: string, values: Values): void {
  const bound = Object.values(values).map((value) => (typeof value === 'string' && value.includes('\0') ? Buffer.from(value) : value))
  const places = bound.map((value) => (value instanceof Uint8Array ? 'cast(? as text)' : '?'))
  database.prepare(`insert into ${table} (${Object.keys(values).join(', ')}) values (${places.join(', ')})`).run(...bound)
}

/** The columns of an event. */
export function columnsOf({ kind, number, text }: LogEvent): Values {
  const timestamp = START + number
  switch (kind) {
    case 'noise':
      return { role: 'session_meta', content: text, timestamp }
    case 'call':
      return { role: 'assistant', content: null, tool_calls: toolCalls(number, text), timestamp }
    case 'result':
      return { role: 'tool', content: text, tool_call_id: `call_${number}`, tool_name: 'terminal', timestamp }
    default:
      return { role: kind, content: text, timestamp }
  }
}

function toolCalls(number: number, command: string): string {
  const called = { name: 'terminal', arguments: JSON.stringify({ command }) }
  return JSON.stringify([{ id: `call_${number}`, type: 'function', function: called }])
}

const COLUMNS = ['role', 'content', 'tool_calls', 'tool_call_id', 'tool_name', 'timestamp'] as const

export const hermesLog: HostLogFixture = {
  spec: hermes,
  id: (number) => `20260901_080000_${number.toString(16).padStart(6, '0')}`,
  open,
  databases: 'one',
  forks: 'and undoes',
}

function open(root: string): HostLog {
  const path = join(root, 'state.db')
  const log = hermesDatabase(path)
  const { database } = log
  const addSession = database.prepare(`insert or ignore into sessions (id, source, started_at, cwd) values (?, 'cli', ?, '/home/u/shop')`)
  const addMessage = database.prepare(
    `insert into messages (session_id, ${COLUMNS.join(', ')}) values (?, ${COLUMNS.map(() => '?').join(', ')})`,
  )

  function append(session: string, events: readonly LogEvent[]): void {
    database.exec('begin immediate')
    addSession.run(session, START)
    for (const event of events) {
      const columns = columnsOf(event)
      addMessage.run(session, ...COLUMNS.map((name) => columns[name] ?? null))
    }
    database.exec('commit')
  }

  return {
    sessionDir: root,
    database: path,
    append,
    // As /undo and /retry do it: all rows are deleted and those that stay are written again, with new numbers.
    rewrite(session, events) {
      database.prepare('delete from messages where session_id = ?').run(session)
      append(session, events)
    },
    appendBroken(session) {
      log.message(session, { role: 'assistant', content: 'text', tool_calls: '[{"id":' })
    },
    // As /branch does it: what is copied is stamped anew.
    fork(from, to, number) {
      database.prepare("update sessions set end_reason = 'branched', ended_at = ? where id = ?").run(START + number, from)
      log.session(to, { parent_session_id: from, started_at: START + number, model_config: JSON.stringify({ _branched_from: from }) })
      const columns = ['role', 'content', 'tool_calls', 'tool_call_id', 'tool_name'].join(', ')
      database
        .prepare(
          `insert into messages (session_id, timestamp, ${columns}) select ?, ?, ${columns} from messages
          where session_id = ? and active = 1 order by id`,
        )
        .run(to, START + number + 0.02, from)
    },
    takeBack(session, first) {
      database.prepare('update messages set active = 0 where session_id = ? and timestamp >= ?').run(session, START + first)
    },
    remove(session) {
      database.prepare('delete from messages where session_id = ?').run(session)
      database.prepare('delete from sessions where id = ?').run(session)
    },
    close: log.close,
  }
}
