import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventKey, mergeEvents } from '../../../src/keel/memory/merge.ts'
import { event } from '../../contract/keel-memory.ts'

it('tells an event of a proposal by its kind, time and proposal, and another one by all that it holds', () => {
  const one = event('a', 1, { proposal_id: 'x', n: 1 })
  expect(eventKey(one)).toBe(eventKey(event('a', 1, { proposal_id: 'x' })))
  for (const other of [event('b', 1, one.data), event('a', 2, one.data), event('a', 1, { proposal_id: 'y' })]) {
    expect(eventKey(other)).not.toBe(eventKey(one))
  }
  expect(eventKey(event('a', 1, { b: { d: 1, c: [2] }, a: 3 }))).toBe(eventKey(event('a', 1, { a: 3, b: { c: [2], d: 1 } })))
  expect(eventKey(event('a', 1, { a: 3 }))).not.toBe(eventKey(event('a', 1, { a: '3' })))
})

it('merges two lists into one of everything once, newest first, what is new before what is old', () => {
  const events = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 15 })
  fc.assert(
    fc.property(events, events, fc.integer({ min: -1, max: 40 }), (newer, older, limit) => {
      const listed = (numbers: readonly number[]) => [...numbers].sort((a, b) => b - a).map((n) => event('a', n, { n }))
      const merged = mergeEvents(listed(newer), listed(older), limit).map(({ data }) => data.n)
      const expected = [...new Set([...newer, ...older])].sort((a, b) => b - a).slice(0, Math.max(limit, 0))
      expect(merged).toEqual(expected)
    }),
  )
  const tie = mergeEvents([event('a', 1, { n: 'new' })], [event('a', 1, { n: 'old' })], 5)
  expect(tie.map(({ data }) => data.n)).toEqual(['new', 'old'])
})
