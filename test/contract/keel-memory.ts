/** What every event store of Keel's does, wherever its events lie. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventStore, KeelEvent, KeelMemory } from '../../src/keel/memory/store.ts'

export interface EventStoreFixture {
  readonly name: string
  /** An empty store, which the fixture closes at the end of the test. */
  open(): Promise<EventStore>
  /** How often the property is tried; less for a slow store. */
  readonly runs?: number
}

/** Where nothing but the order counts. Far enough from now and from 1970 for every server. */
const START = Date.UTC(2026, 5, 5, 10, 0, 0)

export function event(kind: string, ms: number, data: Record<string, unknown> = {}): KeelEvent {
  return { kind, at: new Date(START + ms), data }
}

const shown = (events: readonly KeelEvent[]) => events.map(({ kind, at, data }) => [kind, at.getTime() - START, data.n])

export function eventStoreContract({ name, open, runs = 50 }: EventStoreFixture): void {
  describe(`the event store contract: ${name}`, () => {
    it('is empty at first', async () => {
      const store = await open()
      expect(await store.recent('a', 5)).toEqual([])
      expect(await store.latest()).toEqual([])
      expect(await store.range(new Date(0), new Date(START + 1e9), 10)).toEqual([])
    })

    it('gives an event back as it was recorded, to the millisecond, and leaves the data of its caller alone', async () => {
      const store = await open()
      const data = { proposal_id: 'x', text: 'a "b" \\ \n🧘 \u0007', nested: { list: [1, null, 'ü'] }, n: 1.5, yes: true }
      const recorded = structuredClone(data)
      await store.record({ kind: 'a', at: new Date(START + 123), data })
      expect(data).toEqual(recorded)
      expect(await store.recent('a', 1)).toEqual([{ kind: 'a', at: new Date(START + 123), data: recorded }])
    })

    it('gives the newest of a kind, newest first, as many as were asked for', async () => {
      const store = await open()
      for (const [kind, ms] of [
        ['a', 1000],
        ['b', 2000],
        ['a', 3000],
        ['a', 500],
      ] as const) {
        await store.record(event(kind, ms, { n: ms }))
      }
      expect(shown(await store.recent('a', 5))).toEqual([
        ['a', 3000, 3000],
        ['a', 1000, 1000],
        ['a', 500, 500],
      ])
      expect(shown(await store.recent('a', 2))).toHaveLength(2)
      expect(await store.recent('c', 5)).toEqual([])
      for (const none of [0, -1]) expect(await store.recent('a', none)).toEqual([])
    })

    it('gives what was written last first where the time is the same', async () => {
      const store = await open()
      for (const n of [1, 2, 3]) await store.record(event('a', 1000, { n }))
      expect((await store.recent('a', 2)).map(({ data }) => data.n)).toEqual([3, 2])
      expect((await store.latest()).map(({ data }) => data.n)).toEqual([3, 2, 1])
    })

    it('takes the kind from the event and not from a field of its data', async () => {
      const store = await open()
      await store.record(event('a', 0, { _kind: 'b', n: 1 }))
      expect(await store.recent('b', 5)).toEqual([])
      expect(shown(await store.recent('a', 5))).toEqual([['a', 0, 1]])
    })

    it('gives what lies in a range, its beginning included and its end not, the newest where there is more', async () => {
      const store = await open()
      for (const ms of [1000, 2000, 3000, 4000]) await store.record(event(ms === 3000 ? 'b' : 'a', ms, { n: ms }))
      const times = async (from: number, to: number, limit: number) =>
        (await store.range(new Date(START + from), new Date(START + to), limit)).map(({ data }) => data.n)
      expect(await times(2000, 4000, 10)).toEqual([3000, 2000])
      expect(await times(2000, 4001, 2)).toEqual([4000, 3000])
      expect(await times(2001, 3000, 10)).toEqual([])
      expect(await times(0, 9000, 0)).toEqual([])
    })

    it('hides nothing that was said to a proposal which has happened, however far ahead the clock was by then', async () => {
      const store = await open()
      const ahead = 20 * 365 * 24 * 60 * 60_000
      await store.record(event('proposal_made', 0, { n: 1, proposal_id: 'x' }))
      await store.record(event('action_taken', ahead, { n: 2, proposal_id: 'x' }))
      await store.record(event('proposal_made', 1, { n: 3, proposal_id: 'y' }))
      expect((await store.latest()).map(({ data }) => data.n)).toEqual([2, 3, 1])
    })

    it('answers like a list of everything that was recorded, within its newest 200', async () => {
      const recorded = fc.record({ kind: fc.constantFrom('a', 'b', 'c'), ms: fc.integer({ min: 0, max: 40 }) })
      await fc.assert(
        fc.asyncProperty(fc.array(recorded, { maxLength: 25 }), fc.integer({ min: -1, max: 30 }), async (list, n) => {
          const store = await open()
          for (const [number, { kind, ms }] of list.entries()) await store.record(event(kind, ms, { n: number }))
          const newest = list
            .map(({ kind, ms }, number) => [kind, ms, number] as const)
            .sort((a, b) => b[1] - a[1] || b[2] - a[2])
            .slice(0, 200)
          expect(shown(await store.latest())).toEqual(newest)
          for (const wanted of ['a', 'b']) {
            const expected = newest.filter(([kind]) => kind === wanted).slice(0, Math.max(n, 0))
            expect(shown(await store.recent(wanted, n))).toEqual(expected)
          }
          const inRange = newest.filter(([, ms]) => ms >= 10 && ms < 30)
          expect(shown(await store.range(new Date(START + 10), new Date(START + 30), 100))).toEqual(inRange)
        }),
        { numRuns: runs },
      )
    })
  })
}

export type ForgetfulStore = EventStore & Pick<KeelMemory, 'forget'>

export interface ForgettingFixture {
  readonly name: string
  /** An empty store, whose clock stands at `event('', 0)` until it is set. */
  open(): Promise<{ readonly store: ForgetfulStore; setClock(ms: number): void }>
  readonly runs?: number
}

/** What every memory forgets, wherever its events lie. */
export function forgettingContract({ name, open, runs = 10 }: ForgettingFixture): void {
  const all = (store: EventStore) => store.range(new Date(0), new Date(START + 1e9), 999)
  const ofProposal = (id: unknown, kind: string, ms: number) => event(kind, ms, { n: ms, proposal_id: id })

  describe(`the forgetting contract: ${name}`, () => {
    it('forgets the events of one proposal, of every kind, and of no other one', async () => {
      const { store } = await open()
      for (const [ms, id] of ['a', 'b', 'a', 'ab', 7, '7'].entries()) await store.record(ofProposal(id, ms % 2 === 0 ? 'x' : 'y', ms))
      await store.record(event('x', 9, { n: 9 }))
      await store.forget({ field: 'proposal_id', value: 'a' })
      for (const found of [await all(store), await store.latest()]) expect(shown(found).map(([, ms]) => ms)).toEqual([9, 5, 4, 3, 1])
      expect(shown(await store.recent('x', 9)).map(([, ms]) => ms)).toEqual([9, 4])
      await store.forget({ field: 'proposal_id', value: '7' })
      expect(shown(await all(store)).map(([, ms]) => ms)).toEqual([9, 4, 3, 1])
    })

    it('forgets everything up to now, and remembers what comes', async () => {
      const { store, setClock } = await open()
      for (const ms of [-5, -3, 0]) await store.record(ofProposal('a', 'x', ms))
      setClock(10)
      await store.forget('everything')
      expect(await all(store)).toEqual([])
      expect(await store.latest()).toEqual([])
      await store.record(ofProposal('b', 'x', 11))
      expect(shown(await all(store))).toEqual([['x', 11, 11]])
    })

    it('forgets what it does not know, and nothing else for it, and the same twice', async () => {
      const { store } = await open()
      await store.forget('everything')
      await store.record(ofProposal('a', 'x', 1))
      for (const value of ['unknown', 'unknown', '"', "'", '%']) await store.forget({ field: 'proposal_id', value })
      await store.forget({ field: 'no"such\'field', value: 'a' })
      expect(shown(await all(store))).toEqual([['x', 1, 1]])
    })

    it('takes an aborted signal for what it is', async () => {
      const { store } = await open()
      await store.record(ofProposal('a', 'x', 1))
      await expect(store.forget('everything', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
      expect(await all(store)).toHaveLength(1)
    })

    it('answers like a list of what was recorded and not forgotten', async () => {
      const act = fc.oneof(
        { weight: 4, arbitrary: fc.record({ id: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('x', 'y') }) },
        { weight: 1, arbitrary: fc.record({ forget: fc.constantFrom('a', 'b', undefined) }) },
      )
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
          const { store, setClock } = await open()
          let left: { readonly id: string; readonly ms: number }[] = []
          for (const [ms, each] of acts.entries()) {
            setClock(ms)
            if ('forget' in each) {
              const { forget } = each
              await store.forget(forget === undefined ? 'everything' : { field: 'proposal_id', value: forget })
              left = left.filter(({ id }) => forget !== undefined && id !== forget)
            } else {
              await store.record(ofProposal(each.id, each.kind, ms))
              left = [{ id: each.id, ms }, ...left]
            }
            expect(shown(await all(store)).map(([, at]) => at)).toEqual(left.map(({ ms }) => ms))
          }
        }),
        { numRuns: runs },
      )
    })
  })
}
