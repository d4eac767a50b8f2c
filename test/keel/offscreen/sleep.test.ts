import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newSleep } from '../../../src/keel/offscreen/sleep.ts'

const MINUTE = 60_000
let clock: Date
let woken: number
const sleep = () =>
  newSleep(
    () => clock,
    () => woken++,
  )
const ahead = (minutes: number) => new Date(clock.getTime() + minutes * MINUTE)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  clock = new Date(2026, 5, 5, 10)
  woken = 0
})
afterEach(() => void vi.useRealTimers())

it('a machine that was suspended wakes its proposal within an hour of its own', () => {
  sleep().until(ahead(600))
  clock = ahead(700)
  vi.advanceTimersByTime(60 * MINUTE)
  expect(woken).toBe(1)
})

it('a clock that was set back lets it sleep on, and it wakes once', () => {
  sleep().until(ahead(30))
  clock = ahead(-30)
  vi.advanceTimersByTime(30 * MINUTE)
  expect(woken).toBe(0)
  clock = ahead(60)
  vi.advanceTimersByTime(1_000 * MINUTE)
  expect(woken).toBe(1)
})

it('no sleep is too long for a timer', () => {
  sleep().until(ahead(365 * 24 * 60))
  vi.advanceTimersByTime(1)
  expect(woken).toBe(0)
})

it('what it waited for is forgotten', () => {
  const made = sleep()
  made.until(ahead(10))
  made.until(undefined)
  clock = ahead(20)
  vi.advanceTimersByTime(60 * MINUTE)
  expect(woken).toBe(0)
})
