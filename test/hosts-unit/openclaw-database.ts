/** An agent's database as OpenClaw makes it: the tables that a reader looks at, in the schemas that were seen, with values of ours. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, sqliteClass } from '../../src/util/sqlite.ts'
import { storedFrame } from '../helpers/zstd-frame.ts'

/** 13: other names, and no count of rewrites. 14: the first with today's names. 23: packed events and archives. */
export type Schema = 13 | 14 | 23

/** From this length on schema 23 packs an event. */
const PACKED_FROM = 1024

const WINDOWS = `session_id text not null primary key, session_key text not null, previous_session_id text, reason text,
  created_at integer not null, updated_at integer not null, transcript_updated_at integer, status text, chat_type text, channel text,
  hook_external_content_source text, parent_session_key text, spawned_by text, display_name text`
const WATERMARKS = 'session_id text not null primary key, generation text not null, updated_at integer not null'

const TABLES: Record<Schema, string> = {
  13: `create table sessions (${WINDOWS.replace('hook_external_content_source text, ', '').replace('transcript_updated_at integer, ', '')}) strict;
    create table transcript_events (session_id text not null, seq integer not null, event_json text not null, created_at integer not null,
      primary key (session_id, seq)) strict`,
  14: `create table session_windows (${WINDOWS}) strict;
    create table session_nodes (session_key text not null primary key, current_session_id text not null, fork_source_session_id text, label text) strict;
    create table transcript_events (session_id text not null, seq integer not null, event_json text not null, created_at integer not null,
      primary key (session_id, seq)) strict;
    create table transcript_rewrite_watermarks (${WATERMARKS}) strict`,
  23: `create table session_windows (${WINDOWS}) strict;
    create table session_nodes (session_key text not null primary key, current_session_id text not null, created_via text,
      spawned_by text, fork_source_session_id text, label text) strict;
    create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null,
      event_zstd blob, event_utf8_bytes integer, navigation_json text, primary key (session_id, seq)) strict;
    create table transcript_rewrite_watermarks (${WATERMARKS}) strict;
    create table session_transcript_cold_archives (session_id text not null primary key, generation text not null,
      archive_name text not null unique, archive_sha256 text not null, event_count integer not null, last_seq integer not null,
      storage text not null, archive_blob blob) strict`,
}

export interface SessionRow {
  readonly key?: string
  readonly previous?: string
  readonly spawnedBy?: string
  readonly hook?: string
  readonly created?: number
}

export interface AgentDatabase {
  readonly path: string
  readonly db: Database
  /** Makes the session's row; what is not given is as for a person's chat. */
  session(id: string, row?: SessionRow): void
  append(id: string, events: Iterable<string>): void
  /** The events are numbered anew, in a new generation. */
  rewrite(id: string, events: Iterable<string>): void
  /** Moves the events into an archive. */
  archive(id: string, storage: 'file' | 'sqlite'): string
  close(): void
}

/** `agents/<agent>/agent/openclaw-agent.sqlite` below `agentsDir`. */
export function agentDatabase(agentsDir: string, schema: Schema = 23, agent = 'main'): AgentDatabase {
  const path = join(agentsDir, agent, 'agent', 'openclaw-agent.sqlite')
  fs.mkdirSync(dirname(path), { recursive: true })
  const DatabaseSync = sqliteClass()
  const db = new DatabaseSync(path, {})
  db.exec(`pragma journal_mode = wal; ${TABLES[schema]}; pragma user_version = ${schema}`)
  const windows = schema === 13 ? 'sessions' : 'session_windows'
  const written = schema === 13 ? 'updated_at' : 'transcript_updated_at'
  let now = Date.UTC(2026, 8, 1, 9)
  let open = true
  const at = (): number => now++

  function session(id: string, { key, previous, spawnedBy, hook, created }: SessionRow = {}): void {
    const began = created ?? at()
    const values = { session_id: id, session_key: key ?? `agent:${agent}:${id}`, created_at: began, updated_at: began }
    const more = { ...(previous && { previous_session_id: previous }), ...(spawnedBy && { spawned_by: spawnedBy }) }
    const all = { ...values, ...more, ...(hook && { hook_external_content_source: hook }) }
    const names = Object.keys(all)
    db.prepare(`insert into ${windows} (${names}) values (${names.map(() => '?')})`).run(...Object.values(all))
  }

  function append(id: string, events: Iterable<string>): void {
    const exists = db.prepare(`select 1 from ${windows} where session_id = ?`).get(id) !== undefined
    if (!exists) session(id)
    const last = db.prepare('select coalesce(max(seq), -1) as seq from transcript_events where session_id = ?').get(id) as { seq: number }
    let seq = last.seq
    const plain = db.prepare('insert into transcript_events (session_id, seq, event_json, created_at) values (?, ?, ?, ?)')
    const packed =
      schema === 23
        ? db.prepare('insert into transcript_events (session_id, seq, event_zstd, event_utf8_bytes, created_at) values (?, ?, ?, ?, ?)')
        : undefined
    db.exec('begin immediate')
    for (const event of events) {
      const bytes = packed && event.length >= PACKED_FROM ? Buffer.from(event) : undefined
      if (bytes === undefined) plain.run(id, ++seq, event, now)
      else packed?.run(id, ++seq, storedFrame(bytes), bytes.length, now)
    }
    db.prepare(`update ${windows} set ${written} = ? where session_id = ?`).run(at(), id)
    db.exec('commit')
  }

  function rotate(id: string): void {
    if (schema === 13) return
    const sql = `insert into transcript_rewrite_watermarks values (?, ?, ?)
      on conflict (session_id) do update set generation = excluded.generation, updated_at = excluded.updated_at`
    db.prepare(sql).run(id, `g${now}`, at())
  }

  function archive(id: string, storage: 'file' | 'sqlite'): string {
    const rows = db
      .prepare('select seq, event_json, event_zstd, created_at from transcript_events where session_id = ? order by seq')
      .all(id)
    const lines = (rows as { seq: number; event_json: string | null; event_zstd: Uint8Array | null; created_at: number }[]).map((row) => {
      const json = row.event_json ?? Buffer.from(row.event_zstd!).subarray(12, -4).toString('utf8')
      return { kind: 'event', row: { seq: row.seq, event_json: json, created_at: row.created_at } }
    })
    const all = [{ kind: 'header', version: 1, sessionId: id, generation: 'g' }, ...lines, { kind: 'fts', row: { text: '"kind":"event"' } }]
    const bytes = storedFrame(Buffer.from(all.map((line) => `${JSON.stringify(line)}\n`).join('')))
    const hash = createHash('sha256').update(bytes).digest('hex')
    const path = join(agentsDir, agent, 'sessions', 'cold', `${hash}.jsonl.zst`)
    if (storage === 'file') {
      fs.mkdirSync(dirname(path), { recursive: true })
      fs.writeFileSync(path, bytes)
    }
    const values = [id, 'g', `${hash}.jsonl.zst`, hash, lines.length, lines.at(-1)!.row.seq, storage, storage === 'file' ? null : bytes]
    db.prepare('insert into session_transcript_cold_archives values (?, ?, ?, ?, ?, ?, ?, ?)').run(...values)
    db.prepare('delete from transcript_events where session_id = ?').run(id)
    return path
  }

  return {
    path,
    db,
    session,
    append,
    archive,
    rewrite(id, events) {
      db.prepare('delete from transcript_events where session_id = ?').run(id)
      rotate(id)
      append(id, events)
    },
    close() {
      if (open) db.close()
      open = false
    },
  }
}
