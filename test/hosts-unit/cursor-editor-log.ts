/** The chats of Cursor's editor, written through the port of logs. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { type EditorDatabase, editorDatabase } from './cursor-editor-database.ts'
import { conversationId } from './cursor-lines.ts'

const BEGAN = Date.UTC(2026, 8, 1, 8)
/** Just before the time at which tests read: an answer under way that is older counts as given up. */
const LATELY = Date.UTC(2026, 8, 30, 23, 55)

interface Bubble {
  readonly bubbleId: string
  readonly type: 1 | 2
  readonly [field: string]: unknown
}

interface Chat {
  readonly headers: Pick<Bubble, 'bubbleId' | 'type'>[]
  /** The call that has no result yet. */
  running?: Bubble
  /** Seconds. */
  changed: number
}

/** `root` becomes the editor's `User` folder. */
export function openEditorLog(root: string): HostLog {
  fs.mkdirSync(join(root, 'globalStorage'))
  const path = join(root, 'globalStorage', 'state.vscdb')
  const database = editorDatabase(path)
  const chats = new Map<string, Chat>()

  function append(session: string, events: readonly LogEvent[]): void {
    const chat = chats.get(session) ?? { headers: [], changed: 0 }
    chats.set(session, chat)
    for (const event of events) {
      if (event.kind === 'result' && chat.running !== undefined) finish(database, session, chat, chat.running, event.text)
      else add(database, session, chat, bubbleOf(event))
      if (event.kind === 'call') chat.running = bubbleOf(event)
      chat.changed = event.number
    }
    save(database, session, chat)
  }

  return {
    sessionDir: root,
    database: path,
    append: (session, events) => database.commit(() => append(session, events)),
    rewrite: (session, events) =>
      database.commit(() => {
        database.remove(`bubbleId:${session}:`, `bubbleId:${session};`)
        chats.delete(session)
        append(session, events)
      }),
    appendBroken: (session) =>
      database.commit(() => {
        const chat = chats.get(session) ?? { headers: [], changed: 0 }
        const id = `broken-${chat.headers.length}`
        chat.headers.push({ bubbleId: id, type: 2 })
        database.put('cursorDiskKV', `bubbleId:${session}:${id}`, '{"type":2,"text":"cut sh')
        save(database, session, chat)
      }),
    close: () => database.close(),
  }
}

function add(database: EditorDatabase, session: string, chat: Chat, bubble: Bubble): void {
  chat.headers.push({ bubbleId: bubble.bubbleId, type: bubble.type })
  database.put('cursorDiskKV', `bubbleId:${session}:${bubble.bubbleId}`, bubble)
}

/** A call and its result share a bubble. */
function finish(database: EditorDatabase, session: string, chat: Chat, call: Bubble, output: string): void {
  const tool = { ...(call.toolFormerData as object), status: 'completed', result: JSON.stringify({ output }) }
  database.put('cursorDiskKV', `bubbleId:${session}:${call.bubbleId}`, { ...call, toolFormerData: tool })
  delete chat.running
}

function save(database: EditorDatabase, session: string, { headers, running, changed }: Chat): void {
  const lastUpdatedAt = running === undefined ? BEGAN + changed * 1000 : LATELY
  database.head(session, lastUpdatedAt, { type: 'head', composerId: session, unifiedMode: 'agent' })
  database.put('cursorDiskKV', `composerData:${session}`, {
    _v: 16,
    composerId: session,
    status: running === undefined ? 'completed' : 'generating',
    createdAt: BEGAN,
    lastUpdatedAt,
    fullConversationHeadersOnly: headers,
  })
}

function bubbleOf({ kind, number, text }: LogEvent): Bubble {
  const bubble = { _v: 3, bubbleId: `bubble-${number}`, createdAt: new Date(BEGAN + number * 1000).toISOString() }
  switch (kind) {
    case 'user':
      return { ...bubble, type: 1, text }
    case 'assistant':
      return { ...bubble, type: 2, text }
    case 'noise':
      return { ...bubble, type: 2, text: '', capabilityType: 30, thinking: { text } }
    default: {
      const tool = { tool: 15, name: 'run_terminal_command_v2', toolCallId: `tool_${number}`, status: 'loading' }
      return { ...bubble, type: 2, text: '', toolFormerData: { ...tool, rawArgs: JSON.stringify({ command: text }) } }
    }
  }
}

export const cursorEditorLog: HostLogFixture = {
  spec: cursor,
  name: 'Cursor, chats of the editor',
  id: conversationId,
  open: openEditorLog,
  databases: 'one',
}
