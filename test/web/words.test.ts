import { describe, expect, it } from 'vitest'
import { memoryWords } from '../../src/keel/server/pages/memory-words.ts'
import { clockTime, dayHeading, dayWords, noonOf } from '../../src/keel/server/pages/time.ts'
import { appState } from './states.ts'

describe('The state of the memory', () => {
  const { memory } = appState()

  it('is one short sentence while all is well', () => {
    expect(memoryWords(memory)).toEqual({ short: 'Remembered in ActivityWatch', more: '', trouble: '' })
  })

  it('says why events stay here, and that they will be brought over', () => {
    const { short, more } = memoryWords({ ...memory, where: 'embedded', reason: 'connection refused', waiting: 1 })
    expect(short).toBe('Remembered on this machine')
    expect(more).toBe('ActivityWatch is away: connection refused. One entry will go there when it is back.')
  })

  it('complains of nothing where ActivityWatch is not to be used', () => {
    expect(memoryWords({ ...memory, where: 'embedded', reason: 'ActivityWatch is not used' }).more).toBe('')
    expect(memoryWords({ ...memory, where: 'none', reason: 'ActivityWatch is not used' })).toEqual({
      short: 'Nothing is remembered',
      more: '',
      trouble: '',
    })
  })

  it('says what could not be written yet, why, and that it is tried again', () => {
    const full = { ...memory, where: 'embedded', failure: 'the disk is full' } as const
    expect(memoryWords({ ...full, unsaved: 3 })).toMatchObject({
      short: 'Cannot be written just now',
      trouble: '3 entries could not be written yet: the disk is full. They are kept until keeld ends, and tried again.',
    })
    expect(memoryWords({ ...full, unsaved: 1 }).trouble).toBe(
      'One entry could not be written yet: the disk is full. It is kept until keeld ends, and tried again.',
    )
    expect(memoryWords({ ...full, unsaved: 0 }).trouble).toBe('What happens now can be kept only until keeld ends: the disk is full.')
    expect(memoryWords({ ...full, where: 'none', unsaved: 2 }).short).toBe('Cannot be written just now')
  })

  it('has nothing to worry about where ActivityWatch takes what this machine cannot keep', () => {
    expect(memoryWords({ ...memory, unsaved: 0, failure: 'the disk is full' })).toMatchObject({
      short: 'Remembered in ActivityWatch',
      trouble: '',
    })
  })
})

describe('Times', () => {
  const now = new Date(2026, 5, 5, 14, 5)

  it('are a clock today, and have a day, and a year, only where that is another one', () => {
    expect(clockTime(new Date(2026, 5, 5, 9, 7), now)).toBe('09:07')
    expect(clockTime(new Date(2026, 5, 4, 23, 59), now)).toBe('4 June, 23:59')
    expect(clockTime(new Date(2025, 11, 31, 0, 0), now)).toBe('31 December 2025, 00:00')
  })

  it('are a day with its name, where it is not one of the last two', () => {
    expect(dayHeading(new Date(2026, 5, 5, 0, 1), now)).toBe('Today')
    expect(dayHeading(new Date(2026, 5, 4, 23, 59), now)).toBe('Yesterday')
    expect(dayHeading(new Date(2026, 5, 3, 12), now)).toBe('Wednesday, 3 June')
    expect(dayHeading(new Date(2025, 11, 31, 12), new Date(2026, 0, 1, 0, 5))).toBe('Yesterday')
  })

  it('stay on their day', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2024-02-29', '2026-12-31'])
      expect(dayWords(noonOf(day), new Date(Number(day.slice(0, 4)), 0))).toMatch(new RegExp(`^${Number(day.slice(8))} `))
  })
})
