/** Postgres as a dialect of the SQL repository. Its driver comes with the server; until then the tests run it in process. */
import type { Dialect } from '../sql/driver.ts'

export const postgresDialect: Dialect = {
  integer: 'bigint',
  blob: 'bytea',
  text: 'text collate "C"',
  clustered: '',
  strings: '(select json_array_elements_text(?::json))',
  integers: '(select json_array_elements_text(?::json)::bigint)',
  tableExists: 'select 1 from information_schema.tables where table_schema = current_schema() and table_name = ?',
}

/** `?` to `$1`, `$2` …; the repository's statements hold no question mark elsewhere. */
export function numberedPlaceholders(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}
