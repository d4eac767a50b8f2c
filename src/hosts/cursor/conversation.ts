/** One chat of the editor as a list of bubbles: their order, and each of them when it is asked for. */
import { MemuError, reason } from '../../util/errors.ts'
import { digest, type JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'
import { jsonOf, type SqliteLog } from '../sqlite-log.ts'
import type { SessionFacts } from '../transcript-source.ts'
import { COMPOSER, PANEL, WORKSPACE_CHATS } from './chats.ts'
import { hasTable, type StoredValue, storedValue } from './editor-database.ts'
import { jsonText, milliseconds } from './heads.ts'
import { panelBubble } from './panel-bubble.ts'
import { identifiedProject } from './workspace.ts'

export interface Conversation {
  readonly ids: readonly string[]
  /** As it is stored; undefined where the bubble is not there (yet). */
  stored(index: number): StoredBubble | undefined
  /** Changes whenever one of the first `count` bubbles is written again. */
  mark(count: number): string
  /** Where the answer begins on which the agent is at work, as the chat says; the number of bubbles where it is not. */
  readonly answering: number
  readonly modified: number
  readonly facts: SessionFacts
}

/** A value of the database, or a bubble out of one. */
export type StoredBubble = StoredValue | { readonly bubble: JsonObject }

/** Throws where it holds no JSON or is too long. */
export function parsedBubble(stored: StoredBubble): JsonObject {
  return 'bubble' in stored ? stored.bubble : jsonOf(stored.value, stored.value_bytes)
}

/** Errors: `session_unreadable` where the chat is gone, is no JSON or is too long to be loaded. */
export function openConversation(log: SqliteLog, id: string): Conversation {
  const stored = hasTable(log, 'cursorDiskKV') ? storedValue(log, 'cursorDiskKV', COMPOSER + id) : undefined
  if (stored !== undefined) {
    const about = understood(log, () => jsonOf(stored.value, stored.value_bytes))
    const bubbles = objects(about.conversation)
    return headersOf(about).size > 0 || bubbles.length === 0 ? linked(log, id, about) : inline(about, bubbles)
  }
  const tab = entryOf(log, PANEL, 'tabs', 'tabId', id)
  if (tab !== undefined) return inline({ ...tab, name: tab.chatTitle }, objects(tab.bubbles).map(panelBubble))
  const chat = entryOf(log, WORKSPACE_CHATS, 'allComposers', 'composerId', id)
  if (chat !== undefined) return inline(chat, objects(chat.conversation))
  throw unreadable(log, 'the chat is gone')
}

/** Each bubble is a value of its own, `bubbleId:<chat>:<bubble>`; the chat says in which order they stand. */
function linked(log: SqliteLog, id: string, about: JsonObject): Conversation {
  const prefix = `bubbleId:${id}:`
  const end = `bubbleId:${id};`
  // The index holds both the key and the number of its row, which is a new one whenever the row is written.
  const rows = log.all('select key, rowid as row from cursorDiskKV where key >= ? and key < ? order by row', prefix, end)
  const numbers = new Map(rows.map(({ key, row }) => [String(key).slice(prefix.length), row]))
  const listed = headersOf(about)
  const ids = listed.size > 0 ? [...listed.keys()] : [...numbers.keys()] // In the order in which they were written.
  return {
    ...common(about),
    ids,
    answering: answering(about, [...listed.values()]),
    stored: (index) => storedValue(log, 'cursorDiskKV', prefix + ids[index]),
    mark: (count) => digest(JSON.stringify(ids.slice(0, count).map((bubble) => [bubble, numbers.get(bubble) ?? 0]))),
  }
}

/** Older versions keep the bubbles inside the chat. */
function inline(about: JsonObject, bubbles: readonly JsonObject[]): Conversation {
  const ids = bubbles.map((bubble, index) => asText(bubble.bubbleId) ?? asText(bubble.id) ?? String(index))
  return {
    ...common(about),
    ids,
    answering: answering(
      about,
      bubbles.map(({ type }) => type),
    ),
    stored: (index) => (bubbles[index] === undefined ? undefined : { bubble: bubbles[index] }),
    mark: (count) => digest(JSON.stringify(bubbles.slice(0, count))),
  }
}

function common(about: JsonObject): Pick<Conversation, 'facts' | 'modified'> {
  const title = asText(about.name)
  const project = identifiedProject(about.workspaceIdentifier)
  const branch = asText(about.createdOnBranch)
  return {
    facts: { ...(title && { title: title.trim() }), ...(project && { project }), ...(branch && { branch }) },
    modified: milliseconds(about.lastUpdatedAt),
  }
}

/** Each bubble that is part of the chat, in order, with its type: 1 the user's, 2 the agent's. */
function headersOf(about: JsonObject): Map<string, unknown> {
  const types = new Map<string, unknown>()
  for (const { bubbleId, type } of objects(about.fullConversationHeadersOnly)) {
    const id = asText(bubbleId)
    if (id !== undefined) types.set(id, type)
  }
  return types
}

function answering(about: JsonObject, types: readonly unknown[]): number {
  return about.status === 'generating' ? types.lastIndexOf(1) + 1 : types.length
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((item) => item !== undefined) : []
}

/** One entry of a list inside a value of a workspace's database. */
function entryOf(log: SqliteLog, key: string, list: string, name: string, id: string): JsonObject | undefined {
  if (!hasTable(log, 'ItemTable')) return undefined
  const sql = `select entry.value as value from ItemTable as item, json_each(${jsonText('item.value')}, '$.${list}') as entry
    where item.key = ? and entry.type = 'object' and json_extract(entry.value, '$.${name}') = ?`
  const found = log.first(sql, key, id)
  return found === undefined ? undefined : understood(log, () => jsonOf(found.value))
}

function understood<T>(log: SqliteLog, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw unreadable(log, `the chat cannot be understood: ${reason(error)}`, error)
  }
}

function unreadable(log: SqliteLog, why: string, cause?: unknown): MemuError {
  return new MemuError('session_unreadable', `Cannot read a chat in ${log.path}: ${why}.`, {
    hint: 'Run the command again; every session is taken up where it was left.',
    cause,
  })
}
