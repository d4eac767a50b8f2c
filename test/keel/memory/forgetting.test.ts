/** Forgetting: gone from the files and from ActivityWatch, and never back, whatever fails meanwhile. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { openEmbeddedStore } from '../../../src/keel/memory/embedded-store.ts'
import { BUCKET } from '../../../src/keel/memory/open.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { MOST_WISHES } from '../../../src/keel/memory/wishes.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { event, forgettingContract } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'
import { newFake } from '../fake-memory.ts'
import { gate } from '../offscreen/world.ts'
import { empty, execute, fill, insertThere, isIn, made, numbersOf, until, type World, world } from './world.ts'

const DAY = 24 * 3_600_000
const SECRET = 'Ring the clinic'
const everything = (memory: KeelMemory) => memory.range(new Date(0), event('', 999 * DAY).at, 9_999)
const proposal = (id: string) => ({ field: 'proposal_id', value: id })
const secret = (n: number, text = SECRET) => event('proposal_made', n, { n, proposal_id: 's', next_action: `${text} ${n}` })
const deletions = ({ server }: World) => server.requests.filter(({ method }) => method === 'DELETE').length

/** Of everything that lies in the folder of the file. */
const bytesBeside = (file: string) =>
  Buffer.concat(readdirSync(dirname(file)).map((name) => readFileSync(join(dirname(file), name)))).toString('latin1')

forgettingContract({ name: 'the fake', open: async () => ({ store: newFake(), setClock: () => {} }), runs: 5 })
forgettingContract({
  name: 'this machine alone',
  async open() {
    const { open, setClock } = await world({ isAway: true })
    return { store: open({ aw: undefined }), setClock }
  },
})
for (const personality of ['python', 'rust'] as const) {
  for (const isKept of [true, false]) {
    forgettingContract({
      name: `${isKept ? 'this machine and' : 'only'} ActivityWatch, the ${personality} server`,
      async open() {
        const { open, setClock } = await world({ personality })
        const memory = open(isKept ? {} : { file: undefined })
        await isIn(memory, 'activitywatch')
        return { store: memory, setClock }
      },
    })
  }
}

describe('what is forgotten here', () => {
  it('lies in none of the files any more, however often its pages were split, and before the memory is closed', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined })
    for (let n = 0; n < 400; n++) {
      await memory.record(secret(n))
      await memory.record(made(n))
    }
    expect(bytesBeside(file)).toContain(SECRET)
    await memory.forget(proposal('s'))
    expect(bytesBeside(file)).not.toContain(SECRET)
    expect(await everything(memory)).toHaveLength(400)
    await memory.record(secret(1, 'Another'))
    await memory.forget('everything')
    expect(bytesBeside(file)).not.toMatch(/Another|proposal_made/)
  })

  it('lies in the file no more where it was deleted long ago, without being overwritten', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined })
    for (let n = 0; n < 50; n++) await memory.record(secret(n))
    execute(file, "pragma secure_delete = off; delete from events where kind = 'proposal_made'")
    expect(bytesBeside(file)).toContain(SECRET)
    await memory.forget('everything')
    expect(bytesBeside(file)).not.toContain(SECRET)
  })

  it('is not in what was held because the disk was full', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined, probeEveryMs: 60_000 })
    await memory.record(made(1))
    fill(file)
    await memory.record(secret(2))
    await expect(memory.forget(proposal('s'))).rejects.toMatchObject({ code: 'not_forgotten', message: expect.stringContaining('full') })
    // Whole or not at all.
    expect(await everything(memory)).toHaveLength(2)
    empty(file)
    await memory.forget(proposal('s'))
    expect(numbersOf(await everything(memory))).toEqual([1])
    expect(bytesBeside(file)).not.toContain(SECRET)
  })

  it('goes out of the file when somebody who reads it is done, and out of the answers at once', async () => {
    const { file, lines, open } = await world()
    const memory = open({ aw: undefined })
    await memory.record(secret(1))
    const DatabaseSync = sqliteClass()
    const other = new DatabaseSync(file, {})
    other.exec('begin')
    other.prepare('select * from events').all()
    await memory.forget(proposal('s'))
    expect(await everything(memory)).toEqual([])
    expect(bytesBeside(file)).toContain(SECRET)
    expect(lines).toEqual([expect.stringMatching(/^memory: the text of what was forgotten still lies in the file \(.*\); trying again$/)])
    other.exec('commit')
    other.close()
    await until(() => expect(bytesBeside(file)).not.toContain(SECRET))
  })

  it('goes out of the file at the next start where the process ended before it was overwritten', async () => {
    const file = join(temporaryFolder(), 'events.db')
    const now = () => new Date()
    const store = openEmbeddedStore(file, now)
    store.append(secret(1))
    store.forget({ what: proposal('s'), at: now() })
    store.close()
    const { open } = await world()
    const memory = open({ aw: undefined, file })
    expect(bytesBeside(file)).not.toContain(SECRET)
    await memory.close()
  })

  it('is told by a row that can be read, and one that cannot does not stand in the way', async () => {
    const { file, open } = await world()
    const memory = open({ aw: undefined })
    await memory.record(secret(1))
    execute(file, `insert into events (kind, at, data) values ('a', ${made(1).at.getTime()}, '{bad')`)
    await memory.forget(proposal('s'))
    expect(await everything(memory)).toEqual([])
    await memory.forget('everything')
    expect(bytesBeside(file)).not.toContain('{bad')
  })
})

for (const personality of ['python', 'rust'] as const) {
  describe(`what is forgotten in ActivityWatch, the ${personality} server`, () => {
    it('is deleted there, what others wrote stays, and what lies there twice goes twice', async () => {
      const { server, open, numbers } = await world({ personality })
      const foreign = { timestamp: made(1).at, duration: 0, data: { n: 'foreign', proposal_id: 's' } }
      await insertThere(server, secret(1), secret(1), made(2))
      await awClient({ url: server.url, system: testSystem() }).insert(BUCKET, [foreign])
      const memory = open()
      await memory.record(secret(1))
      await memory.forget(proposal('s'))
      await memory.flush()
      expect(numbers()).toEqual([2, 'foreign'])
      await memory.forget('everything')
      await memory.record(made(0))
      await memory.flush()
      // Of a later moment than the wish.
      expect(numbers()).toEqual([2, 'foreign', 0])
    })

    it('is deleted when it is back, is not read meanwhile, and stays forgotten by a next run', async () => {
      const { server, file, open, numbers } = await world({ personality })
      const first = open()
      for (const each of [secret(1), made(2), secret(3)]) await first.record(each)
      await first.flush()
      await server.stop()
      await first.forget(proposal('s'))
      expect(numbersOf(await everything(first))).toEqual([2])
      await first.close()
      server.trouble = ({ method }) => (method === 'DELETE' ? 'error' : undefined)
      await server.start()
      const second = open({ file })
      await isIn(second, 'activitywatch')
      for (const found of [await everything(second), await second.latest(), await second.recent('proposal_made', 9)])
        expect(numbersOf(found)).toEqual([2])
      expect(numbers()).toEqual([1, 2, 3])
      server.trouble = undefined
      await until(() => expect(numbers()).toEqual([2]))
    })

    it.each(['hang', 'deaf'] as const)('does not come back by a copy that is on its way (%s)', async (how) => {
      const { server, open, numbers } = await world({ personality, timeLimitMs: 300 })
      const memory = open()
      await isIn(memory, 'activitywatch')
      server.trouble = ({ method, path }) => (method === 'POST' && path.endsWith('/events') ? how : undefined)
      for (const each of [secret(1), made(2)]) await memory.record(each)
      await until(() => expect(server.requests.some(({ body }) => body.includes(SECRET))).toBe(true))
      await memory.forget(proposal('s'))
      expect(numbersOf(await everything(memory))).toEqual([2])
      server.trouble = undefined
      await until(() => expect(numbers()).toEqual([2]))
      await isIn(memory, 'activitywatch')
      await memory.flush()
      expect(numbers()).toEqual([2])
      expect(numbersOf(await everything(memory))).toEqual([2])
    })

    it('goes once more where the server is ended before it wrote that', async () => {
      const { server, file, open, numbers } = await world({ personality })
      const memory = open()
      for (const each of [secret(1), made(2)]) await memory.record(each)
      await memory.flush()
      await memory.forget(proposal('s'))
      await memory.flush()
      await server.stop()
      await isIn(memory, 'embedded')
      // Nobody looks before it lies there again.
      server.trouble = ({ method, path }) => (method === 'GET' && path.includes('/events') ? 'drop' : undefined)
      await server.start()
      await insertThere(server, secret(1))
      server.trouble = undefined
      await isIn(memory, 'activitywatch')
      await until(() => expect(numbers()).toEqual([2]))
      await memory.close()
      expect(existsSync(file)).toBe(true)
    })

    it('is found among more events than one answer holds, also where many are of one moment', async () => {
      const { server, open, numbers } = await world({ personality })
      const many = [...Array(2_500).keys()].map((n) => event('a', Math.max(n - 1_200, 0), { n }))
      await insertThere(server, secret(-5), ...many, secret(5_000))
      const memory = open()
      await memory.forget(proposal('s'))
      await until(() => expect(numbers()).toHaveLength(2_500))
      expect(numbers()).not.toContain(-5)
    })
  })
}

describe('forgetting everything', () => {
  it('means what a clock that was ahead has written too, and not what is recorded after it, whatever the clock says then', async () => {
    const { server, open, numbers, setClock } = await world({ isAway: true })
    const memory = open()
    setClock(300 * DAY)
    for (const ms of [1, 300 * DAY, 900 * DAY]) await memory.record(made(ms))
    await memory.forget('everything')
    setClock(0)
    await memory.record(made(2))
    server.trouble = ({ method }) => (method === 'DELETE' ? 'refuse' : undefined)
    await server.start()
    await insertThere(server, made(3), made(900 * DAY))
    await until(() => expect(numbers()).toContain(2))
    expect(numbersOf(await everything(memory))).toEqual([2])
    server.trouble = undefined
    await until(() => expect(numbers()).toEqual([2]))
    expect(numbersOf(await everything(memory))).toEqual([2])
  })

  it('stands in place of what was wished before', async () => {
    const { file, open } = await world({ isAway: true })
    const memory = open()
    const kept = () => {
      const store = openEmbeddedStore(file, () => new Date())
      const wishes = store.wishes().map(({ what }) => what)
      store.close()
      return wishes
    }
    for (const id of ['a', 'b', 'a', 'a']) await memory.forget(proposal(id))
    expect(kept()).toEqual([proposal('b'), proposal('a')])
    for (let time = 0; time < 2; time++) await memory.forget('everything')
    expect(kept()).toEqual(['everything'])
  })
})

describe('a wish', () => {
  it('is carried out at another address too, and again at the one of before', async () => {
    const first = await world()
    const other = await world()
    await insertThere(other.server, secret(1), made(2))
    const here = first.open()
    await here.record(made(3))
    await here.forget(proposal('s'))
    await here.flush()
    await here.close()
    const there = other.open({ file: first.file })
    await there.flush()
    await until(() => expect(other.numbers()).toEqual([2, 3]))
    await there.close()
    await insertThere(first.server, secret(4))
    const back = first.open()
    await back.flush()
    await until(() => expect(first.numbers()).toEqual([3]))
  })

  it('is kept for ActivityWatch while that is not used', async () => {
    const { file, open, numbers } = await world()
    const before = open()
    await before.record(secret(1))
    await before.flush()
    await before.close()
    const local = open({ aw: undefined })
    await local.forget(proposal('s'))
    await local.close()
    expect(numbers()).toEqual([1])
    const after = open({ file })
    await after.flush()
    await until(() => expect(numbers()).toEqual([]))
  })

  it('that a server does not carry out stops no event on its way there, is said once, and is tried again', async () => {
    const made1 = await world()
    const { server, lines, open, numbers } = made1
    const memory = open()
    await memory.record(secret(1))
    await memory.flush()
    server.trouble = ({ method }) => (method === 'DELETE' ? 'refuse' : undefined)
    await memory.forget(proposal('s'))
    await memory.record(made(2))
    await until(() => expect(numbers()).toEqual([1, 2]))
    await until(() => expect(deletions(made1)).toBeGreaterThan(2))
    expect(numbersOf(await everything(memory))).toEqual([2])
    expect(lines.filter((line) => line.includes('forget'))).toEqual([expect.stringMatching(/^memory: AW does not forget just now \(/)])
    server.trouble = undefined
    await until(() => expect(numbers()).toEqual([2]))
  })

  it('is not taken for done because a server says so', async () => {
    const { server, lines, open, numbers } = await world()
    const memory = open()
    await memory.record(secret(1))
    await memory.flush()
    server.trouble = ({ method }) => (method === 'DELETE' ? 'nothing' : undefined)
    await memory.forget(proposal('s'))
    await until(() => expect(lines.at(-1)).toContain('what was deleted is still there'))
    expect(await everything(memory)).toEqual([])
    server.trouble = undefined
    await until(() => expect(numbers()).toEqual([]))
  })

  it.each([
    ['was wished', true, true],
    ['was wished, with nothing kept here', false, true],
    ['was carried out', true, false],
  ] as const)('hides what an answer brings that was on its way when it %s', async (_, isKept, isWishedAfter) => {
    const { server, open, numbers } = await world()
    const held = gate()
    const arrived = gate()
    const system = testSystem()
    const fetch: typeof system.fetch = async (url, options) => {
      const response = await system.fetch(url, options)
      if (!String(url).endsWith('limit=200')) return response
      const text = await response.text()
      arrived.open()
      await held.promise
      return new Response(text)
    }
    const memory = open({ aw: awClient({ url: server.url, system: { ...system, fetch } }), ...(isKept ? {} : { file: undefined }) })
    await memory.record(secret(1))
    await memory.flush()
    server.trouble = ({ method }) => (method === 'DELETE' && !isWishedAfter ? 'refuse' : undefined)
    if (!isWishedAfter) await memory.forget(proposal('s'))
    const reading = memory.latest()
    await arrived.promise
    server.trouble = undefined
    if (isWishedAfter) await memory.forget(proposal('s'))
    await until(() => expect(numbers()).toEqual([]))
    held.open()
    expect(await reading).toEqual([])
  })

  it('of a thousand and more that are done is forgotten itself, the oldest first', () => {
    const store = openEmbeddedStore(join(temporaryFolder(), 'events.db'), () => new Date())
    onTestFinished(() => store.close())
    for (let n = 0; n < MOST_WISHES + 10; n++) {
      store.forget({ what: proposal(`p${n}`), at: new Date(n) })
      if (n !== 3) store.fulfil(store.wishes().flatMap(({ id, what }) => (what !== 'everything' && what.value === 'p3' ? [] : [id])))
    }
    store.meet('http://another')
    const left = store.wishes()
    expect(left).toHaveLength(MOST_WISHES + 2)
    expect(left[0]).toMatchObject({ what: proposal('p3') })
  })
})

describe('a memory that keeps nothing here', () => {
  it('says that nothing was forgotten while ActivityWatch is away', async () => {
    const { server, open } = await world({ isAway: true })
    const memory = open({ file: undefined })
    await expect(memory.forget('everything')).rejects.toMatchObject({
      code: 'not_forgotten',
      message: expect.stringMatching(/ActivityWatch \(.+\)/),
    })
    await server.start()
    await isIn(memory, 'activitywatch')
    server.trouble = ({ method }) => (method === 'DELETE' ? 'drop' : undefined)
    await memory.record(secret(1))
    await expect(memory.forget(proposal('s'))).rejects.toMatchObject({ code: 'not_forgotten' })
    expect(memory.state().where).toBe('none')
  })

  it('forgets what is being recorded, and shows it to nobody meanwhile', async () => {
    const { server, open, numbers } = await world()
    const held = gate()
    const system = testSystem()
    const fetch: typeof system.fetch = async (url, options) => {
      if (String(options?.body).includes(SECRET)) await held.promise
      return system.fetch(url, options)
    }
    const memory = open({ aw: awClient({ url: server.url, system: { ...system, fetch } }), file: undefined })
    await isIn(memory, 'activitywatch')
    await insertThere(server, secret(2))
    const recording = memory.record(secret(1))
    const forgetting = memory.forget(proposal('s'))
    expect(await memory.latest()).toEqual([])
    held.open()
    await Promise.all([recording, forgetting])
    expect(server.requests.some(({ body }) => body.includes(`${SECRET} 1`))).toBe(true)
    expect(numbers()).toEqual([])
  })

  it('has nothing to forget where there is no memory at all', async () => {
    const { open } = await world({ isAway: true })
    await open({ file: undefined, aw: undefined }).forget('everything')
  })
})
