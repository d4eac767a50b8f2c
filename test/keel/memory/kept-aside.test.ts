/** What the file does not take outlives the process all the same. */
import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { program, run } from '../../helpers/programs.ts'
import { empty, execute, fill, made, numbersOf, until, world } from './world.ts'

const SELDOM = { probeEveryMs: 60_000, aw: undefined }
const spareOf = (file: string) => join(dirname(file), 'events.held')
const count = (file: string, table: string) => {
  const database = new (sqliteClass())(file, {})
  const { n } = database.prepare(`select count(*) as n from ${table}`).get() as { n: number }
  database.close()
  return n
}

describe('events that the file does not take', () => {
  it('are there after a kill, and written once to the file as soon as that goes', async () => {
    const { file, open, lines } = await world()
    await open(SELDOM).close()
    const database = new (sqliteClass())(file, {})
    onTestFinished(() => database.close())
    database.exec('begin immediate')
    const daemon = run(process.execPath, [await program('keel-memory-program'), 'http://127.0.0.1:9', file, '0', '2'])
    await daemon.printed('remembered 1')
    daemon.child.kill('SIGKILL')
    await daemon.ended
    const locked = open(SELDOM)
    expect(numbersOf(await locked.latest())).toEqual([1, 0])
    expect(locked.state()).toMatchObject({ unsaved: 2, atRisk: 0, failure: expect.stringContaining('locked') })
    await locked.close()
    expect(lines.at(-1)).toContain('2 event(s) lie in events.held until')
    expect(locked.leftOver?.()).toEqual([])
    database.exec('rollback')
    for (let time = 0; time < 2; time++) {
      const memory = open(SELDOM)
      expect(numbersOf(await memory.latest())).toEqual([1, 0])
      expect(memory.state()).toMatchObject({ unsaved: 0, atRisk: 0 })
      await memory.close()
      expect(readFileSync(spareOf(file), 'latin1')).not.toContain('proposal_made')
    }
    expect(count(file, 'events')).toBe(2)
  })

  it('are written once where the process was killed after it had written them', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    fill(file)
    await memory.record(made(1))
    await memory.close()
    empty(file)
    execute(
      file,
      `insert into events (kind, at, data) values ('proposal_made', ${made(1).at.getTime()}, '${JSON.stringify(made(1).data)}')`,
    )
    const next = open(SELDOM)
    await next.record(made(1))
    expect(next.state().unsaved).toBe(0)
    expect(count(file, 'events')).toBe(2)
  })

  it('say that they are in danger where they cannot be kept aside either, and go to the memory that follows', async () => {
    const { file, lines, open } = await world()
    mkdirSync(spareOf(file), { recursive: true })
    const memory = open(SELDOM)
    fill(file)
    await memory.record(made(1))
    const failure = expect.stringMatching(/^the disk is full; nor can events\.held \(EISDIR/)
    expect(memory.state()).toMatchObject({ unsaved: 1, atRisk: 1, failure })
    await memory.close()
    expect(lines.at(-1)).toContain('memory: 1 event(s) could not be kept (the disk is full; nor can')
    expect(memory.leftOver?.()).toEqual([made(1)])
  })

  it('count as in danger beyond what there is room for', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    fill(file)
    for (let n = 0; n < 5; n++) await memory.record({ ...made(n), data: { n, text: 'x'.repeat(20_000) } })
    expect(memory.state()).toMatchObject({ unsaved: 5, atRisk: 2 })
    await memory.close()
    expect(numbersOf(memory.leftOver?.() ?? [])).toEqual([0, 1])
  })

  it('need no server twice that has them already', async () => {
    const { server, file, open, numbers } = await world()
    const memory = open()
    await memory.flush()
    fill(file)
    await memory.record(made(1))
    await until(() => expect(numbers()).toEqual([1]))
    await until(() => expect(memory.state().unsaved).toBe(0))
    await memory.close()
    empty(file)
    await server.stop()
    const next = open()
    expect(next.state()).toMatchObject({ waiting: 0, unsaved: 0 })
    expect(numbersOf(await next.latest())).toEqual([1])
  })

  it('are forgotten like all others, and nothing of them stays anywhere', async () => {
    const { file, open } = await world()
    const memory: KeelMemory = open(SELDOM)
    fill(file)
    await memory.record({ ...made(1), data: { proposal_id: 'p1', next_action: 'buy a secret' } })
    expect(readFileSync(spareOf(file), 'latin1')).toContain('secret')
    await expect(memory.forget({ field: 'proposal_id', value: 'p1' })).rejects.toMatchObject({ code: 'not_forgotten' })
    expect(await memory.latest()).toHaveLength(1)
    empty(file)
    await memory.forget({ field: 'proposal_id', value: 'p1' })
    expect(await memory.latest()).toEqual([])
    await memory.close()
    for (const each of [file, spareOf(file)]) expect(readFileSync(each, 'latin1')).not.toContain('secret')
    expect(await open(SELDOM).latest()).toEqual([])
  })

  it('are not forgotten while a run before has left them where they can neither be read nor removed', async () => {
    const { file, open } = await world()
    const before = open(SELDOM)
    fill(file)
    await before.record(made(1))
    await before.close()
    empty(file)
    renameSync(spareOf(file), `${spareOf(file)}.aside`)
    mkdirSync(spareOf(file))
    const memory = open(SELDOM)
    await expect(memory.forget('everything')).rejects.toMatchObject({ code: 'not_forgotten' })
    rmdirSync(spareOf(file))
    await memory.forget('everything')
  })
})
