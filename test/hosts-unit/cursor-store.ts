/**
 * The stores of Cursor’s agent, written through the port of logs. There is a database for each session, in which a message stands under
 * the hash of its content: what damages rows of one database in place does not fit, so that the test of stores has its own.
 */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { cursorAgentStores } from '../../src/hosts/cursor/agent-store.ts'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import { sqliteClass } from '../../src/util/sqlite.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { conversationId } from './cursor-lines.ts'

export const CHAT_FOLDER = '0123456789abcdef0123456789abcdef'

/** A field that holds bytes, as Protocol Buffers write it. */
export function bytesField(field: number, bytes: Uint8Array): Buffer {
  const length: number[] = []
  for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0))
    if (rest < 128) break
  }
  return Buffer.concat([Buffer.from([field * 8 + 2, ...length]), bytes])
}

export interface StoreContent {
  /** In order; text and bytes are stored as they are. */
  readonly messages: readonly (object | string | Uint8Array)[]
  readonly about?: object
  /** Of the root, besides its messages. */
  readonly more?: Uint8Array
  /** How SQLite writes it; `wal`, as the agent has it. */
  readonly journal?: 'wal' | 'delete'
}

/** Makes the store hold exactly this, as the agent does: what is there under its hash stays. */
export function writeStore(path: string, { messages, about = {}, more = Buffer.alloc(0), journal = 'wal' }: StoreContent): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(path, {})
  database.exec(`pragma journal_mode = ${journal}`)
  database.exec(
    'create table if not exists blobs (id text primary key, data blob); create table if not exists meta (key text primary key, value text)',
  )
  database.exec('begin immediate')
  const insert = database.prepare('insert or ignore into blobs values (?, ?)')
  const blob = (data: Buffer): Buffer => {
    const hash = createHash('sha256').update(data).digest()
    insert.run(hash.toString('hex'), data)
    return hash
  }
  const ids = messages.map((message) =>
    blob(
      message instanceof Uint8Array ? Buffer.from(message) : Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    ),
  )
  const root = blob(Buffer.concat([...ids.map((id) => bytesField(1, id)), more]))
  const description = {
    agentId: 'a',
    name: 'New Agent',
    mode: 'default',
    createdAt: 1788249600000,
    ...about,
    latestRootBlobId: root.toString('hex'),
  }
  database.prepare('insert or replace into meta values (?, ?)').run('0', Buffer.from(JSON.stringify(description)).toString('hex'))
  database.exec('commit')
  // Statements may hold a database open that was closed, until they are collected.
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

/** `chats` is Cursor's folder of that name. */
export function storePath(chats: string, session: string): string {
  return join(chats, CHAT_FOLDER, session, 'store.db')
}

function messageOf({ kind, number, text }: LogEvent): object {
  const tool = { toolCallId: `tool_${number}`, toolName: 'Shell' }
  switch (kind) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: `<user_query>\n${text}\n</user_query>` }] }
    case 'assistant':
      return {
        role: 'assistant',
        id: String(number),
        content: [
          { type: 'redacted-reasoning', data: 'x' },
          { type: 'text', text },
        ],
      }
    case 'call':
      return { role: 'assistant', content: [{ type: 'tool-call', ...tool, args: { command: text } }] }
    case 'result':
      return { role: 'tool', content: [{ type: 'tool-result', ...tool, result: text }] }
    case 'noise':
      return { role: 'system', content: text }
  }
}

function openStores(root: string): HostLog {
  const chats = join(root, 'chats')
  fs.mkdirSync(chats)
  const sessions = new Map<string, (object | string)[]>()
  function add(session: string, messages: readonly (object | string)[]): void {
    const all = sessions.get(session) ?? []
    sessions.set(session, all)
    all.push(...messages)
    writeStore(storePath(chats, session), { messages: all })
  }
  return {
    sessionDir: chats,
    append: (session, events) => add(session, events.map(messageOf)),
    rewrite(session, events) {
      sessions.delete(session)
      add(session, events.map(messageOf))
    },
    appendBroken: (session) => add(session, ['{"role":"assistant","content":[{"type":"te']),
    close() {},
  }
}

export const cursorStoreLog: HostLogFixture = {
  // Whatever the folder is called.
  spec: { ...cursor, source: async (chats, system) => cursorAgentStores(chats, system) },
  name: 'Cursor, stores of the agent',
  id: conversationId,
  open: openStores,
  databases: 'each',
  lacks: { times: true },
}
