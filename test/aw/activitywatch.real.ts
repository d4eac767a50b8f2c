/** Keel's memory and screen time against the real ActivityWatch server: `npm run test:aw`. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { awClient } from '../../src/keel/aw/client.ts'
import { newAwStore } from '../../src/keel/memory/aw-store.ts'
import { BUCKET, BUCKET_CLIENT, BUCKET_TYPE, openMemory } from '../../src/keel/memory/open.ts'
import type { KeelMemory } from '../../src/keel/memory/store.ts'
import { newScreenTime } from '../../src/keel/screen-time/screen-time.ts'
import { event, eventStoreContract, forgettingContract } from '../contract/keel-memory.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { testSystem } from '../keel/ai/system.ts'
import { type RealServer, realServer } from './real-server.ts'

const system = testSystem()
const program = process.env.MEMU_TEST_AW_SERVER ?? ''
let server: RealServer

beforeAll(async () => {
  server = await realServer(program)
  await server.start()
})
afterAll(() => server?.remove())

const client = () => awClient({ url: server.url, system })
const made = (n: number) => event('proposal_made', n, { n, proposal_id: `p${n}` })
const numbersOf = (events: readonly { readonly data: Readonly<Record<string, unknown>> }[]) => events.map(({ data }) => data.n)
const until = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 10 })

function opened(options: Partial<Parameters<typeof openMemory>[0]> = {}) {
  const lines: string[] = []
  const memory = openMemory({
    aw: client(),
    system,
    log: (line) => lines.push(line),
    probeEveryMs: 100,
    // A flush is until all is there.
    copyPatienceMs: 30_000,
    bucket: `${BUCKET}.${randomUUID()}`,
    ...options,
  })
  onTestFinished(() => memory.close())
  return { memory, lines }
}

const isIn = (memory: KeelMemory, where: string) => until(() => expect(memory.state().where).toBe(where))

eventStoreContract({
  name: 'the real ActivityWatch',
  runs: 3,
  async open() {
    const bucket = `keel.events.${randomUUID()}`
    const aw = client()
    await aw.ensureBucket(bucket, BUCKET_TYPE, BUCKET_CLIENT)
    return newAwStore(aw, bucket)
  },
})

for (const isKept of [true, false]) {
  forgettingContract({
    name: `the real ActivityWatch${isKept ? ' and this machine' : ' alone'}`,
    runs: 2,
    async open() {
      let clock = 0
      const now = { ...system, now: () => event('', clock).at }
      const { memory } = opened({ system: now, ...(isKept ? { file: join(temporaryFolder(), 'events.db') } : {}) })
      await isIn(memory, 'activitywatch')
      return {
        store: memory,
        setClock(ms) {
          clock = ms
        },
      }
    },
  })
}

describe('the client with the real ActivityWatch', () => {
  it('knows its version', async () => {
    expect((await client().info()).version).toMatch(/^v0\./)
  })

  it('makes the bucket once, with its type and this host', async () => {
    for (let time = 0; time < 2; time++) await client().ensureBucket(BUCKET, BUCKET_TYPE, BUCKET_CLIENT)
    const found = (await client().buckets()).filter(({ id }) => id === BUCKET)
    expect(found).toMatchObject([{ type: 'keel.event', hostname: hostname() }])
  })

  it('makes a bucket for reading and writing again that is not there, and says of another one that it is unknown', async () => {
    const bucket = `odd name ${randomUUID()} ü?#`
    await client().ensureBucket(bucket, 't', 'c')
    await client().insert(bucket, [{ timestamp: made(1).at, duration: 0, data: { n: 1 } }])
    expect(numbersOf(await client().recent(bucket, 5))).toEqual([1])
    await expect(client().recent('unknown', 5)).rejects.toMatchObject({ status: 404 })
  })

  it('reads the newest 200 out of many in well under its limit', async () => {
    const bucket = `many.${randomUUID()}`
    const aw = client()
    await aw.ensureBucket(bucket, 't', 'c')
    for (let batch = 0; batch < 10; batch++) {
      await aw.insert(
        bucket,
        [...Array(100).keys()].map((n) => ({ timestamp: made(batch * 100 + n).at, duration: 0, data: { n: batch * 100 + n } })),
      )
    }
    expect(numbersOf(await aw.recent(bucket, 200))).toEqual([...Array(200).keys()].map((n) => 999 - n))
    expect(numbersOf(await aw.range(bucket, made(10).at, made(13).at, 10))).toEqual([12, 11, 10])
  })
})

describe('the memory with the real ActivityWatch', () => {
  it('has what was forgotten while it was away deleted there when it is back, and nothing else', async () => {
    const bucket = `keel.events.${randomUUID()}`
    const { memory } = opened({ file: join(temporaryFolder(), 'events.db'), bucket })
    for (const n of [1, 2, 3, 4]) await memory.record(event('proposal_made', n, { n, proposal_id: `p${n % 2}` }))
    await memory.flush()
    await client().insert(bucket, [{ timestamp: made(1).at, duration: 0, data: { n: 'foreign', proposal_id: 'p1' } }])
    await server.stop()
    await memory.forget({ field: 'proposal_id', value: 'p1' })
    expect(numbersOf(await memory.latest())).toEqual([4, 2])
    await server.start()
    await until(async () => expect(numbersOf(await client().recent(bucket, 9))).toEqual([4, 2, 'foreign']))
    await memory.forget('everything')
    await until(async () => expect(numbersOf(await client().recent(bucket, 9))).toEqual(['foreign']))
    expect(await memory.latest()).toEqual([])
  })

  it('deletes some hundred events in the background, one after another', async () => {
    const bucket = `keel.events.${randomUUID()}`
    const { memory } = opened({ file: join(temporaryFolder(), 'events.db'), bucket })
    for (let n = 0; n < 400; n++) await memory.record(made(n))
    await memory.flush()
    await memory.forget('everything')
    expect(await memory.latest()).toEqual([])
    await until(async () => expect(await client().recent(bucket, 9)).toEqual([]))
  })

  it('loses and repeats nothing while the server is stopped and started, and says it once each way', async () => {
    const file = join(temporaryFolder(), 'events.db')
    const { memory, lines } = opened({ file, bucket: BUCKET })
    await memory.record(made(0))
    await memory.flush()
    await server.stop()
    for (const n of [1, 2, 3]) await memory.record(made(n))
    await isIn(memory, 'embedded')
    expect(numbersOf(await memory.latest())).toEqual([3, 2, 1, 0])
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.record(made(4))
    await memory.flush()
    expect(memory.state().waiting).toBe(0)
    expect(numbersOf(await client().recent(BUCKET, 200))).toEqual([4, 3, 2, 1, 0])
    expect(numbersOf(await memory.latest())).toEqual([4, 3, 2, 1, 0])
    expect(lines).toEqual([
      `memory: keel.events ready at ${server.url}`,
      expect.stringMatching(/^memory: AW unavailable at .* \(.*\); keeping events locally$/),
      `memory: keel.events ready at ${server.url}`,
    ])
  })

  it('recalls after a restart of the server and of the daemon, with and without a store of its own', async () => {
    const bucket = `keel.events.${randomUUID()}`
    const first = opened({ bucket })
    await first.memory.record(made(1))
    await first.memory.close()
    await server.stop()
    await server.start()
    expect(numbersOf(await opened({ bucket }).memory.recent('proposal_made', 5))).toEqual([1])
    const file = join(temporaryFolder(), 'events.db')
    expect(numbersOf(await opened({ bucket, file }).memory.latest())).toEqual([1])
  })

  it('starts while the server is away and brings over what was kept when it appears', async () => {
    await server.stop()
    const bucket = `keel.events.${randomUUID()}`
    const { memory } = opened({ bucket, file: join(temporaryFolder(), 'events.db') })
    for (let n = 0; n < 120; n++) await memory.record(made(n))
    await isIn(memory, 'embedded')
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.flush()
    expect(numbersOf(await client().recent(bucket, 200))).toEqual([...Array(120).keys()].reverse())
  })

  it('brings nothing a second time to a server that it knows under another name, or of which the answer was lost', async () => {
    const bucket = `keel.events.${randomUUID()}`
    const file = join(temporaryFolder(), 'events.db')
    const first = opened({ bucket, file })
    for (let n = 0; n < 250; n++) await first.memory.record(made(n))
    await first.memory.flush()
    await first.memory.close()
    const [, host] = /\/\/([^:]+):/.exec(server.url) ?? []
    const url = server.url.replace(`${host}`, host === 'localhost' ? '127.0.0.1' : 'localhost')
    const { memory } = opened({ bucket, file, aw: awClient({ url, system }) })
    await memory.record(made(250))
    await memory.flush()
    expect(memory.state().waiting).toBe(0)
    expect(numbersOf(await client().recent(bucket, 999))).toEqual([...Array(251).keys()].reverse())
  })
})

it("reads today's screen time out of the watchers' buckets", async () => {
  const aw = client()
  const now = new Date(2026, 5, 5, 12, 0, 0)
  const at = (hour: number, minute: number) => new Date(2026, 5, 5, hour, minute)
  const source = newScreenTime({ aw, system: { now: () => now }, host: 'desk', log: (line) => expect.unreachable(line) })
  const signal = new AbortController().signal
  expect(await source.text(signal)).toBe('')
  await aw.ensureBucket('aw-watcher-window_desk', 'currentwindow', 'aw-watcher-window')
  await aw.ensureBucket('aw-watcher-afk_desk', 'afkstatus', 'aw-watcher-afk')
  expect(await source.text(signal)).toBe('')
  const minutes = (timestamp: Date, length: number, data: Record<string, unknown>) => ({ timestamp, duration: length * 60, data })
  await aw.insert('aw-watcher-window_desk', [
    minutes(at(9, 0), 65, { app: 'Code', title: 'a' }),
    minutes(at(10, 5), 85, { app: 'Firefox', title: 'b' }),
  ])
  await aw.insert('aw-watcher-afk_desk', [
    minutes(at(8, 0), 60, { status: 'afk' }),
    minutes(at(9, 0), 125, { status: 'not-afk' }),
    minutes(at(11, 5), 25, { status: 'afk' }),
  ])
  expect(await source.text(signal)).toBe('2 h 5 min today\n- Code: 1 h 5 min\n- Firefox: 1 h')
})
