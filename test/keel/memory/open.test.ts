import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { openEmbeddedStore } from '../../../src/keel/memory/embedded-store.ts'
import { BUCKET } from '../../../src/keel/memory/open.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { event, eventStoreContract } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'
import { isIn, made, numbersOf, until, world } from './world.ts'

eventStoreContract({ name: 'a daemon with ActivityWatch', runs: 5, open: async () => (await world()).open() })
eventStoreContract({ name: 'a daemon without ActivityWatch', runs: 5, open: async () => (await world({ isAway: true })).open() })
eventStoreContract({ name: 'a daemon that keeps nothing itself', runs: 5, open: async () => (await world()).open({ file: undefined }) })
eventStoreContract({ name: 'the demo', runs: 5, open: async () => (await world()).open({ aw: undefined }) })

describe('a memory with ActivityWatch', () => {
  it('makes the bucket, says so once, and brings each event there', async () => {
    const { server, lines, open, numbers } = await world()
    const memory = open()
    await memory.record(made(1))
    await memory.record(made(2))
    await memory.flush()
    expect(numbers()).toEqual([1, 2])
    expect(server.stored(BUCKET)[0]).toMatchObject({ _kind: 'proposal_made', proposal_id: 'p1' })
    expect(memory.state()).toMatchObject({ where: 'activitywatch', url: server.url, waiting: 0 })
    expect(memory.state().reason).toBeUndefined()
    expect(lines).toEqual([`memory: keel.events ready at ${server.url}`])
  })

  it('recalls after a restart, at once, and also where only ActivityWatch knows', async () => {
    const { open } = await world()
    const before = open()
    await before.record(made(1))
    await before.close()
    expect(numbersOf(await open().recent('proposal_made', 5))).toEqual([1])
    const elsewhere = join(temporaryFolder(), 'events.db')
    expect(numbersOf(await open({ file: elsewhere }).latest())).toEqual([1])
  })

  it('answers with what has not arrived there yet', async () => {
    const { server, open } = await world()
    const memory = open()
    await memory.record(made(1))
    await memory.flush()
    server.trouble = ({ method }) => (method === 'POST' ? 'hang' : undefined)
    await memory.record(made(3))
    await memory.record(made(2))
    expect(numbersOf(await memory.latest())).toEqual([3, 2, 1])
    expect(numbersOf(await memory.recent('proposal_made', 2))).toEqual([3, 2])
    expect(numbersOf(await memory.range(made(0).at, made(3).at, 5))).toEqual([2, 1])
    expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 2 })
  })

  it('shows nothing twice that lies there twice', async () => {
    const { server, open } = await world()
    const memory = open()
    await memory.record(made(1))
    await memory.flush()
    const client = awClient({ url: server.url, system: testSystem() })
    await client.insert(BUCKET, [{ timestamp: made(1).at, duration: 0, data: { _kind: 'proposal_made', ...made(1).data } }])
    expect(numbersOf(await memory.latest())).toEqual([1])
    expect(numbersOf(await memory.recent('proposal_made', 5))).toEqual([1])
  })
})

describe.each(['python', 'rust'] as const)('a memory whose ActivityWatch (%s) comes and goes', (personality) => {
  it('starts without it, keeps events, and brings them over when it appears, in order and once', async () => {
    const { server, lines, open, numbers } = await world({ personality, isAway: true })
    const memory = open()
    for (let n = 0; n < 250; n++) await memory.record(made(n))
    await isIn(memory, 'embedded')
    expect(numbersOf(await memory.recent('proposal_made', 2))).toEqual([249, 248])
    expect(memory.state()).toMatchObject({ waiting: 250, reason: expect.stringContaining('ECONNREFUSED') })
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual([...Array(250).keys()])
    expect(memory.state().waiting).toBe(0)
    expect(numbersOf(await memory.recent('proposal_made', 2))).toEqual([249, 248])
    expect(lines).toEqual([
      expect.stringMatching(/^memory: AW unavailable at http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\); keeping events locally$/),
      `memory: keel.events ready at ${server.url}`,
    ])
  })

  it('loses nothing in an outage, says it once each way, and still knows what it had brought there', async () => {
    const { server, lines, open, numbers } = await world({ personality })
    const memory = open()
    let n = 0
    await memory.record(made(n++))
    await memory.flush()
    for (let round = 0; round < 2; round++) {
      await server.stop()
      for (let i = 0; i < 3; i++) await memory.record(made(n++))
      await isIn(memory, 'embedded')
      expect(numbersOf(await memory.latest())).toEqual([...Array(n).keys()].reverse())
      await server.start()
      await isIn(memory, 'activitywatch')
      await memory.flush()
    }
    expect(numbers()).toEqual([...Array(n).keys()])
    expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
      'keel.events ready',
      'AW unavailable',
      'keel.events ready',
      'AW unavailable',
      'keel.events ready',
    ])
  })

  it('sends an event once of which it never heard whether it arrived', async () => {
    const { server, open, numbers } = await world({ personality, timeLimitMs: 100 })
    const memory = open()
    await memory.flush()
    server.trouble = ({ method }) => {
      server.trouble = () => 'hang'
      return method === 'POST' ? 'deaf' : undefined
    }
    await memory.record(made(1))
    await isIn(memory, 'embedded')
    expect(numbers()).toEqual([1])
    server.trouble = undefined
    await isIn(memory, 'activitywatch')
    await memory.record(made(2))
    await memory.flush()
    expect(numbers()).toEqual([1, 2])
    expect(memory.state().waiting).toBe(0)
  })

  it('sends an event once where the process died between sending and marking', async () => {
    const { server, file, open, numbers } = await world({ personality })
    const client = awClient({ url: server.url, system: testSystem() })
    await client.ensureBucket(BUCKET, 'keel.event', 'keel')
    await client.insert(BUCKET, [{ timestamp: made(1).at, duration: 0, data: { _kind: 'proposal_made', ...made(1).data } }])
    const dead = openEmbeddedStore(file, () => made(0).at)
    for (const n of [1, 2, 3]) dead.append(made(n))
    const stored = dead.oldestWaiting(2)
    dead.mark(
      stored.map(({ id }) => id),
      'tried',
    )
    dead.close()
    const memory = open()
    await memory.flush()
    expect(numbers()).toEqual([1, 2, 3])
    expect(memory.state().waiting).toBe(0)
  })

  it('brings over again what the server lost because it was ended hard, and nothing else', async () => {
    const { server, open, numbers } = await world({ personality })
    const memory = open()
    for (const n of [1, 2, 3, 4]) await memory.record(made(n))
    await memory.flush()
    await server.stop()
    server.loseNewest(BUCKET, 2)
    await isIn(memory, 'embedded')
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual([1, 2, 3, 4])
    await memory.close()
    server.loseNewest(BUCKET, 1)
    await open().flush()
    expect(numbers()).toEqual([1, 2, 3, 4])
  })

  it('loses and repeats nothing, whatever the order of records, outages, lost answers and restarts', async () => {
    const step = fc.constantFrom('record', 'record', 'stop', 'start', 'deaf', 'well', 'restart', 'read')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { server, open, numbers } = await world({ personality, timeLimitMs: 50 })
        let memory = open({ probeEveryMs: 5 })
        let n = 0
        let isRunning = true
        for (const each of steps) {
          if (each === 'record') await memory.record(made(n++))
          if (each === 'read') await memory.latest()
          if (each === 'stop') await server.stop()
          if (each === 'start' && !isRunning) await server.start()
          if (each === 'stop' || each === 'start') isRunning = each === 'start'
          if (each === 'deaf') server.trouble = ({ path }) => (path.includes('/events') ? 'deaf' : undefined)
          if (each === 'well') server.trouble = undefined
          if (each === 'restart') {
            await memory.close()
            memory = open({ probeEveryMs: 5 })
          }
        }
        server.trouble = undefined
        if (!isRunning) await server.start()
        await until(() => expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 }))
        expect(numbers()).toEqual([...Array(n).keys()])
        expect(numbersOf(await memory.latest())).toEqual([...Array(n).keys()].reverse())
        await memory.close()
      }),
      { numRuns: 15 },
    )
  })
})

it('says on the page that ActivityWatch is not used in the demo, and when the daemon started', async () => {
  const memory = (await world()).open({ aw: undefined })
  expect(memory.state()).toEqual({
    where: 'embedded',
    url: '',
    since: event('', 0).at,
    isLocal: true,
    waiting: 0,
    unsaved: 0,
    atRisk: 0,
  })
})

it('tells of every change of the state', async () => {
  const { server, open } = await world({ isAway: true })
  const told: string[] = []
  const memory: KeelMemory = open({ notify: () => told.push(`${memory.state().where} ${memory.state().waiting}`) })
  await until(() => expect(told).toEqual(['embedded 0']))
  await memory.record(made(1))
  expect(told.at(-1)).toBe('embedded 1')
  await server.start()
  await until(() => expect(told.at(-1)).toBe('activitywatch 0'))
})
