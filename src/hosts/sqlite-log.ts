/**
 * Reading a database that another program is writing: without a lock that it could feel, with bounded memory, and so that one damaged row
 * costs that row alone.
 */

export { requireColumns } from './sqlite/columns.ts'
export { openSqliteLog, type Row, type SqliteLog, withSqliteLog } from './sqlite/open.ts'
export { type Place, type PlacedRow, type RowDialect, type RowStore, type RowsRead, readRows } from './sqlite/read.ts'
export { jsonOf, jsonText, largeColumn, largeValue, rowsByKey, textOf, VALUE_LIMIT } from './sqlite/values.ts'
