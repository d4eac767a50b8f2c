/**
 * What the editor notes about its chats beside them, so that they can be listed without being read. Where it stands has changed:
 * a table `composerHeaders`, one value for all windows, or before 3.0 a value in each workspace's database.
 */
import type { SqlValue } from '../../util/sqlite.ts'
import { asObject, asText } from '../fields.ts'
import { jsonOf, type SqliteLog } from '../sqlite-log.ts'
import { hasTable } from './editor-database.ts'
import { identifiedProject } from './workspace.ts'

export interface Head {
  /** Milliseconds since 1970 of its last change, 0 where that is not known. */
  readonly modified: number
  readonly title?: string
  readonly project?: string
  /** The chat whose agent started this one. */
  readonly parent?: string
}

export type Heads = Map<string, Head>

/** Those in the database of all windows. */
export function globalHeads(log: SqliteLog): Heads {
  const heads: Heads = new Map()
  if (hasTable(log, 'ItemTable')) addList(heads, log, 'composer.composerHeaders')
  const columns = log.columns('composerHeaders')
  if (!columns.has('composerId')) return heads
  const column = (name: string): string => (columns.has(name) ? name : `null as ${name}`)
  const sql = `select composerId, ${['createdAt', 'lastUpdatedAt', 'value'].map(column).join(', ')} from composerHeaders`
  for (const row of log.all(sql)) {
    const about = parsed(row.value)
    const head = headOf({
      ...about,
      createdAt: row.createdAt ?? about?.createdAt,
      lastUpdatedAt: row.lastUpdatedAt ?? about?.lastUpdatedAt,
    })
    heads.set(String(row.composerId), head)
  }
  return heads
}

/** Those in the database of a workspace, which all have its project. */
export function workspaceHeads(log: SqliteLog, project: string | undefined): Heads {
  const heads: Heads = new Map()
  addList(heads, log, 'composer.composerData')
  if (project !== undefined) for (const [id, head] of heads) heads.set(id, { project, ...head })
  return heads
}

/** `{"allComposers": [...]}` under a key of `ItemTable`. Of each entry only what a head needs leaves the database. */
function addList(heads: Heads, log: SqliteLog, key: string): void {
  const fields = ['composerId', 'name', 'createdAt', 'lastUpdatedAt', 'workspaceIdentifier', 'subagentInfo']
  const chosen = fields.map((name) => `'${name}', json_extract(entry.value, '$.${name}')`).join(', ')
  const sql = `select json_object(${chosen}) as head from ItemTable as item, json_each(${jsonText('item.value')}, '$.allComposers') as entry
    where item.key = ? and entry.type = 'object'`
  for (const { head } of log.all(sql, key)) {
    const about = parsed(head)
    const id = asText(about?.composerId)
    if (about !== undefined && id !== undefined) heads.set(id, headOf(about))
  }
}

/** The value as text for SQLite's JSON functions, which end the query at what is no JSON. */
export function jsonText(column: string): string {
  const text = `cast(${column} as text)`
  return `case when json_valid(${text}) then ${text} else '{}' end`
}

function headOf(about: Readonly<Record<string, unknown>>): Head {
  const title = asText(about.name)
  const project = identifiedProject(about.workspaceIdentifier)
  const parent = asText(asObject(about.subagentInfo)?.parentComposerId)
  return {
    modified: milliseconds(about.lastUpdatedAt) || milliseconds(about.createdAt),
    ...(title && { title: title.trim() }),
    ...(project && { project }),
    ...(parent && { parent }),
  }
}

/** A number of milliseconds or an ISO time; 0 for everything else. */
export function milliseconds(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  return Number.isFinite(time) && time > 0 ? time : 0
}

function parsed(value: SqlValue | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return jsonOf(value)
  } catch {
    return undefined // Without what a head says, the chat itself still says it.
  }
}
