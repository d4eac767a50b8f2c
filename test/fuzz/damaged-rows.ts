/** Damage to a host's rows: single values replaced, whatever the column was made for. */
import { type Database, sqliteClass } from '../../src/util/sqlite.ts'
import type { HostLog } from '../contract/host-log.ts'
import type { Random } from '../helpers/random.ts'
import type { Damage } from './fuzz.ts'
import { mutateLine, noise } from './mutate.ts'

type Value = string | number | bigint | Uint8Array | null

/** Values of all of SQLite's types that no host writes. A whole number over 2^53 cannot be read as a number of JavaScript's. */
const ODD: readonly Value[] = [
  ...[null, '', ' ', 'x', 'a\0b', '[object Object]', '__proto__', '{', '{"type":', '[]', 'null', '2026-13-45', 'x'.repeat(50_000)],
  ...[0, -1, 1.5, 1e300, -1e300, 2 ** 53, 2n ** 62n, -(2n ** 63n), 253_402_300_800_000],
  ...[new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(0xff, 0xfe, 0), Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 0xff)],
]

/** For a row, where the schema refuses a value. */
const TRIES = 4

interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/** Every row that an event adds gets one value changed; `changed` is called for each. */
export function damagedRows(log: HostLog, changed: () => void): Damage {
  if (log.database === undefined) throw new Error('the fixture of a log without lines names a database')
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(log.database, {})
  database.exec('pragma busy_timeout = 5000; pragma synchronous = off')
  const statements = new Map<string, ReturnType<Database['prepare']>>()
  const statement = (sql: string): ReturnType<Database['prepare']> => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  const lastRow = (name: string): number =>
    (statement(`select coalesce(max(rowid), 0) as last from "${name}"`).get() as { readonly last: number }).last
  let tables: readonly Table[] | undefined

  return {
    add(session, events, chance) {
      tables ??= tablesOf(database)
      const before = tables.map(({ name }) => lastRow(name))
      log.append(session, events)
      database.exec('begin immediate')
      tables.forEach((table, i) => {
        damage(statement, table, before[i]!, chance, changed)
      })
      database.exec('commit')
    },
    close: () => database.close(),
  }
}

function damage(
  statement: (sql: string) => ReturnType<Database['prepare']>,
  { name, columns }: Table,
  after: number,
  chance: Random,
  changed: () => void,
): void {
  const rows = statement(`select rowid as "memu rowid", * from "${name}" where rowid > ?`).all(after) as Readonly<Record<string, Value>>[]
  const json = rows.flatMap((row) => Object.values(row).filter((value): value is string => typeof value === 'string' && isJson(value)))
  for (const row of rows) {
    for (let tries = 0; tries < TRIES; tries++) {
      const column = chance.pick(columns)
      const value = damagedValue(row[column] ?? null, json, chance)
      try {
        // The type of the binding knows no whole numbers over 2^53; SQLite does.
        statement(`update "${name}" set "${column}" = ? where rowid = ?`).run(value as never, row['memu rowid'] as never)
        changed()
        break
      } catch {
        // A constraint of the schema: the host's own database refuses that, too.
      }
    }
  }
}

function damagedValue(value: Value, others: readonly string[], chance: Random): Value {
  if (typeof value === 'string' && isJson(value) && chance.next() < 0.8) return mutateLine(value, others, chance)
  if (value instanceof Uint8Array && chance.next() < 0.8) {
    const bytes = Buffer.from(value)
    return chance.next() < 0.5 ? noise(bytes, chance) : bytes.subarray(0, chance.below(bytes.length + 1))
  }
  return chance.pick(ODD)
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Those whose rows have numbers: new ones are told by them. A primary key is where a row stands, not what it holds. */
function tablesOf(database: Database): Table[] {
  const sql = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and sql not like '%without rowid%'"
  const names = (database.prepare(sql).all() as { readonly name: string }[]).map(({ name }) => name)
  const tables = names.map((name) => {
    const columns = database.prepare('select name from pragma_table_info(?) where pk = 0').all(name) as { readonly name: string }[]
    return { name, columns: columns.map((column) => column.name) }
  })
  return tables.filter(({ columns }) => columns.length > 0)
}
