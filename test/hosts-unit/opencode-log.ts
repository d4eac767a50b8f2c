/** opencode's database, written through the port of logs. */
import { join } from 'node:path'
import { opencode } from '../../src/hosts/opencode/spec.ts'
import { type Database, type SqlValue, sqliteClass } from '../../src/util/sqlite.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'

/** The columns that are read, and the indexes. */
const SCHEMA = `
  create table session (
    id text primary key, parent_id text, directory text not null, title text not null, revert text, time_created integer not null,
    time_updated integer not null
  );
  create table message (
    id text primary key, session_id text not null, time_created integer not null, time_updated integer not null, data text not null
  );
  create table part (
    id text primary key, message_id text not null, session_id text not null, time_created integer not null, time_updated integer not null,
    data text not null
  );
  create index message_session_time_created_id_idx on message (session_id, time_created, id);
  create index part_message_id_id_idx on part (message_id, id);
  create index part_session_idx on part (session_id);
`

/** 2026-09-01T08:00:00Z, in milliseconds. */
export const START = Date.UTC(2026, 8, 1, 8)

export const sessionId = (number: number): string => `ses_${number.toString(16).padStart(12, '0')}ffeXy`
/** Ids sort by time; they are unique in the whole database. */
export const messageId = (session: string, number: number): string => `msg_${number.toString(16).padStart(12, '0')}${session.slice(4)}`

export interface OpencodeDatabase {
  readonly database: Database
  session(id: string, values?: Readonly<Record<string, SqlValue>>): void
  /** A message, and its parts in order. Said at `number` seconds after the start, where `data` gives no time. */
  message(session: string, number: number, data: object, parts?: readonly object[]): void
  /** Finishes what is written, so that the file holds all of it. */
  close(): void
}

export function opencodeDatabase(path: string): OpencodeDatabase {
  const database = new (sqliteClass())(path, { timeout: 5000 })
  database.exec(`pragma journal_mode = wal; ${SCHEMA}`)
  const addSession = database.prepare(
    'insert or ignore into session (id, parent_id, directory, title, revert, time_created, time_updated) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const addMessage = database.prepare('insert into message values (?, ?, ?, ?, ?)')
  const addPart = database.prepare('insert into part values (?, ?, ?, ?, ?, ?)')
  let open = true
  return {
    database,
    session(id, { parent_id = null, directory = '/home/u/shop', title = 'Tax', revert = null, time_created = START } = {}) {
      addSession.run(id, parent_id, directory, title, revert, time_created, START)
    },
    message(session, number, data, parts = []) {
      const at = START + number * 1000
      const id = messageId(session, number)
      addMessage.run(id, session, at, at, JSON.stringify({ time: { created: at, completed: at }, ...data }))
      parts.forEach((part, i) => {
        addPart.run(`prt_${id.slice(4)}_${String(i).padStart(3, '0')}`, id, session, at, at, JSON.stringify(part))
      })
    },
    close() {
      if (!open) return
      open = false
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}

export const opencodeLog: HostLogFixture = { spec: opencode, id: sessionId, open, databases: 'one', forks: 'and undoes' }

function open(root: string): HostLog {
  const path = join(root, 'opencode.db')
  const log = opencodeDatabase(path)
  const { database } = log
  const touch = database.prepare('update session set time_updated = ? where id = ?')
  const finishPart = database.prepare(
    `update part set data = json_set(data, '$.state.status', 'completed', '$.state.output', ?, '$.state.time.end', ?) where message_id = ?`,
  )
  const finishMessage = database.prepare(`update message set time_updated = ?, data = json_set(data, '$.time.completed', ?) where id = ?`)

  function write(session: string, { kind, number, text }: LogEvent): void {
    const at = START + number * 1000
    const id = messageId(session, number)
    if (kind === 'result') {
      finishPart.run(text, at, id)
      finishMessage.run(at, at, id)
    } else if (kind === 'call') {
      const state = { status: 'running', input: { command: text }, time: { start: at } }
      const part = { type: 'tool', tool: 'bash', callID: `call_${number}`, state }
      log.message(session, number, { role: 'assistant', time: { created: at } }, [part])
    } else {
      const part = { type: kind === 'noise' ? 'reasoning' : 'text', text }
      log.message(session, number, { role: kind === 'user' ? 'user' : 'assistant' }, [{ type: 'step-start' }, part])
    }
  }

  function append(session: string, events: readonly LogEvent[]): void {
    database.exec('begin immediate')
    log.session(session)
    for (const event of events) write(session, event)
    touch.run(START + (events.at(-1)?.number ?? 0) * 1000, session)
    database.exec('commit')
  }

  return {
    sessionDir: root,
    database: path,
    append,
    rewrite(session, events) {
      for (const table of ['message', 'part']) database.prepare(`delete from ${table} where session_id = ?`).run(session)
      append(session, events)
    },
    appendBroken(session) {
      const last = database.prepare('select max(time_created) as at from message where session_id = ?').get(session) as { at: number }
      database
        .prepare('insert into message values (?, ?, ?, ?, ?)')
        .run(`msg_broken${last.at}`, session, last.at + 1, last.at + 1, '{"role":')
    },
    // Copies have ids of their own, and the times of what they were copied from.
    fork(from, to, number) {
      log.session(to, { time_created: START + number * 1000 })
      const ids = [from.slice(4), to.slice(4)]
      database
        .prepare('insert into message select replace(id, ?, ?), ?, time_created, time_updated, data from message where session_id = ?')
        .run(...ids, to, from)
      database
        .prepare(
          `insert into part select replace(id, ?, ?), replace(message_id, ?, ?), ?, time_created, time_updated, data from part
          where session_id = ?`,
        )
        .run(...ids, ...ids, to, from)
    },
    takeBack(session, first) {
      const revert = JSON.stringify({ messageID: messageId(session, first) })
      database.prepare('update session set revert = ? where id = ?').run(revert, session)
    },
    remove(session) {
      for (const table of ['message', 'part']) database.prepare(`delete from ${table} where session_id = ?`).run(session)
      database.prepare('delete from session where id = ?').run(session)
    },
    close: log.close,
  }
}
