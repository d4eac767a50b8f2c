/**
 * Events in a SQLite file of our own. Everything that is recorded goes into it, so that nothing waits for a server and nothing is lost with
 * one: what ActivityWatch does not have yet is marked, and what it has stays, for when it is away or loses it.
 */
import { type EmbeddedDatabase, openDatabase } from './embedded-database.ts'
import { prune } from './prune.ts'
import { LATEST, LATEST_OWN, latestTime, withOutcomes } from './recency.ts'
import { addRescued, type Rescued, rescueFrom } from './rescue.ts'
import { COPIED, GIVEN_UP, numberOf, PENDING, sentOf, TRIED } from './sent-column.ts'
import type { KeelEvent } from './store.ts'
import type { StoredEvent, StoredEvents } from './stored-events.ts'
import type { Wish } from './wish.ts'
import { addWish, doubtWishes, markDone, type PendingWish, pendingWishes } from './wishes.ts'

export interface EmbeddedStore extends StoredEvents {
  /**
   * A server has appeared. Where it is the one of before, what was brought over last counts as `tried` again: one of the servers holds that
   * in memory for a while. Where it is another one, all that was brought over does: the history is to go along. What was given up does anyway.
   */
  meet(url: string): void
  /** Deletes what is meant and keeps the wish for ActivityWatch, both or none; the text may lie in the file until `scrub`. */
  forget(wish: Wish): void
  /** Leaves no text of what was deleted in the files, where something was forgotten. Errors also where somebody else reads them. */
  scrub(): void
  /** Those that ActivityWatch has not carried out, the oldest first. */
  wishes(): PendingWish[]
  fulfil(ids: readonly number[]): void
  /** Whether it has this very event. */
  has(event: KeelEvent): boolean
  /** Whether what it reads and writes still lies where it was opened. */
  isThere(): boolean
  /** Gives its files another name, those that still lie there. */
  putAside(aside: string): void
  /** Errors: where the file is damaged. */
  check(): void
  /** All that can be read, to be added to another file. Never fails. */
  rescue(): Rescued
  /** Adds what is not there; gives how many events. Errors: those of the disk. */
  add(rescued: Rescued): number
  /** Writes what changes nothing: fails where nothing can be written. */
  touch(): void
  close(): void
}

/** Writes between two looks at what is too much. */
const PRUNE_EVERY = 500
/** The server writes what it was given after 15 s or 100 events; where it is ended hard before, they are gone. */
const DOUBT_MS = 60_000
const MOST_DOUBTED = 200
const ORDER = 'order by at desc, id desc limit ?'

/** `log` is told what is forgotten. Errors: SQLite's own, and the file system's. */
export function openEmbeddedStore(file: string, now: () => Date, log: (line: string) => void = () => {}): EmbeddedStore {
  const database = openDatabase(file)
  let writes = 0
  const select = (rest: string, ...values: (string | number)[]): KeelEvent[] =>
    stored(database, rest, ...values).flatMap(({ event }) => event ?? [])
  const mark: EmbeddedStore['mark'] = (ids, sent) => {
    const when = sent === 'copied' ? now().getTime() : null
    const sql = 'update events set sent = ?, sent_at = ? where id in (select value from json_each(?))'
    database.run(sql, numberOf(sent), when, JSON.stringify(ids))
  }
  const scrub = (): void => {
    if (readFact(database, SCRUB) === undefined) return
    database.scrub()
    database.run('delete from facts where name = ?', SCRUB)
  }
  prune(database, now(), log)
  // From here on, with what SQLite has put beside it.
  database.isThere()
  return {
    append({ kind, at, data }, sent = 'waiting') {
      const when = sent === 'copied' ? now().getTime() : null
      const sql = 'insert into events (kind, at, data, sent, sent_at) values (?, ?, ?, ?, ?)'
      database.run(sql, kind, at.getTime(), JSON.stringify(data), numberOf(sent), when)
      if (++writes % PRUNE_EVERY === 0) prune(database, now(), log)
    },
    recent: (kind, n) => (n <= 0 ? [] : select(`where kind = ? and at <= ? ${ORDER}`, kind, latestTime(now()), n)),
    latest() {
      const last = latestTime(now())
      return withOutcomes(select(`where at > ? ${ORDER}`, last, LATEST), select(`where at <= ? ${ORDER}`, last, LATEST))
    },
    own() {
      const last = latestTime(now())
      return withOutcomes(select(`where at > ? ${ORDER}`, last, LATEST), select(`where at <= ? ${ORDER}`, last, LATEST_OWN), LATEST_OWN)
    },
    range: (from, to, limit) => (limit <= 0 ? [] : select(`where at >= ? and at < ? ${ORDER}`, from.getTime(), to.getTime(), limit)),
    waiting: () => Number(database.all(`select count(*) as n from events where ${PENDING}`)[0]?.n),
    oldestWaiting(limit) {
      for (;;) {
        const rows = stored(database, `where ${PENDING} order by id limit ?`, limit)
        const good = rows.filter((row): row is StoredEvent => row.event !== undefined)
        // What cannot be read must not stop what lies behind it.
        const bad = rows.filter(({ event }) => event === undefined).map(({ id }) => id)
        if (bad.length > 0) mark(bad, 'kept')
        if (good.length > 0 || rows.length === 0) return good
      }
    },
    mark,
    forget(wish) {
      database.atomically(() => {
        deleteMeant(database, wish)
        addWish(database, wish)
        writeFact(database, SCRUB, 'wanted')
      })
    },
    scrub,
    wishes: () => pendingWishes(database),
    fulfil: (ids) => markDone(database, ids),
    touch() {
      writeFact(database, 'written_at', now().toISOString())
      database.run('update events set sent = sent where id = (select max(id) from events)')
    },
    meet(url) {
      const before = readFact(database, 'aw_url')
      doubtWishes(database, before === url)
      database.run(`update events set sent = ${TRIED} where sent = ${GIVEN_UP}`)
      if (before === url) return doubtNewest(database)
      // Without one before, the file is new, or of a time at which that was not written down.
      if (before === undefined) doubtNewest(database)
      else database.run(`update events set sent = ${TRIED} where not ${PENDING}`)
      writeFact(database, 'aw_url', url)
    },
    has: ({ kind, at, data }) =>
      database.all('select 1 from events where at = ? and kind = ? and data = ? limit 1', at.getTime(), kind, JSON.stringify(data)).length >
      0,
    isThere: database.isThere,
    putAside: database.putAside,
    check: database.check,
    rescue: () => rescueFrom(database),
    add: (rescued) => addRescued(database, rescued),
    close: () => database.close(),
  }
}

/** A fact: something was forgotten, and its text may still lie in the file. */
const SCRUB = 'scrub'

function deleteMeant(database: EmbeddedDatabase, { what }: Wish): void {
  if (what === 'everything') database.run('delete from events')
  // A row that is no JSON would fail the statement.
  else
    database.run(
      'delete from events where case when json_valid(data) then json_extract(data, ?) = ? end',
      `$.${JSON.stringify(what.field)}`,
      what.value,
    )
}

function readFact(database: EmbeddedDatabase, name: string): unknown {
  return database.all('select value from facts where name = ?', name)[0]?.value
}

function writeFact(database: EmbeddedDatabase, name: string, value: string): void {
  database.run('insert into facts (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', name, value)
}

/** By when they were brought over: what was recorded in hours without a server arrives there in one moment. */
function doubtNewest(database: EmbeddedDatabase): void {
  const copied = `select id, sent_at from events where sent = ${COPIED} order by id desc limit ${MOST_DOUBTED}`
  database.run(
    `with copied as (${copied}) update events set sent = ${TRIED} where id in
     (select id from copied where sent_at >= (select sent_at from copied order by id desc limit 1) - ${DOUBT_MS})`,
  )
}

/** Without an event where the row holds none: somebody else has written it, or a disk that fails. */
function stored(
  database: EmbeddedDatabase,
  rest: string,
  ...values: (string | number)[]
): (Omit<StoredEvent, 'event'> & { readonly event?: KeelEvent })[] {
  // As text: a whole number that is too large for us would fail the read of all.
  const columns = 'id, kind, cast(at as text) as at, data, cast(sent as text) as sent'
  return database.all(`select ${columns} from events ${rest}`, ...values).map(({ id, kind, at, data, sent }) => {
    const time = new Date(Number(at))
    const fields = parsed(String(data))
    const isEvent = fields !== undefined && !Number.isNaN(time.getTime())
    return { id: Number(id), sent: sentOf(sent), ...(isEvent ? { event: { kind: String(kind), at: time, data: fields } } : {}) }
  })
}

function parsed(text: string): KeelEvent['data'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as KeelEvent['data']) : undefined
  } catch {
    return undefined // The row is passed over, and stays where it is.
  }
}
