/** A disk that does not take what is recorded. */
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MOST_HELD } from '../../../src/keel/memory/held-events.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { event } from '../../contract/keel-memory.ts'
import { empty, execute, fill, isIn, made, numbersOf, until, world } from './world.ts'

/** Without the first look of the tests' own rhythm: what is tried again is tried by hand, by `flush`. */
const SELDOM = { probeEveryMs: 60_000 }
const notFailing = (memory: KeelMemory) => until(() => expect(memory.state().failure).toBeUndefined())
const everything = (memory: KeelMemory) => memory.range(new Date(0), event('', 1e9).at, 9999)

describe('a memory on a disk that is full', () => {
  it('holds what is recorded, knows it, says how many and why, and writes it in order once there is room', async () => {
    const { file, lines, open } = await world()
    const memory = open({ aw: undefined })
    await memory.record(made(1))
    fill(file)
    for (const n of [3, 2]) await memory.record(made(n))
    expect(memory.state()).toMatchObject({ where: 'embedded', waiting: 1, unsaved: 2, failure: 'the disk is full' })
    expect(numbersOf(await memory.latest())).toEqual([3, 2, 1])
    expect(numbersOf(await memory.recent('proposal_made', 2))).toEqual([3, 2])
    expect(numbersOf(await everything(memory))).toEqual([3, 2, 1])
    empty(file)
    await notFailing(memory)
    expect(memory.state()).toMatchObject({ waiting: 3, unsaved: 0 })
    await memory.close()
    expect(numbersOf(await open({ aw: undefined }).latest())).toEqual([3, 2, 1])
    expect(lines).toEqual([
      `memory: cannot keep events in ${file} (the disk is full); trying again`,
      `memory: events are kept in ${file} again`,
    ])
  })

  it('is not well again while only a part can be written', async () => {
    const { file, lines, open, numbers } = await world()
    const memory = open()
    await memory.flush()
    execute(file, "create trigger marks before update on events begin select raise(abort, 'no') ; end")
    await memory.record(made(1))
    await until(() => expect(memory.state().failure).toBe('no'))
    for (let time = 0; time < 3; time++) await memory.flush()
    expect(lines.filter((line) => line.includes('again'))).toEqual([`memory: cannot keep events in ${file} (no); trying again`])
    execute(file, 'drop trigger marks')
    await until(() => expect(memory.state()).toMatchObject({ waiting: 0, unsaved: 0 }))
    expect(numbers()).toEqual([1])
  })

  it('says it once, however often it tries', async () => {
    const { file, lines, open } = await world()
    const memory = open({ aw: undefined })
    fill(file)
    await memory.record(made(1))
    for (let time = 0; time < 3; time++) await memory.flush()
    await memory.record(made(2))
    expect(lines).toHaveLength(1)
    expect(memory.state().unsaved).toBe(2)
  })

  it('does not take a server for another one that it has not seen', async () => {
    const { file, open } = await world()
    const before = open()
    await before.record(made(1))
    await before.flush()
    await before.close()
    const other = await world({ isAway: true })
    const memory = other.open({ file })
    await isIn(memory, 'embedded')
    fill(file)
    await memory.record(made(2))
    empty(file)
    await notFailing(memory)
    expect(memory.state().waiting).toBe(1)
    await other.server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(other.numbers()).toEqual([1, 2])
  })

  it('tells of the change', async () => {
    const { file, open } = await world()
    const told: (string | undefined)[] = []
    const memory: KeelMemory = open({ aw: undefined, notify: () => told.push(memory.state().failure) })
    fill(file)
    await memory.record(made(1))
    expect(told).toContain('the disk is full')
    empty(file)
    await until(() => expect(told.at(-1)).toBeUndefined())
  })

  it('tries again when something else is recorded', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined, ...SELDOM })
    fill(file)
    await memory.record(made(1))
    empty(file)
    await memory.record(made(0))
    expect(memory.state()).toMatchObject({ waiting: 2, unsaved: 0 })
    expect(numbersOf(await memory.latest())).toEqual([1, 0])
  })

  it('tries again when it is flushed, and when it is closed', async () => {
    for (const act of ['flush', 'close'] as const) {
      const { file, open } = await world()
      const memory = open({ aw: undefined, ...SELDOM })
      fill(file)
      await memory.record(made(1))
      empty(file)
      await memory[act]()
      expect(memory.state()).toMatchObject({ unsaved: 0 })
      await memory.close()
      expect(numbersOf(await open({ aw: undefined }).latest())).toEqual([1])
    }
  })

  it('brings to ActivityWatch what it holds, once, and writes later that it is there', async () => {
    const { server, file, open, numbers } = await world()
    const memory = open()
    await memory.flush()
    fill(file)
    for (const n of [1, 2]) await memory.record(made(n))
    await until(() => expect(memory.state()).toMatchObject({ unsaved: 0, failure: 'the disk is full' }))
    expect(numbers()).toEqual([1, 2])
    empty(file)
    await notFailing(memory)
    await memory.flush()
    expect(memory.state()).toMatchObject({ waiting: 0, unsaved: 0 })
    await memory.close()
    await server.stop()
    const next = open()
    expect(numbersOf(await next.latest())).toEqual([2, 1])
    expect(next.state().waiting).toBe(0)
    expect(numbers()).toEqual([1, 2])
  })

  it('sends an event once that is written to the disk while it is on its way', async () => {
    const { server, file, open, numbers } = await world({ timeLimitMs: 60_000 })
    const memory = open()
    await memory.flush()
    fill(file)
    server.trouble = ({ path, method }) => (method === 'POST' && path.endsWith('/events') ? 'deaf' : undefined)
    await memory.record(made(1))
    await until(() => expect(numbers()).toEqual([1]))
    empty(file)
    await notFailing(memory)
    expect(memory.state()).toMatchObject({ waiting: 1, unsaved: 0 })
    await memory.close()
    server.trouble = undefined
    const next = open()
    await next.flush()
    expect(next.state().waiting).toBe(0)
    expect(numbers()).toEqual([1])
  })

  it('brings over what was recorded before it was full once there is room again', async () => {
    const { server, file, open, numbers } = await world({ isAway: true })
    const memory = open()
    await memory.record(made(1))
    fill(file)
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.record(made(2))
    await until(() => expect(numbers()).toEqual([2]))
    empty(file)
    await until(() => expect(memory.state()).toMatchObject({ waiting: 0, unsaved: 0 }))
    expect(numbers()).toEqual([2, 1])
  })

  it('holds a bounded number, says so, and loses the oldest ones first, but before them what ActivityWatch has', async () => {
    const { server, file, lines, open } = await world()
    const memory = open(SELDOM)
    await memory.flush()
    fill(file)
    for (const n of [1, 2]) await memory.record(made(n))
    await until(() => expect(memory.state().unsaved).toBe(0))
    await server.stop()
    for (let n = 3; n < MOST_HELD + 6; n++) await memory.record(made(n))
    expect(memory.state().unsaved).toBe(MOST_HELD)
    const held = numbersOf(await everything(memory))
    expect([held.length, held[0], held.at(-1)]).toEqual([MOST_HELD, MOST_HELD + 5, 6])
    expect(lines.filter((line) => line.includes('are held'))).toHaveLength(1)
  })

  it('keeps what was recorded as it was then, and refuses what is no event', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined })
    const expectRefused = async () => {
      await expect(memory.record({ kind: 'a', at: new Date(Number.NaN), data: {} })).rejects.toThrow('no time')
      await expect(memory.record({ kind: 'a', at: made(1).at, data: { n: 1n } })).rejects.toThrow('BigInt')
    }
    await expectRefused()
    fill(file)
    await expectRefused()
    const list = [1]
    await memory.record({ kind: 'a', at: made(1).at, data: { list } })
    list.push(2)
    expect(await memory.latest()).toEqual([{ kind: 'a', at: made(1).at, data: { list: [1] } }])
    expect(memory.state().unsaved).toBe(1)
  })
})

describe('a memory whose file cannot be opened', () => {
  it('opens it as soon as that goes, with all that lies in it', async () => {
    const { file, lines, open } = await world()
    const before = open({ aw: undefined })
    await before.record(made(1))
    await before.close()
    renameSync(file, `${file}.aside`)
    mkdirSync(file)
    const memory = open({ ...SELDOM, aw: undefined })
    await memory.record(made(2))
    expect(memory.state()).toMatchObject({ where: 'none', unsaved: 1, failure: expect.stringContaining('EISDIR') })
    expect(numbersOf(await memory.latest())).toEqual([2])
    rmdirSync(file)
    renameSync(`${file}.aside`, file)
    await memory.flush()
    expect(memory.state()).toMatchObject({ where: 'embedded', unsaved: 0 })
    expect(numbersOf(await memory.latest())).toEqual([2, 1])
    expect(lines.filter((line) => line.includes('cannot keep events'))).toHaveLength(1)
  })

  it('reads it while another program has locked it, and writes it afterwards', async () => {
    const { file, open } = await world()
    const before = open({ aw: undefined })
    await before.record(made(1))
    await before.close()
    const DatabaseSync = sqliteClass()
    const database = new DatabaseSync(file, {})
    onTestFinished(() => database.close())
    database.exec('begin immediate')
    const memory = open({ ...SELDOM, aw: undefined })
    await memory.record(made(2))
    expect(memory.state()).toMatchObject({ where: 'embedded', unsaved: 1, failure: expect.stringContaining('locked') })
    expect(numbersOf(await memory.latest())).toEqual([2, 1])
    database.exec('rollback')
    await memory.flush()
    expect(memory.state()).toMatchObject({ waiting: 2, unsaved: 0 })
  })

  it('says that it runs without memory where there is no ActivityWatch either, and goes on by itself', async () => {
    const { file, lines, open } = await world({ isAway: true })
    mkdirSync(file, { recursive: true })
    const memory = open()
    await until(() => expect(lines.some((line) => line.includes('running without memory'))).toBe(true))
    await memory.record(made(1))
    rmdirSync(file)
    await isIn(memory, 'embedded')
    expect(memory.state()).toMatchObject({ waiting: 1, unsaved: 0 })
  })
})
