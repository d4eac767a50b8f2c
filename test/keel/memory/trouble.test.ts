import { describe, expect, it } from 'vitest'
import { BUCKET } from '../../../src/keel/memory/open.ts'
import { execute, insertThere, isIn, made, numbersOf, until, world } from './world.ts'

describe('a memory whose ActivityWatch does not do what it should', () => {
  it('answers from here where it hangs, and does not wait for it a second time', async () => {
    const { server, lines, open } = await world({ timeLimitMs: 300 })
    const memory = open({ readLimitMs: 50, probeEveryMs: 60_000 })
    await memory.record(made(1))
    await memory.flush()
    server.trouble = () => 'hang'
    expect(numbersOf(await memory.latest())).toEqual([1])
    await isIn(memory, 'embedded')
    expect(memory.state().reason).toContain('no answer within 0.3 s')
    const asked = server.requests.length
    expect(numbersOf(await memory.recent('proposal_made', 1))).toEqual([1])
    await memory.record(made(2))
    expect(server.requests.length).toBe(asked)
    expect(lines.at(-1)).toContain('keeping events locally')
  })

  it.each(['slow', 'huge', 'error', 'not-json'] as const)(
    'answers a question from here that it does not (%s), without taking it for away, and asks again later',
    async (how) => {
      const { server, lines, open, numbers, setClock } = await world()
      const memory = open({ readLimitMs: 100 })
      await memory.record(made(1))
      await memory.flush()
      const isRange = (path: string) => path.includes('limit=51')
      server.trouble = ({ path }) => (isRange(path) ? (how === 'slow' ? 'hang' : how) : undefined)
      const range = () => memory.range(made(0).at, made(9).at, 41)
      for (let time = 0; time < 3; time++) expect(numbersOf(await range())).toEqual([1])
      // Another question is put to it all the same, and it gets what is new.
      const asked = server.requests.length
      expect(numbersOf(await memory.latest())).toEqual([1])
      expect(server.requests.length).toBeGreaterThan(asked)
      await memory.record(made(2))
      await memory.flush()
      expect(numbers()).toEqual([1, 2])
      expect(server.requests.filter(({ path }) => isRange(path))).toHaveLength(1)
      setClock(60_000)
      expect(numbersOf(await range())).toEqual([2, 1])
      server.trouble = undefined
      setClock(120_000)
      await insertThere(server, made(3))
      expect(numbersOf(await range())).toEqual([3, 2, 1])
      expect(memory.state().where).toBe('activitywatch')
      expect(lines).toEqual([expect.stringContaining('ready at'), expect.stringContaining('AW did not answer a question (')])
    },
  )

  it('says once that it takes nothing, and tries again until it does, without coming and going', async () => {
    const { server, lines, open, numbers } = await world()
    const memory = open({ probeEveryMs: 10 })
    await memory.flush()
    let inserts = 0
    server.trouble = ({ method, path }) => (method === 'POST' && path.endsWith('/events') && ++inserts < 20 ? 'not-json' : undefined)
    for (const n of [1, 2]) await memory.record(made(n))
    await until(() => expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 }))
    expect(numbers()).toEqual([1, 2])
    expect(lines).toEqual([expect.stringContaining('ready at'), expect.stringContaining('AW takes no events just now (')])
  })

  it('starts and answers where it hangs from the beginning', async () => {
    const { server, open } = await world({ timeLimitMs: 60_000 })
    server.trouble = () => 'hang'
    const memory = open({ readLimitMs: 50 })
    await memory.record(made(1))
    expect(numbersOf(await memory.latest())).toEqual([1])
    expect(memory.state()).toMatchObject({ where: 'embedded', waiting: 1 })
    await memory.flush(AbortSignal.timeout(20))
    await memory.close()
  })

  it('keeps an event here that it refuses, and brings the others over', async () => {
    const { server, lines, open, numbers } = await world({ isAway: true })
    server.trouble = ({ body }) => (body.includes('"n":2') ? 'refuse' : undefined)
    const memory = open()
    for (const n of [1, 2, 3]) await memory.record(made(n))
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual([1, 3])
    expect(memory.state().waiting).toBe(0)
    expect(numbersOf(await memory.latest())).toEqual([3, 2, 1])
    expect(lines.filter((line) => line.includes('does not take an event of the kind proposal_made'))).toHaveLength(1)
  })

  it('lets everything wait for a server that refuses everything', async () => {
    const { server, open, numbers } = await world()
    const memory = open()
    await memory.flush()
    server.trouble = () => 'wrong-host'
    await memory.record(made(1))
    await isIn(memory, 'embedded')
    expect(memory.state().waiting).toBe(1)
    server.trouble = undefined
    await until(() => expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 }))
    expect(numbers()).toEqual([1])
  })

  it('brings events to it also where the disk fails, and reads from it', async () => {
    const { file, open, numbers } = await world()
    const memory = open()
    await memory.flush()
    execute(file, 'drop table events')
    await memory.record(made(1))
    await memory.flush()
    expect(numbers()).toEqual([1])
    expect(numbersOf(await memory.latest())).toEqual([1])
    expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0, unsaved: 0, failure: 'no such table: events' })
  })

  it('keeps an event here of a time that no server takes', async () => {
    const { open, numbers } = await world()
    const memory = open()
    await memory.record({ ...made(1), at: new Date(Date.UTC(2300, 0, 1)) })
    await memory.record(made(2))
    await memory.flush()
    expect(numbers()).toEqual([2])
    expect(numbersOf(await memory.range(new Date(0), new Date(Date.UTC(2400, 0, 1)), 5))).toEqual([1, 2])
  })

  it('keeps an event here whose data or time nothing can write down, and brings the others over', async () => {
    const { file, server, lines, open, numbers } = await world({ isAway: true })
    const before = open()
    await before.record(made(1))
    await before.close()
    execute(
      file,
      `insert into events (kind, at, data) values ('deep', 0, '{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}'), ('late', 1152921504606846976, '{}'),
      ('early', -1152921504606846976, '{}')`,
    )
    const memory = open()
    await memory.record(made(2))
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbers()).toEqual([1, 2])
    expect(memory.state().waiting).toBe(0)
    expect(numbersOf(await memory.latest())).toEqual([2, 1, undefined])
    expect(lines.filter((line) => line.includes('AW')).at(-1)).toContain('does not take an event of the kind deep')
  })

  it('writes half a character as what stands for none, which every server takes', async () => {
    const { open, numbers, server } = await world()
    const memory = open()
    await memory.record({ ...made(1), data: { n: 'a\ud83d', 'b\udc00': '\\ud83d 🧘' } })
    await memory.flush()
    expect(numbers()).toEqual(['a\ufffd'])
    const sent = JSON.parse(server.requests.find(({ body }) => body.includes('_kind'))?.body ?? '')
    expect(sent[0].data).toMatchObject({ 'b\ufffd': '\\ud83d 🧘' })
  })

  it('says that a key is needed', async () => {
    const { server, open } = await world()
    server.trouble = () => 'locked'
    const memory = open()
    await until(() => expect(memory.state().reason).toContain('an API key is needed'))
  })

  it('makes the bucket again that somebody deleted', async () => {
    const { server, open, numbers } = await world()
    const memory = open()
    await memory.record(made(1))
    await memory.flush()
    server.deleteBucket(BUCKET)
    await memory.record(made(2))
    await memory.flush()
    expect(numbers()).toEqual([2])
    expect(memory.state().where).toBe('activitywatch')
  })

  it('stops quickly in the middle of a request that hangs, and goes on with it the next time', async () => {
    const { server, open, numbers } = await world({ timeLimitMs: 60_000 })
    const memory = open()
    await isIn(memory, 'activitywatch')
    server.trouble = ({ method }) => (method === 'POST' ? 'hang' : undefined)
    await memory.record(made(1))
    await memory.flush(AbortSignal.timeout(20))
    await memory.close()
    await memory.close()
    server.trouble = undefined
    await open().flush()
    expect(numbers()).toEqual([1])
  })

  it('does not wait for a server that hangs when all is safe here', async () => {
    const { server, open } = await world({ timeLimitMs: 60_000 })
    const memory = open({ copyPatienceMs: 20 })
    await isIn(memory, 'activitywatch')
    server.trouble = () => 'hang'
    await memory.record(made(1))
    // No signal: nothing else ends it.
    await memory.flush()
    await memory.close()
    expect(memory.state().waiting).toBe(1)
  })

  it('throws the reason of a signal, and takes that for no outage', async () => {
    const { server, open } = await world()
    const memory = open()
    await isIn(memory, 'activitywatch')
    server.trouble = () => 'hang'
    const abort = new AbortController()
    const reading = memory.latest(abort.signal)
    abort.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect(memory.state().where).toBe('activitywatch')
  })
})
