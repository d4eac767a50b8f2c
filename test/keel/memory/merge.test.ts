import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameEvent, mergeEvents } from '../../../src/keel/memory/merge.ts'
import { event } from '../../contract/keel-memory.ts'

it('tells an event of a proposal by its kind, time and proposal, and another one by all that it holds', () => {
  const one = event('a', 1, { proposal_id: 'x', n: 1 })
  expect(isSameEvent(one, event('a', 1, { proposal_id: 'x' }))).toBe(true)
  for (const other of [event('b', 1, one.data), event('a', 2, one.data), event('a', 1, { proposal_id: 'y' }), event('a', 1)]) {
    expect(isSameEvent(one, other)).toBe(false)
  }
  const data = (value: Record<string, unknown>) => event('a', 1, value)
  expect(isSameEvent(data({ b: { d: 1, c: [2] }, a: null }), data({ a: null, b: { c: [2], d: 1 } }))).toBe(true)
  for (const [ours, theirs] of [
    [{ a: 3 }, { a: '3' }],
    [{ a: 3 }, { a: 3, b: 4 }],
    [{ a: [1] }, { a: { 0: 1 } }],
    [{ a: null }, { a: {} }],
    [{ toString: 1 }, { a: 1 }],
  ] as const) {
    expect(isSameEvent(data(ours), data(theirs))).toBe(false)
  }
})

it('looks no deeper into the events of others than into ours, and finds each of theirs but once', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as Record<string, unknown>
  const theirs = [event('a', 1, deep), event('a', 1, { a: 1, proposal_id: 'x' }), event('a', 1, { a: 2, proposal_id: 'x' })]
  expect(mergeEvents([event('a', 1, { a: { a: 1 } })], theirs, 9)).toHaveLength(3)
})

it('merges two lists into one of everything once, newest first, and ours before theirs', () => {
  const events = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 15 })
  fc.assert(
    fc.property(events, events, fc.integer({ min: -1, max: 40 }), (ours, theirs, limit) => {
      const listed = (numbers: readonly number[]) => [...numbers].sort((a, b) => b - a).map((n) => event('a', n, { n }))
      const merged = mergeEvents(listed(ours), listed(theirs), limit).map(({ data }) => data.n)
      const expected = [...new Set([...ours, ...theirs])].sort((a, b) => b - a).slice(0, Math.max(limit, 0))
      expect(merged).toEqual(expected)
    }),
  )
  const tie = mergeEvents([event('a', 1, { n: 'ours' })], [event('a', 1, { n: 'theirs' })], 5)
  expect(tie.map(({ data }) => data.n)).toEqual(['ours', 'theirs'])
})
