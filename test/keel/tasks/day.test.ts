import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../src/keel/tasks/day.ts'
import { localDay } from '../../../src/util/local-day.ts'

describe('the day of a date', () => {
  it.each([
    ['2026-06-05', '2026-06-05'],
    [' 2026-06-05 ', '2026-06-05'],
    ['20260605', '2026-06-05'],
    ['2026-06-05T23:59:59', '2026-06-05'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', undefined],
    ['2026-00-10', undefined],
    ['unassigned', undefined],
    ['tomorrow', undefined],
    ['2026-06-05T99:00:00Z', undefined],
    ['', undefined],
    [20260605, undefined],
    [null, undefined],
  ])('is read out of %j', (value, day) => {
    expect(dayOf(value)).toBe(day)
  })

  it('is the day that the user has at that moment', () => {
    const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, (date) => {
        const iso = date.toISOString()
        expect(dayOf(iso)).toBe(localDay(date))
        expect(dayOf(iso.replace(/[-:]/g, '').replace(/\.\d+/, ''))).toBe(localDay(date))
        expect(dayOf(iso.replace('Z', '+0000'))).toBe(localDay(date))
      }),
    )
  })

  it('of the user is that of the clock on the wall', () => {
    expect(localDay(new Date(2026, 0, 2, 0, 0, 1))).toBe('2026-01-02')
    expect(localDay(new Date(2026, 11, 31, 23, 59, 59))).toBe('2026-12-31')
  })
})
