import { describe, expect, it } from 'vitest'
import { backoff, pause, retry, retryAfter } from '../../src/util/retry.ts'

describe('trying again', () => {
  const failing = (times: number) => {
    let count = 0
    return async (): Promise<number> => {
      count += 1
      if (count <= times) throw new Error(`failure ${count}`)
      return count
    }
  }

  it('returns what the first try that works returns, and waits what it is told in between', async () => {
    const waits: number[] = []
    const options = { wait: (_error: unknown, attempt: number) => attempt * 10, sleep: async (ms: number) => void waits.push(ms) }
    expect(await retry(failing(2), options)).toBe(3)
    expect(waits).toEqual([10, 20])
  })

  it('throws the last failure after three tries', async () => {
    await expect(retry(failing(9), { wait: () => 0, sleep: async () => {} })).rejects.toThrow('failure 3')
  })

  it('does not try again where another try is pointless', async () => {
    await expect(retry(failing(9), { wait: () => undefined })).rejects.toThrow('failure 1')
  })

  it('stops waiting when the signal is aborted, with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = retry(failing(9), {
      signal: controller.signal,
      wait: () => {
        queueMicrotask(() => controller.abort(reason))
        return 3_600_000
      },
    })
    await expect(waiting).rejects.toBe(reason)
    await expect(pause(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('backs off for twice as long each time, by half at random', () => {
    expect([1, 2, 3].map((attempt) => backoff(attempt, () => 0))).toEqual([500, 1000, 2000])
    expect(backoff(1, () => 1)).toBe(250)
  })
})

describe('Retry-After', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  it.each([
    ['2', 2000],
    ['0', 0],
    ['0.5', 500],
    ['3600', 30_000],
    ['-5', 0],
    ['Sun, 01 Mar 2026 12:00:07 GMT', 7000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Mon, 02 Mar 2026 12:00:00 GMT', 30_000],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %j ms', (header, expected) => {
    expect(retryAfter(header, now)).toBe(expected)
  })
})
