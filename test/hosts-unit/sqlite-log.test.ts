import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { immutable } from '../../src/hosts/sqlite/connection.ts'
import {
  jsonOf,
  largeColumn,
  openSqliteLog,
  type PlacedRow,
  type Row,
  type RowDialect,
  readRows,
  type SqliteLog,
  textOf,
  VALUE_LIMIT,
} from '../../src/hosts/sqlite-log.ts'
import type { SessionRecord, SourceCursor } from '../../src/hosts/transcript-source.ts'
import { type Database, sqliteClass } from '../../src/util/sqlite.ts'
import { sqliteWriter } from '../helpers/sqlite-writer.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { unprivileged } from '../helpers/unprivileged.ts'

type Journal = 'wal' | 'delete'

/** A database with the table `log`, still held open by who wrote it. */
function written(path: string, journal: Journal = 'wal', rows = 3): Database {
  const database = new (sqliteClass())(path, {})
  onTestFinished(() => ended(database))
  database.exec(`pragma journal_mode = ${journal}; create table log (seq integer primary key, data text)`)
  append(database, 1, rows)
  return database
}

function ended(database: Database): void {
  try {
    database.close()
  } catch {
    // The test has closed it.
  }
}

/** By `exec` alone: on Node 20 a prepared statement keeps a closed database open until it is collected. */
function append(database: Database, from: number, count: number): void {
  database.exec(`
    with recursive n (seq) as (select ${from} union all select seq + 1 from n where seq + 1 < ${from + count})
    insert into log select seq, json_object('text', 'row ' || seq) from n where ${count} > 0
  `)
}

function opened(path: string): SqliteLog {
  const log = openSqliteLog(path)
  onTestFinished(() => log.close())
  return log
}

const count = (log: SqliteLog) => log.first('select count(*) as n from log')?.n

describe('a host’s database, opened to be read', () => {
  it.each(['wal', 'delete'] as const)('shows what a live writer has committed, and nothing else (%s)', (journal) => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, journal)
    const log = opened(path)
    expect(count(log)).toBe(3)
    append(writer, 4, 2)
    expect(count(log)).toBe(5)
    writer.exec(`begin immediate; insert into log values (9, '{}')`)
    expect(count(log)).toBe(5)
    writer.exec('rollback')
  })

  it.each(['wal', 'delete'] as const)('cannot change it, and leaves the folder as it was (%s)', (journal) => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    written(path, journal).close()
    const before = fs.readdirSync(folder)
    const bytes = fs.readFileSync(path)
    const log = opened(path)
    for (const sql of [`insert into log values (9, 'x')`, 'delete from log', 'create table t (a)', 'pragma user_version = 5', 'vacuum']) {
      expect(() => log.first(sql), sql).toThrow()
    }
    expect(count(log)).toBe(3)
    log.close()
    log.close()
    expect(fs.readdirSync(folder)).toEqual(before)
    expect(fs.readFileSync(path)).toEqual(bytes)
  })

  it('notices that a database at rest is written again, and sees all of it', () => {
    const path = join(temporaryFolder(), 'a.db')
    written(path).close()
    const log = opened(path)
    expect(count(log)).toBe(3)
    const writer = new (sqliteClass())(path, {})
    onTestFinished(() => writer.close())
    append(writer, 4, 2)
    expect(count(log)).toBe(5)
    append(writer, 6, 1)
    expect(count(log)).toBe(6)
  })

  it('reads of one moment what is read in one snapshot, and runs it again where a writer came in between', () => {
    const path = join(temporaryFolder(), 'a.db')
    written(path).close()
    const log = opened(path)
    let runs = 0
    const counts = log.snapshot(() => {
      const first = count(log)
      if (++runs === 1) {
        const writer = new (sqliteClass())(path, {})
        append(writer, 4, 2)
        writer.close()
      }
      return [first, count(log)]
    })
    expect(counts).toEqual([5, 5])
    expect(runs).toBe(2)
  })

  it.each(['wal', 'delete'] as const)('does not hold up a program that writes without a pause (%s)', async (journal) => {
    const path = join(temporaryFolder(), 'a.db')
    written(path, journal, 2_000).close()
    const writer = await sqliteWriter(path, 'commit')
    const log = opened(path)
    for (let i = 0; i < 20; i++) {
      expect(count(log)).toBe(2_000)
      await new Promise(setImmediate)
    }
    const { commits, errors } = await writer.end()
    expect(errors).toEqual([])
    expect(commits).toBeGreaterThan(0)
  })

  it('waits for a program that holds the whole file', async () => {
    const path = join(temporaryFolder(), 'a.db')
    written(path, 'delete').close()
    const writer = await sqliteWriter(path, 'hold')
    expect(count(opened(path))).toBe(3)
    expect(await writer.end()).toEqual({ commits: 1, errors: [] })
  })

  it('is not created where it is missing, and nothing but a regular file is opened', () => {
    const folder = temporaryFolder()
    const refused = expect.objectContaining({ code: 'session_unreadable' }) as Error
    expect(() => openSqliteLog(join(folder, 'none.db'))).toThrow(refused)
    expect(() => openSqliteLog(join(folder, 'none.db'))).toThrow('it is gone')
    expect(fs.readdirSync(folder)).toEqual([])
    expect(() => openSqliteLog(folder)).toThrow(refused)
    if (process.platform === 'win32') return
    written(join(folder, 'a.db')).close()
    fs.symlinkSync(join(folder, 'a.db'), join(folder, 'link.db'))
    expect(() => openSqliteLog(join(folder, 'link.db'))).toThrow('it is not a regular file')
  })

  it.each([
    ['text', Buffer.from('this is a diary and no database. '.repeat(100))],
    ['a header and no more', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84, 1)])],
  ])('says of %s that it is no database', (_, bytes) => {
    const path = join(temporaryFolder(), 'a.db')
    fs.writeFileSync(path, bytes)
    expect(() => count(openSqliteLog(path))).toThrow(
      expect.objectContaining({ code: 'session_unreadable', message: expect.stringContaining(path) as string }) as Error,
    )
  })

  it('reads an empty file as a database without tables', () => {
    const path = join(temporaryFolder(), 'a.db')
    fs.writeFileSync(path, '')
    expect(opened(path).columns('log')).toEqual(new Set())
  })

  it('says which page of a damaged database stops it, and reads the rest', () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'wal', 20_000)
    writer.exec('pragma wal_checkpoint(truncate)')
    writer.close()
    const bytes = fs.readFileSync(path)
    bytes.fill(0xff, bytes.length - 2 * 4096)
    fs.writeFileSync(path, bytes)
    const log = opened(path)
    expect(log.first('select data from log where seq = 1')).toEqual({ data: '{"text":"row 1"}' })
    expect(() => log.all('select data from log')).toThrow(/damaged/)
    expect(log.first('select data from log where seq = 2')).toEqual({ data: '{"text":"row 2"}' })
  })

  it.skipIf(process.platform === 'win32')('reads a database in a folder that cannot be written', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    written(path).close()
    fs.writeFileSync(`${path}-wal`, '') // What a program that read it may have left behind.
    fs.chmodSync(path, 0o444)
    fs.chmodSync(folder, 0o555)
    await unprivileged(folder, async () => expect(count(opened(path))).toBe(3))
    fs.chmodSync(folder, 0o700)
  })

  it.skipIf(process.platform === 'win32')('refuses to overlook changes that wait in a log which it may not replay', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    const writer = written(path)
    const copy = join(folder, 'copy')
    fs.mkdirSync(copy)
    for (const suffix of ['', '-wal']) fs.copyFileSync(path + suffix, join(copy, `a.db${suffix}`))
    writer.close()
    for (const suffix of ['', '-wal']) fs.chmodSync(join(copy, `a.db${suffix}`), 0o444)
    fs.chmodSync(copy, 0o555)
    await unprivileged(folder, async () => {
      expect(() => openSqliteLog(join(copy, 'a.db'))).toThrow(expect.objectContaining({ code: 'session_unreadable' }) as Error)
    })
    fs.chmodSync(copy, 0o700)
  })

  it.each([
    ['/home/u/a b?c#d%20e.db', false, 'file:///home/u/a%20b%3Fc%23d%2520e.db?immutable=1'],
    ['C:\\Users\\ü\\a.db', true, 'file:///C:/Users/%C3%BC/a.db?immutable=1'],
    ['\\\\server\\share\\a.db', true, 'file:////server/share/a.db?immutable=1'],
  ])('is named %s as SQLite understands it', (path, windows, url) => {
    expect(immutable(path, windows)).toBe(url)
  })

  it('tells which columns a table has, so that old and new schemas can be read', () => {
    const path = join(temporaryFolder(), 'a.db')
    written(path)
    const log = opened(path)
    expect(log.columns('log')).toEqual(new Set(['seq', 'data']))
    expect(log.columns('nothing')).toEqual(new Set())
  })
})

describe('large values', () => {
  const value = (data: string): Row => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'wal', 0)
    writer.prepare('insert into log values (1, ?)').run(data)
    return opened(path).first(`select ${largeColumn('data')} from log`) as Row
  }

  it('gives up a value that is too long to be loaded, and says so', () => {
    const { data, data_bytes } = value('x'.repeat(VALUE_LIMIT + 1))
    expect(data).toBeNull()
    for (const read of [jsonOf, textOf]) expect(() => read(data, data_bytes)).toThrow('too long')
  })

  it('shortens a picture in a long value, and keeps the words around it', () => {
    const { data, data_bytes } = value(JSON.stringify({ text: 'before', image: 'QUJD'.repeat(3_000_000), after: 'words' }))
    const read = jsonOf(data, data_bytes)
    expect(read).toMatchObject({ text: 'before', after: 'words' })
    expect(JSON.stringify(read).length).toBeLessThan(10_000)
  })

  it('takes what is no object for damaged, and null for no text', () => {
    for (const data of ['{"a":1', '[1]', '', 'null', '{"a":1}{"b":2}']) expect(() => jsonOf(data), data).toThrow()
    expect(jsonOf('\uFEFF{"a":1}\0')).toEqual({ a: 1 })
    expect(textOf(null)).toBeUndefined()
    expect(textOf(7)).toBe('7')
    expect(textOf('')).toBe('')
  })
})

describe('the rows of a session', () => {
  interface State {
    rows: number
  }

  const dialect: RowDialect<State, Row> = {
    restore: (stored) => ({ rows: Number(stored?.rows ?? 0) }),
    *rows(log, after): Iterable<PlacedRow<Row>> {
      const from = Number(after ?? 0)
      for (const row of log.each(`select seq, ${largeColumn('data')} from log where seq > ? order by seq`, from)) {
        yield { place: Number(row.seq), row }
      }
    },
    mark(log, place) {
      const sql = 'select (select count(*) from log where seq <= ?) as n, data from log where seq = ?'
      const row = log.first(sql, Number(place), Number(place))
      return row && [row.n ?? null, row.data ?? null]
    },
    classify(row, state): SessionRecord[] {
      const { text } = jsonOf(row.data, row.data_bytes)
      state.rows++
      return [{ kind: 'message', role: 'user', text: String(text), key: String(text) }]
    },
    facts: ({ rows }) => ({ title: `${rows} rows` }),
  }

  async function read(log: SqliteLog, since?: SourceCursor, using = dialect) {
    const texts: string[] = []
    const result = await readRows(log, using, { since, emit: ({ text }) => void texts.push(text), signal: undefined })
    return { texts, ...result, cursor: JSON.parse(JSON.stringify(result.cursor)) as SourceCursor }
  }

  const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `row ${from + i}`)

  it('come in order and in full over many pages, and then only what is new', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'wal', 12_345)
    const log = opened(path)
    const first = await read(log)
    expect(first.texts).toEqual(rows(1, 12_345))
    expect(first).toMatchObject({ restarted: false, bad: 0, facts: { title: '12345 rows' } })
    expect(await read(log, first.cursor)).toMatchObject({ texts: [], restarted: false })
    append(writer, 12_346, 2)
    expect(await read(log, first.cursor)).toMatchObject({
      texts: rows(12_346, 12_347),
      restarted: false,
      facts: { title: '12347 rows' },
    })
  })

  it('are read from the start where earlier ones are other ones now', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'wal', 10)
    const log = opened(path)
    for (const change of [
      'delete from log where seq = 3',
      'delete from log where seq = 10',
      `update log set data = '{"text":"other"}' where seq = 9`,
    ]) {
      const { cursor } = await read(log)
      writer.exec(change)
      const { restarted, texts } = await read(log, cursor)
      expect(restarted, change).toBe(true)
      expect(texts[0]).toBe('row 1')
    }
  })

  it('are read from the start next time where the host rewrote them while they were read', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'wal', 5_000)
    const log = opened(path)
    const counted = { ...dialect, generation: (of: SqliteLog) => of.first('pragma user_version')?.user_version ?? null }
    let seen = 0
    const emit = (): void => {
      if (++seen === 10) writer.exec('pragma user_version = 2')
    }
    const { cursor } = await readRows(log, counted, { since: undefined, emit, signal: undefined })
    expect(seen).toBeLessThan(5_000)
    expect(await read(log, cursor, counted)).toMatchObject({ restarted: true, texts: rows(1, 5_000) })
  })

  it('come to an end though all of them claim one place, and are read anew next time', async () => {
    const path = join(temporaryFolder(), 'a.db')
    written(path, 'wal', 5_000)
    const log = opened(path)
    const stuck = {
      ...dialect,
      *rows(of: SqliteLog) {
        for (const row of of.each('select * from log')) yield { place: 1, row }
      },
    }
    const first = await read(log, undefined, stuck)
    expect(first.texts.length).toBeGreaterThan(0)
    expect((await read(log, first.cursor)).restarted).toBe(true)
  })

  it('cost themselves alone where they are damaged', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path)
    writer.exec(`insert into log values (4, '{"text":'), (5, null), (6, x'ff00'), (7, '{"text":"row 7"}')`)
    const { texts, bad, firstBad } = await read(opened(path))
    expect(texts).toEqual([...rows(1, 3), 'row 7'])
    expect(bad).toBe(3)
    expect(firstBad).toEqual({ record: 4, reason: 'not JSON' })
  })

  it('let a writer commit while they are handed out, and a signal stop them', async () => {
    const path = join(temporaryFolder(), 'a.db')
    const writer = written(path, 'delete', 5_000)
    const stop = new AbortController()
    let seen = 0
    const emit = (): void => {
      if (++seen === 3_000) writer.exec('delete from log where seq > 4000')
      if (seen === 3_500) stop.abort(new Error('enough'))
    }
    const reading = readRows(opened(path), dialect, { since: undefined, emit, signal: stop.signal })
    await expect(reading).rejects.toThrow('enough')
    expect(seen).toBe(3_500)
  })
})
