import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventStore } from '../../../src/keel/memory/store.ts'
import { HISTORY_EVENTS, readHistory } from '../../../src/keel/offscreen/history.ts'
import { newFake } from '../fake-memory.ts'

const NOW = new Date(2026, 5, 5, 10, 15)
const { signal } = new AbortController()
/** Days before today, at an hour where the user is. */
const day = (days: number, hour = 12, minute = 0) => new Date(2026, 5, 5 - days, hour, minute)

async function filled() {
  const memory = newFake()
  const made = (id: string, at: Date) =>
    memory.record({ kind: 'proposal_made', at, data: { proposal_id: id, mode: 'offscreen', next_action: `do ${id}`, rationale: 'why' } })
  await made('old', day(3))
  await made('a', day(2, 0))
  await made('b', day(2, 23, 59))
  await memory.record({ kind: 'action_taken', at: day(1), data: { proposal_id: 'a', mode: 'offscreen', next_action: 'do a' } })
  await memory.record({ kind: 'proposal_dismissed', at: day(1), data: { proposal_id: 'b', mode: 'offscreen', reason: 'cold' } })
  await made('c', day(0, 9))
  return { memory, made }
}

describe('the history', () => {
  it('has each proposal with what became of it, newest first', async () => {
    const { memory } = await filled()
    const { entries, isCut } = await readHistory(memory, 3, NOW, signal)
    const rest = { rationale: 'why' }
    expect(entries).toEqual([
      { id: 'c', at: day(0, 9).toISOString(), nextAction: 'do c', outcome: 'unactioned', ...rest },
      {
        id: 'b',
        at: day(2, 23, 59).toISOString(),
        nextAction: 'do b',
        outcome: 'dismissed',
        outcomeAt: day(1).toISOString(),
        reason: 'cold',
        ...rest,
      },
      { id: 'a', at: day(2, 0).toISOString(), nextAction: 'do a', outcome: 'confirmed', outcomeAt: day(1).toISOString(), ...rest },
    ])
    expect(isCut).toBe(false)
  })

  it('counts by the day of the proposal, and has the days on which nothing happened', async () => {
    const { memory } = await filled()
    expect((await readHistory(memory, 3, NOW, signal)).days).toEqual([
      { day: '2026-06-03', proposed: 2, confirmed: 1, dismissed: 1 },
      { day: '2026-06-04', proposed: 0, confirmed: 0, dismissed: 0 },
      { day: '2026-06-05', proposed: 1, confirmed: 0, dismissed: 0 },
    ])
  })

  it('has beside its user’s own words what was proposed, and does not count what was put aside', async () => {
    const { memory } = await filled()
    await memory.record({ kind: 'proposal_edited', at: day(0, 10), data: { proposal_id: 'c', mode: 'offscreen', next_action: 'do more' } })
    await memory.record({ kind: 'proposal_put_aside', at: day(0, 10), data: { proposal_id: 'c', mode: 'offscreen' } })
    const { entries, days } = await readHistory(memory, 1, NOW, signal)
    expect(entries).toMatchObject([{ nextAction: 'do more', original: 'do c', outcome: 'put_aside' }])
    expect(days).toEqual([{ day: '2026-06-05', proposed: 0, confirmed: 0, dismissed: 0 }])
  })

  it('counts for today what a clock that was ahead has written', async () => {
    const { memory, made } = await filled()
    await made('d', new Date(NOW.getTime() + 20 * 60 * 60 * 1000))
    expect((await readHistory(memory, 1, NOW, signal)).days).toEqual([{ day: '2026-06-05', proposed: 2, confirmed: 0, dismissed: 0 }])
  })

  it('knows what was said under a clock that was years ahead', async () => {
    const { memory } = await filled()
    const at = new Date(NOW.getFullYear() + 40, 0)
    await memory.record({ kind: 'action_taken', at, data: { proposal_id: 'c', mode: 'offscreen', next_action: 'do c' } })
    expect((await readHistory(memory, 1, NOW, signal)).entries).toMatchObject([{ id: 'c', outcome: 'confirmed' }])
  })

  it.each([
    [0, 1],
    [-3, 1],
    [2.9, 2],
    [1000, 92],
    [Number.NaN, 92],
  ])('of %d days has %d', async (asked, given) => {
    expect((await readHistory(newFake(), asked, NOW, signal)).days).toHaveLength(given)
  })

  it('goes by the calendar over the days on which clocks change', async () => {
    const { days } = await readHistory(newFake(), 92, new Date(2026, 3, 20, 0, 30), signal)
    expect(new Set(days.map(({ day: name }) => name)).size).toBe(92)
    expect(days.at(0)!.day).toBe('2026-01-19')
    expect(days.at(-1)!.day).toBe('2026-04-20')
  })

  it('has as many days as were asked for where the calendar of a place has left one out', async () => {
    vi.stubEnv('TZ', 'Pacific/Apia')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { days } = await readHistory(newFake(), 28, new Date(2012, 0, 10, 12), signal)
    expect(new Set(days.map(({ day: name }) => name)).size).toBe(28)
    expect(days.map(({ day: name }) => name)).not.toContain('2011-12-30')
    expect(days.at(0)!.day).toBe('2011-12-13')
  })

  it('begins at midnight of the first day where the user is', async () => {
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    const asked: Date[] = []
    const store: EventStore = {
      ...newFake(),
      range: async (from) => {
        asked.push(from)
        return []
      },
    }
    await readHistory(store, 2, new Date('2026-06-05T02:30:00Z'), signal)
    expect(asked).toEqual([new Date('2026-06-03T04:00:00Z')])
  })

  it('says that it lacks something where more lies in the range than was read', async () => {
    const event = { kind: 'other', at: NOW, data: {} }
    const store: EventStore = { ...newFake(), range: async (_from, _to, limit) => Array.from({ length: limit }, () => event) }
    expect((await readHistory(store, 7, NOW, signal)).isCut).toBe(true)
    expect(HISTORY_EVENTS).toBe(5_000)
  })

  it('fails with the error of the store', async () => {
    const memory = newFake()
    memory.failWith(new Error('gone'))
    await expect(readHistory(memory, 7, NOW, signal)).rejects.toThrow('gone')
  })
})
