/** Which chats a database of the editor holds, told from keys and heads. */

import { LINE_LIMIT } from '../../util/jsonl.ts'
import type { System } from '../../util/system.ts'
import type { SqliteLog } from '../sqlite-log.ts'
import type { SessionRef } from '../transcript-source.ts'
import { hasTable } from './editor-database.ts'
import { type Heads, jsonText, milliseconds } from './heads.ts'

export const COMPOSER = 'composerData:'
/** The chat panel of early versions: `{"tabs": [{tabId, bubbles}]}`. */
export const PANEL = 'workbench.panel.aichat.view.aichat.chatdata'
/** Chats of versions from before they moved into the database of all windows. */
export const WORKSPACE_CHATS = 'composer.composerData'

/** In a chat that has not changed for so long no answer is under way, whatever it says of itself. Milliseconds. */
const FRESH = 10 * 60 * 1000

/** Whether an answer may be under way. A time that lies far ahead is a wrong clock's. */
export function isFresh(modified: number, now: number): boolean {
  return Math.abs(now - modified) < FRESH
}

type Chat = Pick<SessionRef, 'id' | 'owner' | 'size' | 'modified'>

/**
 * The chats of all windows. Their keys and the numbers of their rows come from the index alone; a row gets a new number whenever it is
 * written, and the editor writes a chat's with each of its bubbles. So the size, in which that number is, changes with the chat.
 */
export function globalChats(log: SqliteLog, heads: Heads, system: System): Chat[] {
  if (!hasTable(log, 'cursorDiskKV')) return []
  const now = system.now().getTime()
  const bubbles = (end: string): string => `'bubbleId:' || substr(chat.key, ${COMPOSER.length + 1}) || '${end}'`
  const rows = log.all(
    `select substr(key, ${COMPOSER.length + 1}) as id, rowid as row, octet_length(value) as bytes,
       exists (select 1 from cursorDiskKV as bubble where bubble.key >= ${bubbles(':')} and bubble.key < ${bubbles(';')}) as filled
     from cursorDiskKV as chat where key >= '${COMPOSER}' and key < 'composerData;' and value is not null`,
  )
  return rows.flatMap(({ id, row, bytes, filled }): Chat[] => {
    const head = heads.get(String(id))
    let modified = head?.modified ?? 0
    if (filled === 0 || modified === 0) {
      const about = describe(log, String(id), Number(bytes))
      if (filled === 0 && about.inline === 0) return [] // Opened and never used: thousands of these lie there.
      modified ||= about.modified
    }
    const owner = head?.parent ?? String(id)
    // What is under way is looked at again when it must be over, whether or not anything is written then.
    const size = Number(bytes) + (isFresh(modified, now) ? 0 : Number(row))
    return [{ id: owner === id ? owner : `${owner}/${id}`, owner, size, modified }]
  })
}

interface Description {
  /** Bubbles inside the chat's own value, as versions of 2024 kept them; 1 where that cannot be told. */
  readonly inline: number
  readonly modified: number
}

function describe(log: SqliteLog, id: string, bytes: number): Description {
  if (bytes > LINE_LIMIT) return { inline: 1, modified: 0 }
  const text = jsonText('value')
  const field = (name: string): string => `json_extract(${text}, '$.${name}')`
  const found = log.first(
    `select json_valid(cast(value as text)) as valid, json_array_length(${text}, '$.conversation') as inline,
       ${field('lastUpdatedAt')} as updated, ${field('createdAt')} as created
     from cursorDiskKV where key = ?`,
    COMPOSER + id,
  )
  return {
    inline: found?.valid === 0 ? 1 : Number(found?.inline ?? 0),
    modified: milliseconds(found?.updated) || milliseconds(found?.created),
  }
}

/** The chats inside the database of one workspace. */
export function workspaceChats(log: SqliteLog, heads: Heads): Chat[] {
  const list = (path: string, id: string, bubbles: string, changed: string): string =>
    `select json_extract(entry.value, '$.${id}') as id, json_extract(entry.value, '$.${changed}') as changed, length(entry.value) as size
     from ItemTable as item, json_each(${jsonText('item.value')}, '$.${path}') as entry
     where item.key = ? and entry.type = 'object' and json_array_length(entry.value, '$.${bubbles}') > 0`
  const rows = [
    ...log.all(list('allComposers', 'composerId', 'conversation', 'lastUpdatedAt'), WORKSPACE_CHATS),
    ...log.all(list('tabs', 'tabId', 'bubbles', 'lastSendTime'), PANEL),
  ]
  return rows.flatMap(({ id, changed, size }): Chat[] => {
    if (typeof id !== 'string' || id === '') return []
    return [{ id, owner: id, size: Number(size), modified: milliseconds(changed) || (heads.get(id)?.modified ?? 0) }]
  })
}
