/** A file that goes wrong while a daemon uses it: removed, replaced, cut off, or damaged. */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { execute, made, numbersOf, until, world } from './world.ts'

const SELDOM = { probeEveryMs: 60_000, aw: undefined }
const beside = (file: string) => [file, `${file}-wal`, `${file}-shm`]
/** Of some pages, so that not all of it lies in one. */
const filled = async (memory: { record(event: ReturnType<typeof made>): Promise<void> }, count: number) => {
  for (let n = 0; n < count; n++) await memory.record({ ...made(n), data: { n, text: 'x'.repeat(1000) } })
}
const descending = (from: number) => [...Array(from + 1).keys()].reverse()

describe('a file that is taken away while it is used', () => {
  it.each<[string, (file: string) => void]>([
    ['with its folder', (file) => rmSync(dirname(file), { recursive: true })],
    ['by itself', (file) => rmSync(file)],
    [
      'without the file, but with what SQLite keeps beside it',
      (file) =>
        beside(file)
          .slice(1)
          .forEach((each) => void rmSync(each)),
    ],
    [
      'with another one in its place',
      (file) => {
        renameSync(file, `${file}.old`)
        writeFileSync(file, '')
      },
    ],
    ['under another name', (file) => beside(file).forEach((each) => void renameSync(each, `${each}.old`))],
  ])('is written anew, with all that is known, when something is recorded: %s', async (_how, takeAway) => {
    const { file, lines, open } = await world()
    const memory = open(SELDOM)
    for (const n of [0, 1]) await memory.record(made(n))
    takeAway(file)
    await memory.record(made(2))
    expect(memory.state()).toMatchObject({ where: 'embedded', unsaved: 0, waiting: 3 })
    expect(memory.state().failure).toBeUndefined()
    expect(numbersOf(await memory.latest())).toEqual([2, 1, 0])
    expect(lines[0]).toContain('it was taken away, or another one lies in its place')
    expect(lines.at(-1)).toContain('are kept in')
    expect(readdirSync(dirname(file)).filter((name) => name.includes('damaged'))).toEqual([])
    await memory.close()
    expect(numbersOf(await open(SELDOM).latest())).toEqual([2, 1, 0])
  })

  it('keeps what it could hold before it was cut off, as far as it can be read, and what comes', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    await memory.record(made(0))
    truncateSync(file, 0)
    await memory.record(made(1))
    expect(memory.state().unsaved).toBe(0)
    await memory.close()
    expect(numbersOf(await open(SELDOM).latest())).toContain(1)
  })

  it('is noticed also while nothing is recorded', async () => {
    const { file, lines, open } = await world()
    const memory = open({ aw: undefined })
    await memory.record(made(0))
    rmSync(dirname(file), { recursive: true })
    await until(() => expect(statSync(file).size).toBeGreaterThan(0))
    await until(() => expect(lines.at(-1)).toContain('are kept in'))
    expect(numbersOf(await memory.latest())).toEqual([0])
  })

  it('says why while there can be none in its place, and loses nothing', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    await memory.record(made(0))
    rmSync(dirname(file), { recursive: true })
    writeFileSync(dirname(file), '')
    await memory.record(made(1))
    expect(memory.state()).toMatchObject({ unsaved: 1, failure: expect.stringMatching(/EEXIST|ENOTDIR/) })
    expect(numbersOf(await memory.latest())).toEqual([1, 0])
    rmSync(dirname(file))
    await memory.flush()
    expect(memory.state()).toMatchObject({ unsaved: 0, waiting: 2 })
  })

  it('brings what it knows into one that was put in its place, each once', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    await memory.record(made(0))
    await memory.close()
    copyFileSync(file, `${file}.backup`)
    const next = open(SELDOM)
    await next.record(made(1))
    beside(file).forEach((each) => void rmSync(each, { force: true }))
    renameSync(`${file}.backup`, file)
    await next.record(made(2))
    expect(numbersOf(await next.latest())).toEqual([2, 1, 0])
    expect(next.state().waiting).toBe(3)
  })

  it('brings the wishes along that ActivityWatch has not carried out', async () => {
    const { server, file, open, numbers } = await world()
    const memory = open({ probeEveryMs: 60_000 })
    for (const n of [0, 1]) await memory.record(made(n))
    await memory.flush()
    await server.stop()
    await memory.forget({ field: 'proposal_id', value: 'p0' })
    rmSync(dirname(file), { recursive: true })
    await memory.record(made(2))
    await memory.close()
    await server.start()
    const next = open()
    await until(() => expect(numbers()).toEqual([1, 2]))
    expect(numbersOf(await next.latest())).toEqual([2, 1])
  })
})

describe('a file that is damaged', () => {
  const damagedIn = (file: string) => readdirSync(dirname(file)).filter((name) => /^events\.db\.damaged-[\dT.-]+Z$/.test(name))

  it('is put aside where it is no database at all, and another one begun', async () => {
    const { file, lines, open } = await world()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'this is no database'.repeat(1000))
    const memory = open(SELDOM)
    await memory.record(made(1))
    expect(memory.state()).toMatchObject({ where: 'embedded', unsaved: 0 })
    expect(memory.state().failure).toBeUndefined()
    expect(damagedIn(file)).toHaveLength(1)
    expect(lines[0]).toContain(`${file} is damaged (`)
    expect(lines[1]).toBe('memory: 0 event(s) could be read of it and are kept')
    await memory.forget({ field: 'proposal_id', value: 'p1' })
    expect(damagedIn(file)).toHaveLength(1)
    await memory.forget('everything')
    expect(damagedIn(file)).toEqual([])
  })

  it('gives what can be read of it to the one that is begun', async () => {
    const { file, lines, open } = await world()
    const before = open(SELDOM)
    await filled(before, 60)
    await before.close()
    execute(file, 'pragma wal_checkpoint(truncate)')
    const pages = statSync(file).size / 4096
    for (let page = 12; page < 16; page++) overwrite(file, page)
    expect(pages).toBeGreaterThan(20)
    const memory = open(SELDOM)
    const found = numbersOf(await memory.range(new Date(0), made(1e6).at, 100))
    await memory.record(made(60))
    expect(memory.state()).toMatchObject({ unsaved: 0 })
    expect(damagedIn(file)).toHaveLength(1)
    expect(found.length).toBeGreaterThan(30)
    expect(lines.find((line) => line.includes('could be read'))).toBe(`memory: ${found.length} event(s) could be read of it and are kept`)
    await memory.close()
    expect(numbersOf(await open(SELDOM).range(new Date(0), made(1e6).at, 100))).toEqual([60, ...found])
  })

  it('answers on, and keeps what comes, where it is overwritten while it is used', async () => {
    const { file, open } = await world()
    const memory = open(SELDOM)
    await filled(memory, 5)
    writeFileSync(file, Buffer.alloc(statSync(file).size + 40_000, 'garbage '))
    appendFileSync(`${file}-wal`, 'garbage')
    await memory.latest()
    await memory.record(made(5))
    expect(numbersOf(await memory.latest())).toContain(5)
    expect(memory.state().unsaved).toBe(0)
    await memory.close()
    const next = open(SELDOM)
    expect(numbersOf(await next.latest())).toContain(5)
    await next.record(made(6))
    expect(next.state()).toMatchObject({ where: 'embedded', unsaved: 0 })
    expect(descending(6)).toEqual(expect.arrayContaining(numbersOf(await next.latest())))
  })
})

function overwrite(file: string, page: number): void {
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096)
  closeSync(fd)
}
