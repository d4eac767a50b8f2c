/**
 * What a host must do whose sessions lie in a SQLite database: read beside a live writer, in either journal mode, so that neither
 * feels the other, and never touch the file. Run beside `hostContract` by hosts whose fixture names its `database`.
 */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SessionRef } from '../../src/hosts/transcript-source.ts'
import { type Database, sqliteClass } from '../../src/util/sqlite.ts'
import { sqliteWriter } from '../helpers/sqlite-writer.ts'
import { unprivileged } from '../helpers/unprivileged.ts'
import { type HostWorld, hostWorld, said, stored, talk } from './host/world.ts'
import type { HostLogFixture } from './host-log.ts'
import { noReport, type Read, readAll } from './transcript-source.ts'

const MODES = ['wal', 'delete'] as const
const unreadable = expect.objectContaining({ code: 'session_unreadable' }) as Error

export function sqliteHostContract(fixture: HostLogFixture): void {
  describe(`${fixture.name ?? fixture.spec.title}: the contract of a host with a database`, () => {
    describe.each(MODES)('in %s mode', (mode) => {
      it('sees what is committed and nothing else while a writer is in the middle of a change', async () => {
        const { w, writer } = await beside(fixture, mode)
        writer.exec('begin immediate')
        for (const table of tablesOf(writer)) writer.exec(`delete from "${table}"`)
        const { texts, cursor } = await w.read(w.first)
        expect(texts).toEqual(said(talk(1, 6)))
        writer.exec('rollback')
        expect(await w.read(w.first, stored(cursor))).toMatchObject({ texts: [], restarted: false })
      })

      it('lets a writer that will not wait commit between two records that it hands out, and bring its log into the file', async () => {
        const { w, writer } = await beside(fixture, mode)
        writer.exec('pragma busy_timeout = 0; create table memu_test_probe (n integer)')
        const session = w.ref(w.first)
        let commits = 0
        await w.source.read(session, undefined, () => {
          writer.exec('begin immediate; insert into memu_test_probe values (1); commit')
          expect(writer.prepare('pragma wal_checkpoint(truncate)').get()).toMatchObject({ busy: 0 })
          commits++
        })
        expect(commits).toBe(6)
      })

      it('neither disturbs a program that commits all the time nor is disturbed by it', async () => {
        const { w, path, writer } = await beside(fixture, mode)
        const program = await sqliteWriter(path, 'commit')
        for (let round = 0; round < 20; round++) expect((await w.read(w.first)).texts).toEqual(said(talk(1, 6)))
        const { commits, errors } = await program.end()
        expect(errors).toEqual([])
        expect(commits).toBeGreaterThan(0)
        expect(writer.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
      })

      it('waits for a program that holds the whole file for a moment', async () => {
        const { w, path } = await beside(fixture, mode)
        const program = await sqliteWriter(path, 'hold')
        expect((await w.read(w.first)).texts).toEqual(said(talk(1, 6)))
        expect(await program.end()).toEqual({ commits: 1, errors: [] })
      })

      it.skipIf(process.platform === 'win32')('reads a file in a folder in which nothing can be written', async () => {
        const { w, path, writer } = await beside(fixture, mode)
        writer.close()
        fs.chmodSync(path, 0o444)
        for (let folder = dirname(path); folder !== w.scratch; folder = dirname(folder)) fs.chmodSync(folder, 0o555)
        const before = fs.readdirSync(dirname(path))
        await unprivileged(w.scratch, async () => expect((await w.read(w.first)).texts).toEqual(said(talk(1, 6))))
        expect(fs.readdirSync(dirname(path))).toEqual(before)
        for (let folder = dirname(path); folder !== w.scratch; folder = dirname(folder)) fs.chmodSync(folder, 0o755)
      })
    })

    // On Node 20 a closed connection lives until its statements are collected: a connection a session runs out of descriptors.
    it.skipIf(process.platform !== 'linux')('does not keep the file open once more for each session that it reads', async () => {
      const w = await hostWorld(fixture)
      const ids = Array.from({ length: 120 }, (_, i) => w.id(i + 1))
      for (const id of ids) w.log.append(id, talk(1, 2))
      w.log.close()
      const before = timesOpen(w.log.database)
      for (const session of w.discover()) await w.source.read(session, undefined, () => {})
      expect(timesOpen(w.log.database) - before).toBeLessThan(20)
    })

    it.skipIf(process.platform === 'win32')('says of a file that it may not read which one it is', async () => {
      const { w, path, writer } = await beside(fixture, 'wal')
      writer.close()
      const session = w.ref(w.first)
      fs.chmodSync(path, 0)
      await unprivileged(w.scratch, async () => {
        expect(reported(w)).toContain(path)
        await expect(w.source.read(session, undefined, () => {})).rejects.toThrow(unreadable)
      })
      fs.chmodSync(path, 0o600)
      expect((await w.read(w.first)).texts).toEqual(said(talk(1, 6)))
    })

    it('makes no database where there is none', async () => {
      const { w, path, writer } = await beside(fixture, 'wal')
      const session = w.ref(w.first)
      writer.close()
      fs.rmSync(path)
      const left = fs.readdirSync(dirname(path))
      expect(w.discover().map(({ id }) => id)).not.toContain(session.id)
      await expect(w.source.read(session, undefined, () => {})).rejects.toThrow(unreadable)
      w.source.exists()
      expect(fs.readdirSync(dirname(path))).toEqual(left)
    })

    it.each([
      ['cut in the middle of a page', (bytes: Buffer) => bytes.subarray(0, Math.max(700, bytes.length - 5000))],
      ['overwritten in its middle', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)])],
      ['no database', () => Buffer.from('this is a note\n'.repeat(1000))],
      ['empty', () => Buffer.alloc(0)],
    ])('reports a file that is %s and goes on; restored, it is read', async (_, damage) => {
      const { w, path, writer } = await beside(fixture, 'delete')
      writer.close()
      const session = w.ref(w.first)
      const whole = fs.readFileSync(path)
      fs.writeFileSync(path, damage(whole))
      // Found damaged at the look or at the read; an empty file is a database without sessions, whose read is an error.
      const problems = reported(w)
      expectNothingLost(await outcomeOf(w, session), said(talk(1, 6)))
      for (const problem of problems) expect(problem).toContain(path)
      fs.writeFileSync(path, whole)
      expect((await w.read(w.first)).texts).toEqual(said(talk(1, 6)))
    })

    it('reads a schema that lacks a column as far as it goes, and says so where it cannot', async () => {
      const { w, path, writer } = await beside(fixture, 'delete')
      writer.close()
      const whole = fs.readFileSync(path)
      const session = w.ref(w.first)
      for (const change of columnDrops(path)) {
        fs.writeFileSync(path, whole)
        const database = connect(path)
        database.exec(change)
        database.close()
        const problems = reported(w)
        expectNothingLost(await outcomeOf(w, session), said(talk(1, 6)), change)
        for (const problem of problems) expect(problem, change).toContain(path)
      }
    })

    it('finds nothing, and says nothing, in a database that holds other tables', async () => {
      const { w, path, writer } = await beside(fixture, 'delete')
      writer.close()
      fs.rmSync(path)
      const other = connect(path)
      other.exec("create table notes (id integer primary key, text); insert into notes values (1, 'x')")
      other.close()
      expect(w.source.discover(noReport).filter((session) => session.path === path)).toEqual([])
    })
  })
}

/** What a read gave, or the error with which it ended. */
async function outcomeOf(w: HostWorld, session: SessionRef): Promise<Read | Error> {
  return await readAll(w.source, session).catch((error: unknown) => error as Error)
}

/** Silence is the one thing that must not come of damage: the cursor would pass what was said, and nobody would know. */
function expectNothingLost(outcome: Read | Error, texts: readonly string[], message?: string): void {
  if (outcome instanceof Error) expect(outcome, message).toEqual(unreadable)
  else if (outcome.bad === 0) expect(outcome.texts, message).toEqual(texts)
}

/** A log with one session of six messages, closed by the host and opened by a writer of the test's. */
async function beside(
  fixture: HostLogFixture,
  mode: (typeof MODES)[number],
): Promise<{ readonly w: HostWorld; readonly path: string; readonly writer: Database }> {
  const w = await hostWorld(fixture)
  w.log.append(w.first, talk(1, 6))
  w.log.close()
  const path = w.log.database
  if (path === undefined) throw new Error('the fixture names no database')
  replaceByCopy(path)
  const writer = connect(path)
  writer.exec(`pragma journal_mode = ${mode}; pragma busy_timeout = 2000`)
  return { w, path, writer }
}

/**
 * The file that is left is one that nobody has open: @photostructure/sqlite keeps a closed connection until its statements are collected,
 * and the journal mode could not be changed until then.
 */
function replaceByCopy(path: string): void {
  const copy = `${path}.copy`
  const database = connect(path)
  database.exec(`vacuum into '${copy.replaceAll("'", "''")}'`)
  database.close()
  for (const suffix of ['', '-wal', '-shm', '-journal']) fs.rmSync(path + suffix, { force: true })
  fs.renameSync(copy, path)
}

/** Closed at the end of the test at the latest. */
function connect(path: string): Database {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(path, {})
  let open = true
  const close = (): void => {
    if (open) database.close()
    open = false
  }
  onTestFinished(close)
  return { exec: (sql) => database.exec(sql), prepare: (sql) => database.prepare(sql), close }
}

function tablesOf(database: Database): string[] {
  const rows = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all()
  return (rows as { name: string }[]).map(({ name }) => name)
}

/** One statement for each column without which the schema is still one: no key, nothing that an index or a view needs. */
function columnDrops(path: string): string[] {
  const database = connect(path)
  const changes = tablesOf(database).flatMap((table) => {
    const columns = database.prepare('select name from pragma_table_info(?)').all(table) as { name: string }[]
    return columns.map(({ name }) => `alter table "${table}" drop column "${name}"`)
  })
  const possible = changes.filter((change) => {
    database.exec('begin')
    try {
      database.exec(change)
      return true
    } catch {
      return false // A key or an index needs it: no version of the host can lack it.
    } finally {
      database.exec('rollback')
    }
  })
  database.close()
  expect(possible).not.toEqual([])
  return possible
}

function reported(w: HostWorld): string[] {
  const problems: string[] = []
  w.discover(({ path }) => void problems.push(path))
  return problems
}

/** By this process. */
function timesOpen(path: string | undefined): number {
  const links = fs.readdirSync('/proc/self/fd').map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return undefined // The one of the folder itself is closed by now.
    }
  })
  return links.filter((link) => link === path).length
}
