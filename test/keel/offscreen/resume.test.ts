import { describe, expect, it } from 'vitest'
import { ACTION_TAKEN } from '../../../src/keel/offscreen/kinds.ts'
import { gate, world, worldWith } from './world.ts'

describe('after a restart', () => {
  const later = (made: ReturnType<typeof world>, minutes: number, memory = made.memory) => {
    const next = world({ memory })
    next.clock = new Date(made.clock.getTime() + minutes * 60_000)
    return next
  }
  const { signal } = new AbortController()

  it('the open proposal of the last hour is taken up again, and can be confirmed under its id', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'edit', text: 'walk to the sea' })
    const after = later(before, 60)
    await after.mode.resume(signal)
    expect(after.mode.view().proposal).toEqual({
      id: 'id1',
      nextAction: 'walk to the sea',
      rationale: 'because',
      madeAt: before.clock.toISOString(),
      by: '',
    })
    await after.mode.command({ name: 'confirm', proposalId: 'id1' })
    expect(after.recorded().at(-1)).toEqual([ACTION_TAKEN, { proposal_id: 'id1', mode: 'offscreen', next_action: 'walk to the sea' }])
  })

  it('one that is older, or decided, is not', async () => {
    const old = await worldWith('walk')
    const afterOld = later(old, 61)
    await afterOld.mode.resume(signal)
    expect(afterOld.mode.view()).toEqual({ status: 'pending' })

    await old.mode.command({ name: 'dismiss' })
    const afterDismissed = later(old, 1)
    await afterDismissed.mode.resume(signal)
    expect(afterDismissed.mode.view()).toEqual({ status: 'pending' })
  })

  it('one that sleeps goes on sleeping, and its hour begins when it wakes', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'snooze', minutes: 120 })
    const asleep = later(before, 90)
    await asleep.mode.resume(signal)
    expect(asleep.mode.view()).toMatchObject({
      status: 'proposed',
      snoozedUntil: new Date(before.clock.getTime() + 120 * 60_000).toISOString(),
    })
    const awake = later(before, 179)
    await awake.mode.resume(signal)
    expect(awake.mode.view().status).toBe('proposed')
    const late = later(before, 181)
    await late.mode.resume(signal)
    expect(late.mode.view().status).toBe('pending')
  })

  it('a user who is quicker than the memory is not interrupted', async () => {
    const before = await worldWith('walk')
    const held = gate()
    const slow = { ...before.memory, latest: () => held.promise.then(() => before.memory.latest()) }
    const after = later(before, 1, slow)
    const resumed = after.mode.resume(signal)
    await after.mode.command({ name: 'start' })
    held.open()
    await resumed
    expect(after.mode.view()).toEqual({ status: 'pending', busy: 'proposing' })
  })

  it('a memory that fails is told to the log, and nothing is taken up', async () => {
    const made = world()
    made.memory.failWith(new Error('gone'))
    await made.mode.resume(signal)
    expect(made.mode.view()).toEqual({ status: 'pending' })
    expect(made.lines).toEqual(['offscreen: memory read: gone; nothing is taken up again'])
  })
})
