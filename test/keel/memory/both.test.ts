/** What is read where this machine and ActivityWatch do not know the same, and what either of them does to the other. */
import { describe, expect, it } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { BUCKET } from '../../../src/keel/memory/open.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { event } from '../../contract/keel-memory.ts'
import { testSystem } from '../ai/system.ts'
import { execute, fill, insertThere, isIn, made, numbersOf, until, world } from './world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const everything = (memory: KeelMemory) => memory.range(new Date(0), event('', 999 * DAY).at, 999)

describe('a memory of which ActivityWatch has lost something', () => {
  it('still knows all that was recorded here when somebody deletes the bucket', async () => {
    const { server, open } = await world()
    const memory = open()
    for (const n of [1, 2]) await memory.record(made(n))
    await memory.flush()
    server.deleteBucket(BUCKET)
    expect(numbersOf(await everything(memory))).toEqual([2, 1])
    expect(numbersOf(await memory.latest())).toEqual([2, 1])
    expect(numbersOf(await memory.recent('proposal_made', 1))).toEqual([2])
  })

  it("keeps what the user's filter takes out, says how many, brings over the others, and does not send it for ever", async () => {
    const { server, lines, open, numbers } = await world({ personality: 'rust', isAway: true, drops: ({ n }) => n === 2 })
    const memory = open()
    for (const n of [1, 2, 3]) await memory.record(made(n))
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual([1, 3])
    expect(numbersOf(await memory.latest())).toEqual([3, 2, 1])
    expect(memory.state().waiting).toBe(0)
    await memory.close()
    await open().flush()
    expect(lines.filter((line) => line.includes('dropped'))).toEqual(['memory: AW dropped 1 event(s), which stay here'])
  })

  it('keeps what a server says to have stored and has not', async () => {
    const { server, open } = await world()
    server.trouble = ({ method, path }) => (method === 'POST' && path.endsWith('/events') ? 'nothing' : undefined)
    const memory = open()
    await memory.record(made(1))
    await memory.flush()
    expect(numbersOf(await everything(memory))).toEqual([1])
    expect(memory.state().waiting).toBe(0)
  })

  it('brings over again what was recorded in hours without it and was lost in the moment after it came', async () => {
    const { server, open, numbers } = await world({ personality: 'rust', isAway: true })
    const memory = open()
    const hours = [-5, 300 * 24, -4, -3, -2, -1]
    for (const hour of hours) await memory.record(made(hour * HOUR))
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    await server.stop()
    server.loseNewest(BUCKET, hours.length)
    await isIn(memory, 'embedded')
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual(hours.map((hour) => hour * HOUR))
  })
})

describe('a memory whose ActivityWatch is at another address', () => {
  it('brings its history there, once, also where that is the same server under another name', async () => {
    const { server, file, open, numbers } = await world()
    const first = open()
    for (let n = 0; n < 250; n++) await first.record(made(n))
    await first.flush()
    await first.close()
    const other = await world()
    const there = other.open({ file })
    await there.flush()
    expect(other.numbers()).toEqual(numbers())
    await there.close()
    const client = awClient({ url: server.url.replace('127.0.0.1', 'localhost'), system: testSystem() })
    const back = open({ aw: client })
    await back.record(made(250))
    await back.flush()
    expect(numbers()).toEqual([...Array(251).keys()])
    expect(back.state().waiting).toBe(0)
  })
})

describe('a memory in whose bucket others write', () => {
  it('is not stopped by an event of any depth or size, and does not blame the server for it', async () => {
    const { server, lines, open } = await world()
    const memory = open()
    await memory.record({ ...event('a', 1), data: { n: { a: 1 } } })
    await memory.flush()
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const json = `[{"id":1,"timestamp":"${event('', 1).at.toISOString()}","duration":0,"data":{"_kind":"a","n":${deep}}}]`
    server.trouble = ({ method }) => (method === 'GET' ? { json } : undefined)
    for (let time = 0; time < 2; time++) expect(await memory.latest()).toHaveLength(2)
    expect(memory.state().where).toBe('activitywatch')
    expect(lines).toHaveLength(1)
  })

  it('passes over what lies days ahead when it is asked for what is recent, however much that is, and shows it in the history', async () => {
    const { server, open, setClock } = await world()
    await insertThere(server, ...[...Array(250).keys()].map((n) => event('proposal_made', 300 * DAY + n, { n, proposal_id: `x${n}` })))
    await insertThere(server, event('proposal_made', 0, { n: -1, proposal_id: 'there' }), event('proposal_made', 9 * 60_000, { n: -2 }))
    const memory = open()
    await memory.record(made(1))
    expect(numbersOf(await memory.latest())).toEqual([-2, 1, -1])
    expect(numbersOf(await memory.recent('proposal_made', 9))).toEqual([-2, 1, -1])
    expect(await everything(memory)).toHaveLength(253)
    await insertThere(server, event('action_taken', 400 * DAY, { n: -3, proposal_id: 'there' }))
    expect(numbersOf(await memory.latest())).toEqual([-3, -2, 1, -1])
    expect(await memory.recent('action_taken', 9)).toEqual([])
    setClock(301 * DAY)
    expect(numbersOf(await memory.latest())).toEqual([...Array(200).keys()].map((n) => 249 - n)) // Its proposal is none of the newest.
  })

  it('knows what is recent after a clock that was far ahead for a while', async () => {
    const { open, setClock } = await world()
    const memory = open()
    setClock(300 * DAY)
    for (const n of [1, 2]) await memory.record(made(300 * DAY + n))
    await memory.flush()
    setClock(0)
    await memory.record(made(0))
    for (const current of [memory, open({ file: undefined }), open({ aw: undefined })])
      expect(numbersOf(await current.latest())).toEqual([0])
    expect(numbersOf(await everything(memory))).toHaveLength(3)
  })
})

it('brings over what lies behind a row of the file that cannot be read', async () => {
  const { server, file, open, numbers } = await world({ isAway: true })
  const memory = open()
  await memory.record(made(1))
  execute(file, `insert into events (kind, at, data) values ('a', ${made(1).at.getTime()}, '{bad')`)
  await memory.record(made(2))
  await server.start()
  await until(() => expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 }))
  expect(numbers()).toEqual([1, 2])
  expect(numbersOf(await everything(memory))).toEqual([2, 1])
})

it.each(['recorded', 'read'] as const)(
  'looks at once whether ActivityWatch is back when something is %s and the last look is long ago',
  async (act) => {
    const { server, open, numbers, setClock } = await world({ isAway: true })
    const memory = open({ probeEveryMs: 60_000 })
    await until(() => expect(memory.state().reason).toBeDefined())
    await memory.record(made(1))
    await server.start()
    // As after a night: timers stand still while a machine sleeps.
    setClock(HOUR)
    if (act === 'recorded') await memory.record(made(2))
    else await memory.latest()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toContain(1)
  },
)

describe('what this machine recorded', () => {
  it('is known without a question to ActivityWatch, and nothing of what others wrote is part of it', async () => {
    const { server, open } = await world()
    const memory = open()
    await memory.record(made(1))
    await insertThere(server, made(2))
    await memory.flush()
    const asked = server.requests.length
    expect(numbersOf((await memory.own?.()) ?? [])).toEqual([1])
    expect(server.requests.length).toBe(asked)
  })

  it('reaches further back than what is recent, and is known where the file takes nothing', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined, probeEveryMs: 60_000 })
    for (let n = 0; n < 300; n++) await memory.record(made(n))
    fill(file)
    for (let n = 300; n < 550; n++) await memory.record(made(n))
    expect(await memory.latest()).toHaveLength(200)
    expect(numbersOf((await memory.own?.()) ?? [])).toEqual([...Array(550).keys()].reverse())
  })

  it('is nothing that can be asked for where nothing is kept here', async () => {
    const { open } = await world()
    expect(open({ file: undefined }).own).toBeUndefined()
  })
})
