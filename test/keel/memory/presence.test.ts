import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findPresent } from '../../../src/keel/memory/presence.ts'
import type { KeelEvent } from '../../../src/keel/memory/store.ts'
import type { StoredEvent } from '../../../src/keel/memory/stored-events.ts'
import { event } from '../../contract/keel-memory.ts'

const { signal } = new AbortController()
const stored = (id: number, ms: number): StoredEvent => ({ id, event: event('a', ms, { proposal_id: `p${id}` }), sent: 'tried' })

/** As a server with these events, which counts the questions. */
function server(events: readonly KeelEvent[]) {
  const newest = [...events].sort((a, b) => b.at.getTime() - a.at.getTime())
  let asked = 0
  return {
    asked: () => asked,
    async look(from: Date, to: Date, limit: number) {
      asked++
      const found = newest.filter(({ at }) => at >= from && at < to).slice(0, limit)
      return { events: found, isCut: found.length >= limit }
    },
  }
}

it('asks once for many events that lie beside each other', async () => {
  const ours = [...Array(100).keys()].map((n) => stored(n, n))
  const remote = server(ours.filter(({ id }) => id % 2 === 0).map(({ event: each }) => each))
  expect((await findPresent(remote, ours, signal)).map(({ id }) => id)).toEqual(ours.map(({ id }) => id).filter((id) => id % 2 === 0))
  expect(remote.asked()).toBe(1)
  expect(await findPresent(remote, [], signal)).toEqual([])
})

it('finds exactly those that are there, also among more events of others than one answer holds', async () => {
  const foreign = [...Array(2500).keys()].map((n) => event('other', n % 900))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.boolean()), { maxLength: 30 }), async (list) => {
      const ours = list.map(([ms], id) => stored(id, ms))
      const there = ours.filter((_, n) => list[n]![1])
      const found = await findPresent(server([...foreign, ...there.map(({ event: each }) => each)]), ours, signal)
      expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual(there.map(({ id }) => id))
    }),
    { numRuns: 30 },
  )
})
