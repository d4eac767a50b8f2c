import { expect, it, onTestFinished } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import type { AwEvent } from '../../../src/keel/aw/event.ts'
import { newAwStore, OVERFETCH } from '../../../src/keel/memory/aw-store.ts'
import { newNop } from '../../../src/keel/memory/nop.ts'
import { event, eventStoreContract } from '../../contract/keel-memory.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'
import { newFake } from '../fake-memory.ts'

const BUCKET = 'keel.events'
const at = (seconds: number) => new Date(seconds * 1000)

eventStoreContract({ name: 'the fake', open: async () => newFake() })

for (const personality of ['python', 'rust'] as const) {
  eventStoreContract({
    name: `ActivityWatch, the ${personality} server`,
    runs: 10,
    async open() {
      const server = await fakeAw({ personality })
      onTestFinished(() => server.stop())
      const client = awClient({ url: server.url, system: testSystem() })
      await client.ensureBucket(BUCKET, 'keel.event', 'keel')
      return newAwStore(client, BUCKET)
    },
  })
}

/** The client's part that the store needs: keeps what is inserted, and gives a fixed list. */
function fakeClient(recent: readonly AwEvent[] = [], dropped = 0) {
  const inserted: AwEvent[] = []
  const limits: number[] = []
  return {
    inserted,
    limits,
    insert: async (_bucket: string, events: readonly AwEvent[]) => {
      inserted.push(...events)
      return dropped
    },
    recent: async (_bucket: string, limit: number) => {
      limits.push(limit)
      return [...recent]
    },
    range: async () => [...recent],
    stored: async () => [],
    remove: async () => {},
  }
}

it('TestFakeRecordThenRecentNewestFirstByKind: the fake gives the newest of a kind first', async () => {
  const fake = newFake()
  await fake.record({ kind: 'proposal_made', at: at(1), data: { n: 'a' } })
  await fake.record({ kind: 'action_taken', at: at(2), data: {} })
  await fake.record({ kind: 'proposal_made', at: at(3), data: { n: 'b' } })
  expect((await fake.recent('proposal_made', 5)).map(({ data }) => data.n)).toEqual(['b', 'a'])
})

it('TestFakeRecentRespectsLimit: the fake gives no more than was asked for', async () => {
  const fake = newFake()
  for (let i = 0; i < 4; i++) await fake.record({ kind: 'proposal_made', at: at(i), data: {} })
  expect(await fake.recent('proposal_made', 2)).toHaveLength(2)
})

it('TestNopStoreIsInert: the nop takes everything and gives nothing', async () => {
  const nop = newNop()
  await nop.record({ kind: 'x', at: at(0), data: {} })
  expect(await nop.recent('x', 5)).toEqual([])
  expect(await nop.latest()).toEqual([])
  expect(await nop.range(at(0), at(1), 5)).toEqual([])
})

it('TestAWStoreRecordMapsKindIntoData: the kind of an event lies in its data', async () => {
  const client = fakeClient()
  const data = { proposal_id: 'x' }
  await newAwStore(client, BUCKET).record({ kind: 'proposal_made', at: at(1000), data })
  expect(client.inserted).toEqual([{ timestamp: at(1000), duration: 0, data: { _kind: 'proposal_made', proposal_id: 'x' } }])
  expect(data).toEqual({ proposal_id: 'x' })
})

it('TestAWStoreRecentOverfetchesAndFiltersByKind: exactly 200 events are read, and those of the kind are given', async () => {
  const client = fakeClient([
    { timestamp: at(3), duration: 0, data: { _kind: 'proposal_made', n: 'b' } },
    { timestamp: at(2), duration: 0, data: { _kind: 'action_taken' } },
    { timestamp: at(1), duration: 0, data: { _kind: 'proposal_made', n: 'a' } },
  ])
  const found = await newAwStore(client, BUCKET).recent('proposal_made', 5)
  expect(client.limits).toEqual([200])
  expect(OVERFETCH).toBe(200)
  expect(found.map(({ kind, data }) => [kind, data.n])).toEqual([
    ['proposal_made', 'b'],
    ['proposal_made', 'a'],
  ])
})

it('TestAWStoreRecentCapsAtN: no more are given than were asked for', async () => {
  const recent = [0, 1, 2, 3, 4].map((i) => ({ timestamp: at(i), duration: 0, data: { _kind: 'proposal_made' } }))
  expect(await newAwStore(fakeClient(recent), BUCKET).recent('proposal_made', 2)).toHaveLength(2)
})

it('does not see what lies behind the newest 200 events of all kinds', async () => {
  const server = await fakeAw()
  onTestFinished(() => server.stop())
  const client = awClient({ url: server.url, system: testSystem() })
  await client.ensureBucket(BUCKET, 'keel.event', 'keel')
  const store = newAwStore(client, BUCKET)
  await store.insert([event('a', 0), event('a', 1), ...[...Array(199).keys()].map((n) => event('b', n + 2))])
  expect(await store.recent('a', 5)).toEqual([event('a', 1)])
  expect(await store.latest()).toHaveLength(200)
})

it('passes over what others wrote to the bucket', async () => {
  const foreign = [{}, { _kind: 1 }, { _kind: null }, { kind: 'a' }].map((data) => ({ timestamp: at(1), duration: 0, data }))
  const store = newAwStore(fakeClient(foreign), BUCKET)
  expect(await store.latest()).toEqual([])
  expect(await store.range(at(0), at(9), 5)).toEqual([])
})

it('says so where the server dropped an event', async () => {
  const lines: string[] = []
  await newAwStore(fakeClient([], 1), BUCKET, (line) => lines.push(line)).record(event('a', 0))
  expect(lines).toEqual(['memory: AW dropped 1 event(s)'])
})

it('tells that there may be more, also where what was read is of others', async () => {
  const store = newAwStore(
    fakeClient([event('', 1), event('', 0)].map(({ at: timestamp }) => ({ timestamp, duration: 0, data: {} }))),
    BUCKET,
  )
  expect(await store.look(at(0), at(9), 2)).toEqual({ events: [], isCut: true })
  expect(await store.look(at(0), at(9), 3)).toEqual({ events: [], isCut: false })
})
