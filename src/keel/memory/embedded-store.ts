/**
 * Events in a SQLite file of our own. Everything that is recorded goes through it first, so that nothing waits for a server and nothing is
 * lost with one: what ActivityWatch does not have yet is marked, and what it has stays for a while, for when it is away.
 */
import { type EmbeddedDatabase, openDatabase } from './embedded-database.ts'
import type { EventStore, KeelEvent } from './store.ts'

/** Whether ActivityWatch has an event. `tried`: perhaps, it was sent and no answer came. `kept`: it takes no such event. */
export type Sent = 'waiting' | 'tried' | 'copied' | 'kept'
const SENT: Readonly<Record<Sent, number>> = { waiting: 0, tried: 1, copied: 2, kept: 3 }

export interface StoredEvent {
  readonly id: number
  readonly event: KeelEvent
  readonly sent: Sent
}

export interface EmbeddedStore extends EventStore {
  /** As `record`, at once. Errors: SQLite's own. */
  append(event: KeelEvent): void
  /** How many events ActivityWatch may not have. */
  waiting(): number
  /** The oldest of them, in the order in which they were written. */
  oldestWaiting(limit: number): StoredEvent[]
  /** Events that ActivityWatch does not have for sure, newest first; of one kind, or of all. */
  unshared(limit: number, kind?: string): KeelEvent[]
  /** Those of them with `from <= at < to`. */
  unsharedIn(from: Date, to: Date, limit: number): KeelEvent[]
  mark(ids: readonly number[], sent: Sent): void
  /** Events that were brought over last count as `tried` again: one of the servers holds them in memory for a while. */
  doubtNewest(): void
  close(): void
}

/** One a day in use makes some ten events. */
export const MOST_EVENTS = 20_000
export const MOST_DAYS = 400
const DAY_MS = 24 * 60 * 60 * 1000
/** Writes between two looks at what is too old. */
const PRUNE_EVERY = 500
/** The server writes what it was given after 15 s or 100 events; where it is ended hard before, they are gone. */
const DOUBT_MS = 60_000
const MOST_DOUBTED = 100
/** As ActivityWatch's store: `latest` is for the moment. */
const LATEST = 200
/** What `latest` and `recent` want: the newest first. */
const ORDER = 'order by at desc, id desc limit ?'

/** `now` bounds what is kept by age. Errors: SQLite's own, and the file system's. */
export function openEmbeddedStore(file: string, now: () => Date): EmbeddedStore {
  const database = openDatabase(file)
  let writes = 0
  const prune = (): void => {
    database.run('delete from events where at < ?', now().getTime() - MOST_DAYS * DAY_MS)
    // By the order of writing: a clock that was wrong for a while must not cost the events since.
    database.run('delete from events where id <= (select id from events order by id desc limit 1 offset ?)', MOST_EVENTS)
  }
  const append = ({ kind, at, data }: KeelEvent): void => {
    const time = at.getTime()
    if (!Number.isFinite(time)) throw new RangeError('an event has no time')
    database.run('insert into events (kind, at, data) values (?, ?, ?)', kind, time, JSON.stringify(data))
    if (++writes % PRUNE_EVERY === 0) prune()
  }
  const select = (rest: string, ...values: (string | number)[]): KeelEvent[] => stored(database, rest, ...values).map(({ event }) => event)

  prune()
  return {
    append,
    record: async (event) => append(event),
    recent: async (kind, n) => (n <= 0 ? [] : select(`where kind = ? ${ORDER}`, kind, n)),
    latest: async () => select(ORDER, LATEST),
    range: async (from, to, limit) => (limit <= 0 ? [] : select(`where at >= ? and at < ? ${ORDER}`, from.getTime(), to.getTime(), limit)),
    waiting: () => Number(database.all(`select count(*) as n from events where ${PENDING}`)[0]?.n),
    oldestWaiting: (limit) => stored(database, `where ${PENDING} order by id limit ?`, limit),
    unshared: (limit, kind) =>
      kind === undefined
        ? select(`where sent <> ${SENT.copied} ${ORDER}`, limit)
        : select(`where sent <> ${SENT.copied} and kind = ? ${ORDER}`, kind, limit),
    unsharedIn: (from, to, limit) =>
      select(`where sent <> ${SENT.copied} and at >= ? and at < ? ${ORDER}`, from.getTime(), to.getTime(), Math.max(limit, 0)),
    mark(ids, sent) {
      database.run('update events set sent = ? where id in (select value from json_each(?))', SENT[sent], JSON.stringify(ids))
    },
    doubtNewest() {
      database.run(
        `update events set sent = ${SENT.tried} where sent = ${SENT.copied} and at >= (select max(at) from events) - ${DOUBT_MS}
         and id in (select id from events order by id desc limit ${MOST_DOUBTED})`,
      )
    },
    close: () => database.close(),
  }
}

const PENDING = `sent in (${SENT.waiting}, ${SENT.tried})`
const NAMES = Object.keys(SENT) as Sent[]

function stored(database: EmbeddedDatabase, rest: string, ...values: (string | number)[]): StoredEvent[] {
  return database.all(`select id, kind, at, data, sent from events ${rest}`, ...values).map(({ id, kind, at, data, sent }) => ({
    id: Number(id),
    event: { kind: String(kind), at: new Date(Number(at)), data: JSON.parse(String(data)) as KeelEvent['data'] },
    sent: NAMES[Number(sent)] ?? 'kept',
  }))
}
