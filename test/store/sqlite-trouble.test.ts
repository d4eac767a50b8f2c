/** What a store file goes through in real life: other processes, full disks, missing rights, damage, other versions. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LocalBackend } from '../../src/memory/local.ts'
import { localBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import { openStore, storePath } from '../../src/store/open.ts'
import { migrate, SCHEMA } from '../../src/store/sql/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { sqliteDriver } from '../../src/store/sqlite/sqlite-driver.ts'
import { packageFile } from '../../src/util/package-root.ts'
import { sqliteClass } from '../../src/util/sqlite.ts'
import { realSystem } from '../../src/util/system.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { program, run } from '../helpers/programs.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const embedder = fakeEmbedder()
let storeProgram: string

beforeAll(async () => {
  storeProgram = await program('store-program')
})

function openDb(db: string): Promise<LocalBackend> {
  return openLocal({ db, embedder })
}

/** A store with the files `old` and `other`, closed again. */
async function smallStore(db = join(temporaryFolder(), 'memory.db')): Promise<string> {
  const backend = await openDb(db)
  await backend.commitResults({
    recall_files: [
      { name: 'old', content: 'first line\nsecond line' },
      { name: 'other', content: 'other words' },
    ],
  })
  await backend.close()
  return db
}

async function contents(db: string): Promise<string[]> {
  const backend = await openDb(db)
  const { recall_files } = await backend.listAllRecallFiles()
  const { problems, withoutVector } = await backend.inspect({ integrity: true })
  expect(problems).toEqual([])
  expect(withoutVector).toBe(0)
  await backend.close()
  return recall_files.map(({ name, content }) => `${name}: ${content}`)
}

function node(...args: string[]) {
  return run(process.execPath, [storeProgram, ...args])
}

describe('the file', () => {
  test.skipIf(process.platform === 'win32')('is private to its user, and so are its log, its index and its folder', async () => {
    const folder = join(temporaryFolder(), 'new', 'folder')
    const db = join(folder, 'memory.db')
    const backend = await openDb(db)
    await backend.commitResults({ recall_files: [{ name: 'a', content: 'b' }] })
    const modes = fs.readdirSync(folder).map((name) => [name, fs.statSync(join(folder, name)).mode & 0o777])
    expect(modes).toEqual([
      ['memory.db', 0o600],
      ['memory.db-shm', 0o600],
      ['memory.db-wal', 0o600],
    ])
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    await backend.close()
  })

  test('holds everything by itself once the store is closed', async () => {
    const db = await smallStore()
    const copy = join(temporaryFolder(), 'copy.db')
    fs.copyFileSync(db, copy)
    expect(await contents(copy)).toEqual(['old: first line\nsecond line', 'other: other words'])
  })

  test('may have any name', async () => {
    const db = join(temporaryFolder(), "odd % # ? & ' name.db")
    await smallStore(db)
    expect(await contents(db)).toHaveLength(2)
  })

  test('is named by a path, by ~, or by a sqlite URL', () => {
    const system = { ...realSystem(), home: '/home/dev', cwd: '/srv' }
    expect(storePath('~/.memu/memory.db', system)).toBe('/home/dev/.memu/memory.db')
    expect(storePath('memory.db', system)).toBe('/srv/memory.db')
    expect(storePath('sqlite:////var/memory.db', system)).toBe('/var/memory.db')
    expect(storePath('sqlite:///memory.db', system)).toBe('/srv/memory.db')
    expect(storePath('sqlite:///~/memory.db', system)).toBe('/home/dev/memory.db')
  })

  test('of another kind of store is refused with what to use', async () => {
    await expect(openStore('postgres://dev:secret@host/db', realSystem())).rejects.toMatchObject({ code: 'store_unsupported', exit: 2 })
    await expect(openStore('mysql://host/db', realSystem())).rejects.toMatchObject({ code: 'store_unsupported', exit: 2 })
  })

  test('that does not exist is an empty memory for a reader, who does not create it', async () => {
    const db = join(temporaryFolder(), 'memory.db')
    const backend = await openLocal({ db, embedder, readOnly: true })
    expect(await backend.progressiveRetrieve('anything')).toMatchObject({
      segments: [],
      files: [],
      notice: expect.stringContaining('first commit'),
    })
    // What cannot be kept is not taken.
    await expect(backend.commitResults({ recall_files: [{ name: 'a', content: 'b' }] })).rejects.toMatchObject({ code: 'store_readonly' })
    expect((await backend.inspect()).location).toBe(db)
    await backend.close()
    expect(fs.existsSync(db)).toBe(false)
  })
})

describe('other versions', () => {
  test('a newer schema is refused and left alone', async () => {
    const db = await smallStore()
    const raw = new (sqliteClass())(db, {})
    raw.exec(`update meta set value = '${SCHEMA + 1}' where key = 'schema'`)
    raw.close()
    for (const readOnly of [true, false]) {
      await expect(openSqlite(db, { readOnly })).rejects.toMatchObject({ code: 'store_newer', exit: 2 })
    }
  })

  test('a store of the Python memU is refused with the command that imports it', async () => {
    const db = join(temporaryFolder(), 'python.db')
    const raw = new (sqliteClass())(db, {})
    raw.exec('create table memu_recall_files (id text); create table memu_resources (id text)')
    raw.close()
    const before = fs.readFileSync(db)
    const refused = { code: 'store_foreign', exit: 2, hint: expect.stringMatching(/new file.*memu import.*later version/) }
    await expect(openSqlite(db)).rejects.toMatchObject(refused)
    await expect(openSqlite(db, { readOnly: true })).rejects.toMatchObject(refused)
    // The second byte pair of the header tells the journal mode; the rows are as they were.
    expect(fs.readFileSync(db).subarray(100)).toEqual(before.subarray(100))
  })

  test('an older schema is migrated step by step, after a private copy was made beside it', async () => {
    const db = await smallStore()
    const driver = sqliteDriver(new (sqliteClass())(db, {}), db)
    const same = () => []
    await migrate(driver, [same, () => ['create table added (x integer)'], () => ['alter table added add column y integer']])
    expect(await driver.all('select x, y from added')).toEqual([])
    await driver.close()
    const backups = fs.readdirSync(join(db, '..')).filter((name) => name.includes('backup'))
    expect(backups).toHaveLength(1)
    const backup = join(db, '..', backups[0]!)
    if (process.platform !== 'win32') expect(fs.statSync(backup).mode & 0o777).toBe(0o600)
    expect(await contents(backup)).toHaveLength(2)
  })

  test('a migration that fails leaves the old schema', async () => {
    const db = await smallStore()
    const driver = sqliteDriver(new (sqliteClass())(db, {}), db)
    await expect(migrate(driver, [() => [], () => ['create table added (x integer)', 'not sql']])).rejects.toMatchObject({
      code: 'store_failed',
    })
    await driver.close()
    expect(await contents(db)).toHaveLength(2)
  })
})

describe('damage', () => {
  test('a folder in place of the store is named as that, for reading and for writing', async () => {
    const folder = temporaryFolder()
    const refused = { code: 'store_unreachable', exit: 2, message: expect.stringContaining('is a folder'), hint: expect.stringContaining(join(folder, 'memory.db')) } // biome-ignore format: one line
    await expect(openSqlite(folder)).rejects.toMatchObject(refused)
    await expect(openSqlite(folder, { readOnly: true })).rejects.toMatchObject(refused)
  })

  test('a file that is no database is refused, and kept', async () => {
    const db = join(temporaryFolder(), 'memory.db')
    fs.writeFileSync(db, 'These are my notes, not a database.\n'.repeat(200))
    await expect(openSqlite(db)).rejects.toMatchObject({ code: 'store_corrupt', hint: expect.stringContaining('memu-<host> commit') })
    await expect(openSqlite(db, { readOnly: true })).rejects.toMatchObject({ code: 'store_corrupt' })
    expect(fs.readFileSync(db, 'utf8')).toContain('my notes')
  })

  test('an index that names a file that is not there is called damaged', async () => {
    const db = await smallStore()
    const DatabaseSync = sqliteClass()
    const database = new DatabaseSync(db, {})
    database.exec('pragma foreign_keys = off; delete from files')
    database.close()
    const reader = await openLocal({ db, embedder, readOnly: true })
    await expect(reader.progressiveRetrieve('second')).rejects.toMatchObject({ code: 'store_corrupt' })
    await reader.close()
  })

  test.skipIf(process.platform === 'win32')('a pipe in the place of the store is refused at once, by readers and writers', async () => {
    const pipe = join(temporaryFolder(), 'memory.db')
    execFileSync('mkfifo', [pipe])
    for (const readOnly of [true, false]) {
      await expect(openLocal({ db: pipe, embedder, readOnly })).rejects.toMatchObject({ code: 'store_unreachable', exit: 2 })
    }
  })

  test('overwritten pages are found by the integrity check or refused, never answered from', async () => {
    const db = await smallStore()
    const size = fs.statSync(db).size
    const file = fs.openSync(db, 'r+')
    for (let at = 4096; at < size; at += 4096) fs.writeSync(file, Buffer.alloc(2048, 0xa5), 0, 2048, at)
    fs.closeSync(file)
    await expect(
      (async () => {
        const backend = await openDb(db)
        const { problems } = await backend.inspect({ integrity: true })
        if (problems!.length > 0) throw Object.assign(new Error(), { code: 'store_corrupt' })
      })(),
    ).rejects.toMatchObject({ code: 'store_corrupt' })
  })
})

describe('rights and space', () => {
  test.skipIf(process.getuid?.() !== 0)('a folder without the right to write: reading works, writing says why', async () => {
    const folder = temporaryFolder()
    const db = await smallStore(join(folder, 'memory.db'))
    const before = fs.readdirSync(folder)
    fs.chmodSync(db, 0o444)
    fs.chmodSync(folder, 0o555)
    // The program's own folder may be closed to others; a copy in an open one, installed like the package, is not.
    const open = temporaryFolder()
    const copy = join(open, 'program.cjs')
    fs.chmodSync(open, 0o755)
    fs.copyFileSync(storeProgram, copy)
    fs.writeFileSync(join(open, 'package.json'), '{}')
    const sqlite = join('node_modules', '@photostructure', 'sqlite', 'prebuilds')
    fs.cpSync(packageFile(sqlite), join(open, sqlite), { recursive: true })
    const as = (...args: string[]) => run(process.execPath, [copy, ...args], { uid: 65534, gid: 65534, cwd: '/' }).ended
    expect(await as('retrieve', db, 'second')).toMatchObject({ code: 0, stdout: expect.stringContaining('second line') })
    const refused = await as('commit', db)
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'store_unreachable', hint: expect.any(String) })
    const elsewhere = await as('commit', join(folder, 'new', 'memory.db'))
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ code: 'store_unreachable' })
    fs.chmodSync(folder, 0o755)
    // The closed connection of this process may remove its own two files at any time; new ones have no place here.
    expect(fs.readdirSync(folder).filter((name) => !before.includes(name))).toEqual([])
  })

  test.skipIf(process.platform === 'win32')('a file-size limit in the middle of a commit: a clear error, and the old state', async () => {
    const db = await smallStore()
    // In blocks of 512 or 1024 bytes, as the shell counts; the commit needs several megabytes.
    const limited = run('sh', ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, storeProgram, 'commit-large', db, 'large'])
    const { code, stdout } = await limited.ended
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      code: expect.stringMatching(/^(disk_full|store_io)$/),
      message: expect.stringContaining('nothing was'),
    })
    expect(await contents(db)).toEqual(['old: first line\nsecond line', 'other: other words'])
  })

  test('a full database says so and keeps the old state', async () => {
    const db = await smallStore()
    const raw = new (sqliteClass())(db, {})
    raw.exec('pragma max_page_count = 1')
    const { sqlStore } = await import('../../src/store/sql/sql-store.ts')
    const backend = localBackend({ store: sqlStore(sqliteDriver(raw, db)), embedder: async () => embedder, now: () => new Date() })
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`)
    await expect(backend.commitResults({ recall_files: [{ name: 'large', content: lines.join('\n') }] })).rejects.toMatchObject({
      code: 'disk_full',
    })
    // The connection is of use again.
    expect((await backend.listAllRecallFiles()).recall_files).toHaveLength(2)
    await backend.close()
    expect(await contents(db)).toHaveLength(2)
  })
})

describe('other processes', () => {
  test('a store that another process is writing: readers answer, a writer gives up with a clear error', async () => {
    const db = await smallStore()
    const hold = `
      const { DatabaseSync } = require(${JSON.stringify(require.resolve('@photostructure/sqlite'))})
      const db = new DatabaseSync(process.argv[1])
      db.exec("begin immediate; delete from files")
      console.log('locked')
      process.stdin.resume().on('end', () => process.exit())`
    const holder = run(process.execPath, ['-e', hold, db])
    await holder.printed('locked')
    const reader = await openLocal({ db, embedder, readOnly: true })
    expect((await reader.progressiveRetrieve('second')).segments[0]!.text).toBe('second line')
    await reader.close()
    const writer = (await openSqlite(db, { busyTimeout: 100 }))!
    await expect(
      writer.apply({ scope: { user_id: '', agent_id: '' }, space: embedder.space, now: '', files: [], resources: [], forget: [] }),
    ).rejects.toMatchObject({
      code: 'store_busy',
    })
    await writer.close()
    holder.child.stdin!.end()
    await holder.ended
    expect(await contents(db)).toHaveLength(2)
  })

  test('a store that another process holds whole: a reader says so within a prompt’s patience', async () => {
    // Made by a process that has ended: no connection of this one may stand in the way.
    const db = join(temporaryFolder(), 'memory.db')
    expect(await run(process.execPath, [storeProgram, 'commit', db]).ended).toMatchObject({ code: 0 })
    const hold = `
      const { DatabaseSync } = require(${JSON.stringify(require.resolve('@photostructure/sqlite'))})
      const db = new DatabaseSync(process.argv[1])
      db.exec("pragma locking_mode = exclusive; pragma journal_mode = delete; begin exclusive")
      console.log('locked')
      process.stdin.resume().on('end', () => process.exit())`
    const holder = run(process.execPath, ['-e', hold, db])
    await holder.printed('locked')
    // The timeout of the test is the proof: a writer would have waited for fifteen seconds.
    await expect(openLocal({ db, embedder, readOnly: true })).rejects.toMatchObject({ code: 'store_busy' })
    holder.child.stdin!.end()
    await holder.ended
  }, 10_000)

  test('two processes that commit at once, the same file among others: both come through', async () => {
    const db = join(temporaryFolder(), 'memory.db')
    const results = await Promise.all(['dev', 'ops'].map((name) => node('commit-many', db, name).ended))
    expect(results).toMatchObject([
      { code: 0, stdout: '"committed"\n' },
      { code: 0, stdout: '"committed"\n' },
    ])
    const found = await contents(db)
    expect(found).toHaveLength(31)
    const backend = await openDb(db)
    expect(await backend.history({ track: 'memory', name: 'shared' })).toHaveLength(30)
    const [hit] = (await backend.progressiveRetrieve('written by ops in round 7')).segments
    expect(hit!.text).toBe('written by ops in round 7')
    await backend.close()
  })

  test('killed before any statement of a commit, a process leaves the old state or the new one', async () => {
    const old = ['old: first line\nsecond line', 'other: other words']
    const renewed = ['new: first new line\nsecond new line', 'old: replaced line\nsecond line']
    const template = await smallStore()
    const db = join(temporaryFolder(), 'memory.db')
    let killed = 0
    for (let statement = 1; ; statement += 3) {
      for (const suffix of ['', '-wal', '-shm']) fs.rmSync(db + suffix, { force: true })
      fs.copyFileSync(template, db)
      const { signal, stdout } = await node('die-at', db, String(statement)).ended
      const after = await contents(db)
      if (signal === null) {
        expect(stdout).toBe('"survived"\n')
        expect(after).toEqual(renewed)
        break
      }
      killed++
      expect(signal).toBe('SIGKILL')
      expect(after).toEqual(old)
    }
    expect(killed).toBeGreaterThan(10)
  })
})

const require = createRequire(import.meta.url)
