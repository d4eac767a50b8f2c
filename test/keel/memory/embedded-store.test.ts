import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedStore } from '../../../src/keel/memory/embedded-store.ts'
import { defaultStoreFile } from '../../../src/keel/memory/place.ts'
import { MOST_DAYS, MOST_EVENTS, WITNESSES } from '../../../src/keel/memory/prune.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { event, eventStoreContract } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = () => event('a', 0).at

function open(file = join(temporaryFolder(), 'keel', 'events.db'), now = NOW, log: (line: string) => void = () => {}) {
  const store = openEmbeddedStore(file, now, log)
  onTestFinished(() => store.close())
  return store
}

/** As somebody else would who has the file. */
function execute(file: string, sql: string): void {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(file, {})
  database.exec(sql)
  database.close()
}

/** `count` events of a kind at one time. */
const many = (count: number, at: Date, sent: number) => `
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
  insert into events (kind, at, data, sent) select 'a', ${at.getTime()} + n, '{"n":' || n || '}', ${sent} from numbers`

eventStoreContract({
  name: 'the embedded store',
  async open() {
    const store = open()
    return {
      record: async (recorded) => store.append(recorded),
      recent: async (kind, n) => store.recent(kind, n),
      latest: async () => store.latest(),
      range: async (from, to, limit) => store.range(from, to, limit),
    }
  },
})

const unix = process.platform === 'win32' ? it.skip : it

describe('the embedded store', () => {
  it('keeps its events over a restart', () => {
    const file = join(temporaryFolder(), 'events.db')
    const store = openEmbeddedStore(file, NOW)
    store.append(event('a', 1, { n: 1 }))
    store.close()
    expect(open(file).latest()).toEqual([event('a', 1, { n: 1 })])
  })

  it('keeps what another connection wrote that never closed, as after a crash', () => {
    const file = join(temporaryFolder(), 'events.db')
    open(file).append(event('a', 1, { n: 1 }))
    expect(open(file).latest()).toHaveLength(1)
  })

  unix('is private: the file, what SQLite puts beside it, and the folder', () => {
    const file = join(temporaryFolder(), 'keel', 'events.db')
    open(file).append(event('a', 1))
    for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
  })

  it('says what waits for ActivityWatch, in the order of writing, until it is marked', () => {
    const store = open()
    for (const [ms, kind] of [
      [3, 'a'],
      [1, 'b'],
      [2, 'a'],
    ] as const) {
      store.append(event(kind, ms))
    }
    const times = () => store.oldestWaiting(10).map(({ event: { at } }) => at.getTime() - NOW().getTime())
    expect(times()).toEqual([3, 1, 2])
    expect(store.waiting()).toBe(3)
    const [first, second, third] = store.oldestWaiting(3).map(({ id }) => id)
    store.mark([second!], 'tried')
    expect(store.oldestWaiting(10).map(({ sent }) => sent)).toEqual(['waiting', 'tried', 'waiting'])
    store.mark([first!], 'copied')
    store.mark([third!], 'kept')
    expect(times()).toEqual([1])
    expect(store.waiting()).toBe(1)
    // What ActivityWatch does not take is still part of the memory.
    expect(store.latest()).toHaveLength(3)
  })

  describe('when a server appears', () => {
    const doubted = (store: ReturnType<typeof open>) => store.oldestWaiting(999).map(({ id, sent }) => [id, sent])
    const copyAll = (store: ReturnType<typeof open>) =>
      store.mark(
        store.oldestWaiting(999).map(({ id }) => id),
        'copied',
      )

    it('doubts what was brought over in the last minute, however long ago it happened, and whatever its clock said', () => {
      let time = 0
      const store = open(undefined, () => event('', time).at)
      store.append(event('a', -9 * DAY_MS))
      copyAll(store)
      time = 65_000
      for (const ms of [-8 * DAY_MS, 300 * DAY_MS, -7 * DAY_MS]) {
        store.append(event('a', ms))
        copyAll(store)
        time += 20_000
      }
      store.append(event('a', 0))
      store.mark([5], 'kept')
      store.meet('http://a')
      expect(doubted(store)).toEqual([
        [2, 'tried'],
        [3, 'tried'],
        [4, 'tried'],
      ])
      copyAll(store)
      store.meet('http://a')
      expect(doubted(store)).toHaveLength(3)
    })

    it('doubts the last two hundred at most', () => {
      const store = open()
      for (let n = 0; n < 250; n++) store.append(event('a', n))
      copyAll(store)
      store.meet('http://a')
      expect(doubted(store).map(([id]) => id)).toEqual([...Array(200).keys()].map((n) => n + 51))
    })

    it('lets everything go to a server at another address, also over a restart, and once', () => {
      const file = join(temporaryFolder(), 'events.db')
      let time = 0
      const now = () => event('', time).at
      const store = openEmbeddedStore(file, now)
      for (const ms of [1, 2, 3]) {
        store.append(event('a', ms))
        copyAll(store)
        time += 3_600_000
      }
      store.meet('http://a')
      store.mark([2], 'kept')
      copyAll(store)
      store.close()
      const next = open(file, now)
      next.meet('http://b')
      expect(doubted(next)).toEqual([
        [1, 'tried'],
        [2, 'tried'],
        [3, 'tried'],
      ])
      next.mark([1, 2], 'copied')
      time += 3_600_000
      next.mark([3], 'copied')
      next.meet('http://b')
      expect(doubted(next)).toEqual([[3, 'tried']])
    })
  })

  describe('forgets', () => {
    const years = (count: number) => event('a', count * 365 * DAY_MS).at
    /** What another run with this clock leaves of them, and what it says. */
    function reopened(file: string, now: () => Date): { readonly count: number; readonly lines: readonly string[] } {
      const lines: string[] = []
      const store = openEmbeddedStore(file, now, (line) => lines.push(line))
      const count = store.range(new Date(0), years(50), 99_999).length
      store.close()
      return { count, lines }
    }
    function filled(...inserts: readonly string[]): string {
      const file = join(temporaryFolder(), 'events.db')
      openEmbeddedStore(file, NOW).close()
      for (const insert of inserts) execute(file, insert)
      return file
    }

    it('what ActivityWatch has and is older than its bound, and says so', () => {
      const file = filled(many(3, NOW(), 2), many(WITNESSES, event('a', MOST_DAYS * DAY_MS + 2).at, 2))
      const { count, lines } = reopened(file, () => years(9))
      expect(count).toBe(WITNESSES + 1)
      expect(lines).toEqual([
        expect.stringMatching(/^memory: 2 event\(s\) from before 2026-06-05T.* are forgotten here; ActivityWatch has them$/),
      ])
    })

    it('nothing by age that ActivityWatch may not have', () => {
      const file = filled(many(3, NOW(), 0), many(3, NOW(), 1), many(3, NOW(), 3), many(WITNESSES, years(3), 2))
      expect(reopened(file, () => years(9))).toEqual({ count: 9 + WITNESSES, lines: [] })
    })

    it('nothing because of a clock that is ahead for a start, or was for some events', () => {
      const file = filled(many(WITNESSES, NOW(), 2), many(WITNESSES - 1, years(3), 2))
      for (const now of [() => years(3), NOW, () => years(-40)])
        expect(reopened(file, now)).toEqual({ count: 2 * WITNESSES - 1, lines: [] })
    })

    it('what is too much, what ActivityWatch has first, and of that what was written first', () => {
      const file = filled(many(5, NOW(), 0), many(MOST_EVENTS, NOW(), 2))
      execute(file, 'update events set data = \'{"n":0}\' where sent = 0')
      expect(reopened(file, NOW)).toEqual({
        count: MOST_EVENTS,
        lines: [`memory: 5 event(s) are forgotten here: no more than ${MOST_EVENTS} are kept`],
      })
      execute(file, 'update events set sent = 0')
      const store = open(file)
      expect(store.oldestWaiting(7).map(({ event: { data } }) => data.n)).toEqual([0, 0, 0, 0, 0, 6, 7])
    })

    it('the oldest of all where ActivityWatch has none', () => {
      const file = filled(many(MOST_EVENTS + 7, NOW(), 0))
      const store = open(file)
      expect(store.waiting()).toBe(MOST_EVENTS)
      expect(store.oldestWaiting(1)[0]?.event.data).toEqual({ n: 8 })
    })

    it('also while it is open', () => {
      const store = open(filled(many(MOST_EVENTS, NOW(), 0)))
      for (let n = 0; n < 500; n++) store.append(event('a', n))
      expect(store.waiting()).toBe(MOST_EVENTS)
    })
  })

  it('passes over what lies ahead of the clock when it is asked for what is recent, and keeps it', () => {
    const store = open()
    for (let n = 0; n < 250; n++) store.append(event('a', 300 * DAY_MS + n))
    store.append(event('a', 9 * 60_000, { n: 2 }))
    store.append(event('a', 0, { n: 1 }))
    expect(store.latest().map(({ data }) => data.n)).toEqual([2, 1])
    expect(store.recent('a', 9).map(({ data }) => data.n)).toEqual([2, 1])
    expect(store.range(NOW(), event('', 999 * DAY_MS).at, 999)).toHaveLength(252)
    store.append(event('b', 400 * DAY_MS, { n: 3, proposal_id: 'x' }))
    store.append(event('a', 1, { n: 4, proposal_id: 'x' }))
    expect(store.latest().map(({ data }) => data.n)).toEqual([3, 2, 4, 1])
    expect(store.recent('b', 9)).toEqual([])
  })

  it('passes over a row that it cannot read, and keeps it, also where it stands in the way of others', () => {
    const file = join(temporaryFolder(), 'events.db')
    const store = open(file)
    for (const data of ['{bad', '5', 'null', '[]', '']) {
      execute(file, `insert into events (kind, at, data) values ('a', ${NOW().getTime()}, '${data}')`)
    }
    execute(file, `insert into events (kind, at, data) values ('a', 9e15, '{}')`)
    store.append(event('a', 1, { n: 1 }))
    expect(store.oldestWaiting(2)).toMatchObject([{ id: 7, event: event('a', 1, { n: 1 }) }])
    expect(store.latest()).toEqual([event('a', 1, { n: 1 })])
    expect(store.waiting()).toBe(1)
    store.mark([7], 'copied')
    expect(store.oldestWaiting(2)).toEqual([])
  })

  it('opens a file of the version before, and doubts what was brought over last by when it happened', () => {
    const file = join(temporaryFolder(), 'events.db')
    execute(
      file,
      `create table events (id integer primary key autoincrement, kind text not null, at integer not null, data text not null,
        sent integer not null default 0) strict;
      create index events_at on events (at, id);
      create index events_kind on events (kind, at, id);
      create index events_sent on events (id) where sent in (0, 1);
      insert into events (kind, at, data, sent) values ('a', ${NOW().getTime() - 90_000}, '{"n":1}', 2), ('a', ${NOW().getTime()}, '{"n":2}', 2);
      pragma user_version = 1`,
    )
    const store = openEmbeddedStore(file, NOW)
    expect(store.latest().map(({ data }) => data.n)).toEqual([2, 1])
    store.meet('http://a')
    expect(store.oldestWaiting(9)).toMatchObject([{ id: 2, sent: 'tried' }])
    store.append(event('a', 1, { n: 3 }))
    store.close()
    expect(open(file).latest()).toHaveLength(3)
  })

  it('leaves a file alone that a later version wrote, that is no database, or that is a folder', () => {
    const folder = temporaryFolder()
    const later = join(folder, 'later.db')
    const store = openEmbeddedStore(later, NOW)
    store.close()
    const DatabaseSync = sqliteClass()
    const database = new DatabaseSync(later, {})
    database.exec('pragma user_version = 1000')
    database.close()
    expect(() => openEmbeddedStore(later, NOW)).toThrow('later version')
    const text = join(folder, 'text.db')
    writeFileSync(text, 'not a database at all, but long enough to be looked at as one. '.repeat(40))
    expect(() => openEmbeddedStore(text, NOW)).toThrow()
    expect(statSync(text).size).toBe(63 * 40)
    mkdirSync(join(folder, 'a.db'))
    expect(() => openEmbeddedStore(join(folder, 'a.db'), NOW)).toThrow()
  })

  it('lies where the platform keeps the data of applications', () => {
    const home = join('/', 'home', 'me')
    const place = (platform: NodeJS.Platform, env = {}) => defaultStoreFile({ env, home, platform })
    expect(place('linux')).toBe(join(home, '.local', 'share', 'keel', 'events.db'))
    expect(place('linux', { XDG_DATA_HOME: '/data' })).toBe(join('/data', 'keel', 'events.db'))
    expect(place('darwin')).toBe(join(home, 'Library', 'Application Support', 'keel', 'events.db'))
    expect(place('win32')).toBe(join(home, 'AppData', 'Local', 'keel', 'events.db'))
  })
})
