/** A database as Cursor's editor makes it: an entry that is written again gets a new row. */
import { type Statement, sqliteClass } from '../../src/util/sqlite.ts'

export interface EditorDatabase {
  /** A value that is no string is stored as JSON. */
  put(table: 'cursorDiskKV' | 'ItemTable', key: string, value: unknown): void
  /** Notes a chat in the table of heads, which versions from 3.0 on have. Times are milliseconds since 1970. */
  head(chat: string, changed: number, about: object): void
  /** Removes the keys from the one to before the other. */
  remove(from: string, to: string): void
  /** What `change` does is one commit. */
  commit(change: () => void): void
  exec(sql: string): void
  close(): void
}

export function editorDatabase(path: string): EditorDatabase {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(path, {})
  database.exec('pragma journal_mode = wal')
  for (const table of ['ItemTable', 'cursorDiskKV']) {
    database.exec(`create table if not exists ${table} (key text unique on conflict replace, value blob)`)
  }
  const put = {
    ItemTable: database.prepare('insert into ItemTable values (?, ?)'),
    cursorDiskKV: database.prepare('insert into cursorDiskKV values (?, ?)'),
  }
  const heads = `create table if not exists composerHeaders
    (composerId text primary key, workspaceId text, createdAt integer, lastUpdatedAt integer, isSubagent integer, value text)`
  let head: Statement | undefined
  let open = true
  return {
    head(chat, changed, about) {
      if (head === undefined) database.exec(heads)
      head ??= database.prepare('insert or replace into composerHeaders values (?, null, null, ?, 0, ?)')
      head.run(chat, changed, JSON.stringify(about))
    },
    put: (table, key, value) => put[table].run(key, typeof value === 'string' ? value : JSON.stringify(value)),
    remove: (from, to) => database.prepare('delete from cursorDiskKV where key >= ? and key < ?').run(from, to),
    commit(change) {
      database.exec('begin immediate')
      change()
      database.exec('commit')
    },
    exec: (sql) => database.exec(sql),
    close() {
      if (open) database.close()
      open = false
    },
  }
}
