import { expect, it } from 'vitest'
import { MOST_HELD, newHeldEvents } from '../../../src/keel/memory/held-events.ts'
import { event, eventStoreContract } from '../../contract/keel-memory.ts'

const NOW = () => event('', 0).at

eventStoreContract({
  name: 'events that are held',
  async open() {
    const held = newHeldEvents(NOW, () => {})
    return {
      record: async (recorded) => held.append(recorded),
      recent: async (kind, n) => held.recent(kind, n),
      latest: async () => held.latest(),
      range: async (from, to, limit) => held.range(from, to, limit),
    }
  },
})

it('makes room with what ActivityWatch has before it loses anything, and tells of each one that it loses', () => {
  let lost = 0
  const held = newHeldEvents(NOW, () => lost++)
  for (const sent of ['kept', 'copied', 'copied'] as const) held.append(event('a', 0), sent)
  for (let n = held.all().length; n < MOST_HELD + 2; n++) held.append(event('a', n))
  expect(lost).toBe(0)
  expect(held.unsaved()).toBe(MOST_HELD)
  held.append(event('a', 1))
  expect(lost).toBe(1)
  expect(held.all()[0]?.sent).toBe('waiting')
  expect(held.all()).toHaveLength(MOST_HELD)
})

it('passes over what lies far ahead of the clock when it is asked for what is recent', () => {
  const held = newHeldEvents(NOW, () => {})
  for (const ms of [0, 9 * 60_000, 11 * 60_000]) held.append(event('a', ms))
  expect(held.recent('a', 9)).toHaveLength(2)
  expect(held.latest()).toHaveLength(2)
  expect(held.range(NOW(), event('', 1e9).at, 9)).toHaveLength(3)
  held.append(event('b', 12 * 60_000, { proposal_id: 'x' }))
  expect(held.latest(), 'a proposal that is itself ahead').toHaveLength(2)
  held.append(event('a', 1, { proposal_id: 'x' }))
  expect(held.latest()).toHaveLength(4)
  expect(held.recent('b', 9)).toEqual([])
})
