import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MOST_DAYS, MOST_EVENTS, openEmbeddedStore } from '../../../src/keel/memory/embedded-store.ts'
import { defaultStoreFile } from '../../../src/keel/memory/place.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { event, eventStoreContract } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = () => event('a', 0).at

function open(file = join(temporaryFolder(), 'keel', 'events.db'), now = NOW) {
  const store = openEmbeddedStore(file, now)
  onTestFinished(() => store.close())
  return store
}

eventStoreContract({ name: 'the embedded store', open: async () => open() })

const unix = process.platform === 'win32' ? it.skip : it

describe('the embedded store', () => {
  it('keeps its events over a restart', async () => {
    const file = join(temporaryFolder(), 'events.db')
    const store = openEmbeddedStore(file, NOW)
    await store.record(event('a', 1, { n: 1 }))
    store.close()
    expect(await open(file).latest()).toEqual([event('a', 1, { n: 1 })])
  })

  it('keeps what another connection wrote that never closed, as after a crash', async () => {
    const file = join(temporaryFolder(), 'events.db')
    open(file).append(event('a', 1, { n: 1 }))
    expect(await open(file).latest()).toHaveLength(1)
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
    expect(store.unshared(10).map(({ kind }) => kind)).toEqual(['a', 'b'])
    expect(store.unshared(10, 'b')).toHaveLength(1)
    expect(store.unsharedIn(event('', 2).at, event('', 9).at, 10).map(({ kind }) => kind)).toEqual(['a'])
    expect(store.unshared(0)).toEqual([])
  })

  it('doubts of what was brought over only what is of the last minute', () => {
    const store = open()
    for (const ms of [0, 5_000, 65_000]) store.append(event('a', ms))
    const ids = store.oldestWaiting(3).map(({ id }) => id)
    store.mark(ids.slice(0, 2), 'copied')
    store.mark(ids.slice(2), 'kept')
    store.doubtNewest()
    expect(store.oldestWaiting(9)).toMatchObject([{ id: ids[1], sent: 'tried' }])
  })

  it('forgets what is older than its bound, when it is opened', async () => {
    const file = join(temporaryFolder(), 'events.db')
    open(file).append(event('a', 0))
    expect(await open(file, () => event('a', MOST_DAYS * DAY_MS).at).latest()).toHaveLength(1)
    expect(await open(file, () => event('a', MOST_DAYS * DAY_MS + 1).at).latest()).toEqual([])
  })

  it('holds a bounded number of events, and loses the ones written first', async () => {
    const file = join(temporaryFolder(), 'events.db')
    openEmbeddedStore(file, NOW).close()
    const DatabaseSync = sqliteClass()
    const database = new DatabaseSync(file, {})
    database.exec(`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${MOST_EVENTS + 7})
      insert into events (kind, at, data) select 'a', ${NOW().getTime()} + n, '{"n":' || n || '}' from numbers
    `)
    database.close()
    const store = open(file)
    expect(store.waiting()).toBe(MOST_EVENTS)
    expect(store.oldestWaiting(1)[0]?.event.data).toEqual({ n: 8 })
  })

  it('refuses an event without a time', () => {
    expect(() => open().append({ kind: 'a', at: new Date(Number.NaN), data: {} })).toThrow('no time')
  })

  it('leaves a file alone that a later version wrote, that is no database, or that is a folder', () => {
    const folder = temporaryFolder()
    const later = join(folder, 'later.db')
    const store = openEmbeddedStore(later, NOW)
    store.close()
    const DatabaseSync = sqliteClass()
    const database = new DatabaseSync(later, {})
    database.exec('pragma user_version = 2')
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
