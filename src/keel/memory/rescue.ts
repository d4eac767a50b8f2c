/** Brings what a file holds that was removed, replaced or damaged into another one. */
import type { SqlValue } from '../../util/sqlite.ts'
import type { EmbeddedDatabase } from './embedded-database.ts'

/** Rows as they are. */
export interface Rescued {
  readonly events: readonly Row[]
  readonly wishes: readonly Row[]
  readonly facts: readonly Row[]
  /** Nothing that was asked for could not be read. */
  readonly isWhole: boolean
}

type Row = Readonly<Record<string, SqlValue>>

/** What a file holds at most, and some. */
const HIGHEST_ID = 1 << 17
/** Looks that fail, of a file that is damaged all over. */
const MOST_FAILURES = 2_000

/** All that can be read. Never fails. */
export function rescueFrom(database: EmbeddedDatabase): Rescued {
  const columns = 'kind, cast(at as text) as at, data, sent, cast(sent_at as text) as sent_at'
  let isWhole = true
  const all = (sql: string, ...values: SqlValue[]): readonly Row[] | undefined => {
    try {
      return database.all(sql, ...values) as Row[]
    } catch {
      isWhole = false // It is damaged there: what can be read elsewhere is.
      return undefined
    }
  }
  const highest = Number(all('select cast(max(id) as text) as n from events')?.[0]?.n ?? HIGHEST_ID)
  let failures = 0
  const events = (from: number, to: number): readonly Row[] => {
    const rows = all(`select ${columns} from events where id between ? and ? order by id`, from, to)
    if (rows !== undefined) return rows
    if (from >= to || ++failures > MOST_FAILURES) return []
    const middle = Math.floor((from + to) / 2)
    return [...events(from, middle), ...events(middle + 1, to)]
  }
  const found = {
    events: events(0, highest),
    wishes: all('select field, value, cast(at as text) as at, state from wishes order by id') ?? [],
    facts: all('select name, value from facts') ?? [],
  }
  return { ...found, isWhole }
}

/** Adds what is not there yet, all or nothing; gives how many events. Errors: those of the disk. */
export function addRescued(database: EmbeddedDatabase, { events, wishes, facts }: Rescued): number {
  let count = 0
  database.atomically(() => {
    for (const { kind, at, data, sent, sent_at } of events) {
      count += database.run(
        `insert into events (kind, at, data, sent, sent_at) select ?1, cast(?2 as integer), ?3, ?4, cast(?5 as integer)
         where not exists (select 1 from events where at = cast(?2 as integer) and kind = ?1 and data = ?3)`,
        kind!,
        at!,
        data!,
        sent!,
        sent_at!,
      )
    }
    for (const { field, value, at, state } of wishes) {
      database.run(
        `insert into wishes (field, value, at, state) select ?1, ?2, cast(?3 as integer), ?4
         where not exists (select 1 from wishes where field is ?1 and value is ?2)`,
        field!,
        value!,
        at!,
        state!,
      )
    }
    for (const { name, value } of facts) database.run('insert or ignore into facts (name, value) values (?, ?)', name!, value!)
  })
  return count
}
