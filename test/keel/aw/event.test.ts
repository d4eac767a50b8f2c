import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeEvents, encodeEvent, parseTime } from '../../../src/keel/aw/event.ts'

it.each([
  ['2026-06-05T10:00:00.123000+00:00', '2026-06-05T10:00:00.123Z'],
  ['2026-06-05T10:00:00Z', '2026-06-05T10:00:00.000Z'],
  ['2026-06-05T10:00:00.123999999Z', '2026-06-05T10:00:00.123Z'],
  ['2026-06-05T12:00:00+02:00', '2026-06-05T10:00:00.000Z'],
  ['2026-06-05T12:00:00+0200', '2026-06-05T10:00:00.000Z'],
  ['2026-06-05T10:00:00.5', '2026-06-05T10:00:00.500Z'],
])('reads the time %s', (text, expected) => {
  expect(new Date(parseTime(text)).toISOString()).toBe(expected)
})

it('passes over what is no event, and gives the others whatever they hold', () => {
  const good = { id: 1, timestamp: '2026-06-05T10:00:00Z', duration: 1.5, data: { a: 1 } }
  const bad = [
    null,
    1,
    'x',
    [],
    {},
    { ...good, timestamp: 'soon' },
    { ...good, timestamp: 1 },
    { ...good, data: null },
    { ...good, data: [] },
  ]
  expect(decodeEvents([...bad, good, { ...good, id: null, duration: null }])).toEqual([
    { timestamp: new Date('2026-06-05T10:00:00Z'), duration: 1.5, data: { a: 1 } },
    { timestamp: new Date('2026-06-05T10:00:00Z'), duration: 0, data: { a: 1 } },
  ])
})

it('orders by time and then by what was inserted last, in whatever order the server gives them', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ms: fc.integer({ min: 0, max: 3 }), id: fc.nat(1000) })), (events) => {
      const answer = events.map(({ ms, id }) => ({ id, timestamp: new Date(ms).toISOString(), duration: 0, data: { id, ms } }))
      const found = decodeEvents(answer).map(({ data }) => [data.ms, data.id] as [number, number])
      expect(found).toEqual(events.map(({ ms, id }) => [ms, id] as const).sort((a, b) => b[0] - a[0] || b[1] - a[1]))
    }),
  )
})

it('never throws on an answer, and sends only times that both servers take', () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), fc.date(), (answer, timestamp) => {
      decodeEvents(answer)
      const time = timestamp.getTime()
      const isFine = time >= 0 && time < Date.UTC(2262, 0, 1)
      const encode = () => encodeEvent({ timestamp, duration: 0, data: {} })
      if (isFine) expect(encode()).toEqual({ timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), duration: 0, data: {} })
      else expect(encode).toThrow()
    }),
  )
})

it('refuses data that nothing can write down as JSON, as the fault of the event', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))
  const event = { timestamp: new Date(0), duration: 0, data: { deep } }
  expect(() => encodeEvent(event)).toThrow(expect.objectContaining({ code: 'aw_invalid' }))
})
