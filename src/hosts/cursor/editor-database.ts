/**
 * The editor's databases: `state.vscdb` for all windows in `globalStorage` and one for each workspace in `workspaceStorage`. Both are
 * tables of keys and values, the values JSON. They grow to many gigabytes and are never packed, so that only keys are ever searched:
 * values are fetched one by one, by their key.
 */
import type { SqlValue } from '../../util/sqlite.ts'
import { child, entries, fileState } from '../directory.ts'
import { largeColumn, type SqliteLog } from '../sqlite-log.ts'
import type { Report } from '../transcript-source.ts'

export const DATABASE = 'state.vscdb'

export interface StoredValue {
  readonly value: SqlValue
  readonly value_bytes: SqlValue
}

/** The database of all windows; it may not exist. */
export function globalDatabase(user: string): string {
  return child(child(user, 'globalStorage'), DATABASE)
}

export interface Workspace {
  /** `workspaceStorage/<id>`. */
  readonly folder: string
  readonly id: string
  readonly database: string
}

/** The workspaces that have a database, from directory entries alone. */
export function workspaces(user: string, report: Report): Workspace[] {
  const storage = child(user, 'workspaceStorage')
  return entries(storage, report)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: id }) => {
      const folder = child(storage, id)
      const database = child(folder, DATABASE)
      const isThere = entries(folder, report).some(({ name }) => name === DATABASE) && fileState(database, report) !== undefined
      return isThere ? [{ folder, id, database }] : []
    })
}

/** Whether the database has such a table of keys and values. */
export function hasTable(log: SqliteLog, table: 'cursorDiskKV' | 'ItemTable'): boolean {
  const columns = log.columns(table)
  return columns.has('key') && columns.has('value')
}

/** The value of a key; undefined where there is none. What is too long to be loaded is null, with its length. */
export function storedValue(log: SqliteLog, table: 'cursorDiskKV' | 'ItemTable', key: string): StoredValue | undefined {
  return log.first(`select ${largeColumn('value')} from ${table} where key = ?`, key) as unknown as StoredValue | undefined
}
