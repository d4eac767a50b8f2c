import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { briefHistory } from '../../../src/keel/offscreen/brief-history.ts'
import { readHistory } from '../../../src/keel/offscreen/history.ts'
import { ACTION_TAKEN, CONFIRM_BEGUN, PROPOSAL_MADE, PROPOSAL_SNOOZED } from '../../../src/keel/offscreen/kinds.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { newFake } from '../fake-memory.ts'
import { gate, kinds, until, world, worldWith } from './world.ts'

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
      original: 'walk',
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

  it('one that was woken early does not fall asleep again', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'snooze', minutes: 600 })
    before.clock = new Date(before.clock.getTime() + 120 * 60_000)
    await before.mode.command({ name: 'start' })
    const after = later(before, 60)
    await after.mode.resume(signal)
    expect(after.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    expect(after.mode.view().snoozedUntil).toBeUndefined()
    const late = later(before, 61)
    await late.mode.resume(signal)
    expect(late.mode.view()).toEqual({ status: 'pending' })
  })

  it.each([86_400, 1e9, -5, Number.NaN, '30'])('one that sleeps for %j minutes, as no command can ask for, is awake', async (minutes) => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'snooze', minutes: 10 })
    await before.memory.record({ kind: PROPOSAL_SNOOZED, at: before.clock, data: { proposal_id: 'id1', mode: 'offscreen', minutes } })
    const after = later(before, 5)
    await after.mode.resume(signal)
    expect(after.mode.view().snoozedUntil).toBe(new Date(before.clock.getTime() + 10 * 60_000).toISOString())
    const next = later(before, 11)
    await next.mode.resume(signal)
    expect(next.mode.view()).toMatchObject({ status: 'proposed' })
  })

  it('one whose dismissal was taken back is taken up, for an hour from then', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'dismiss' })
    before.clock = new Date(before.clock.getTime() + 90 * 60_000)
    await before.mode.command({ name: 'undo' })
    const after = later(before, 60)
    await after.mode.resume(signal)
    expect(after.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
  })

  it('one that was being confirmed comes back with a warning, and the history says that nobody knows', async () => {
    const before = await worldWith('walk')
    before.tasks.gate = new Promise(() => {})
    before.clock = new Date(before.clock.getTime() + 50 * 60_000)
    void before.mode.command({ name: 'confirm' })
    await until(() => expect(kinds(before)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN]))

    const after = later(before, 60)
    await after.mode.resume(signal)
    expect(after.mode.view()).toMatchObject({
      status: 'proposed',
      proposal: { id: 'id1' },
      error: { code: 'task_create_unknown', hint: 'It may have been added: look for it before you confirm again.' },
    })
    const { entries, days } = await readHistory(after.memory, 1, after.clock, signal)
    expect(entries).toMatchObject([{ id: 'id1', outcome: 'unknown', outcomeAt: before.clock.toISOString() }])
    expect(days).toMatchObject([{ proposed: 1, confirmed: 0, dismissed: 0 }])
    expect(briefHistory(await after.memory.latest(), after.clock)).toBe('- "walk" (confirmed, but perhaps not added, 1h ago)\n')

    await after.mode.command({ name: 'confirm', proposalId: 'id1', again: true })
    expect((await readHistory(after.memory, 1, after.clock, signal)).entries).toMatchObject([{ outcome: 'confirmed' }])
    const late = later(before, 61)
    await late.mode.resume(signal)
    expect(late.mode.view()).toEqual({ status: 'pending' })
  })

  it('one that was being confirmed and is on the list by now is not added again', async () => {
    const before = await worldWith('walk')
    before.tasks.gate = new Promise(() => {})
    void before.mode.command({ name: 'confirm' })
    await until(() => expect(kinds(before)).toContain(CONFIRM_BEGUN))
    const after = later(before, 1)
    after.tasks.tasks = [{ title: 'Walk' }]
    await after.mode.resume(signal)
    await after.mode.command({ name: 'confirm', again: true })
    expect(after.tasks.created).toEqual([])
    expect(after.mode.view()).toMatchObject({ outcome: 'confirmed', existing: true })
  })

  it('one whose task was surely not added is open without a warning; a later attempt without an end has one', async () => {
    const before = await worldWith('walk')
    before.tasks.failure = new MemuError('task_create_failed', 'no')
    await expect(before.mode.command({ name: 'confirm' })).rejects.toThrow()
    const after = later(before, 1)
    await after.mode.resume(signal)
    expect(after.mode.view()).toMatchObject({ status: 'proposed' })
    expect(after.mode.view().error).toBeUndefined()

    const unknown = new MemuError('task_create_unknown', 'no end')
    for (const failure of [unknown, new MemuError('task_create_failed', 'no')]) {
      after.tasks.failure = failure
      await expect(after.mode.command({ name: 'confirm', again: true })).rejects.toThrow()
    }
    const next = later(after, 1)
    await next.mode.resume(signal)
    expect(next.mode.view().error).toMatchObject({ code: 'task_create_unknown' })
  })

  it('one that a clock far ahead has written is not taken up, nor does it hide the one of now, or send it to sleep', async () => {
    const before = await worldWith('walk')
    const ahead = new Date(before.clock.getTime() + 300 * 24 * 60 * 60_000)
    await before.memory.record({ kind: PROPOSAL_MADE, at: ahead, data: { proposal_id: 'far', mode: 'offscreen', next_action: 'fly' } })
    const after = later(before, 5)
    await after.mode.resume(signal)
    expect(after.mode.view().proposal?.id).toBe('id1')
    await before.memory.record({
      kind: PROPOSAL_SNOOZED,
      at: ahead,
      data: { proposal_id: 'id1', mode: 'offscreen', minutes: 5 },
    })
    const awake = later(before, 5)
    await awake.mode.resume(signal)
    expect(awake.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    expect(awake.mode.view().snoozedUntil).toBeUndefined()
    const late = later(before, 61)
    await late.mode.resume(signal)
    expect(late.mode.view()).toEqual({ status: 'pending' })
  })

  it.each([2, 300 * 24])('what was said to one under a clock %d h ahead was said', async (hours) => {
    const ahead = (made: ReturnType<typeof world>): void => {
      made.clock = new Date(made.clock.getTime() + hours * 60 * 60_000)
    }
    const { clock } = world()
    const runAfter = async (before: ReturnType<typeof world>) => {
      const after = world({ memory: before.memory })
      after.clock = new Date(clock.getTime() + 5 * 60_000)
      await after.mode.resume(signal)
      return after.mode.view()
    }
    for (const name of ['confirm', 'dismiss'] as const) {
      const made = await worldWith('walk')
      ahead(made)
      await made.mode.command({ name })
      expect(await runAfter(made)).toEqual({ status: 'pending' })
    }
    const killed = await worldWith('walk')
    ahead(killed)
    killed.tasks.gate = new Promise(() => {})
    void killed.mode.command({ name: 'confirm' })
    await until(() => expect(kinds(killed)).toContain(CONFIRM_BEGUN))
    expect(await runAfter(killed)).toMatchObject({ status: 'proposed', error: { code: 'task_create_unknown' } })
  })

  it('one that was put aside is not taken up where the one behind it was forgotten', async () => {
    const before = await worldWith('walk')
    before.ai.answers.push('read a book')
    await before.mode.command({ name: 'another' })
    await until(() => expect(before.mode.view().proposal?.id).toBe('id2'))
    await before.memory.forget({ field: 'proposal_id', value: 'id2' })
    const after = later(before, 1)
    await after.mode.resume(signal)
    expect(after.mode.view()).toEqual({ status: 'pending' })
  })

  it('one with an id of any length that another program has written is passed over', async () => {
    for (const [length, status] of [
      [100, 'proposed'],
      [101, 'pending'],
    ] as const) {
      const made = world()
      await made.memory.record({ kind: PROPOSAL_MADE, at: made.clock, data: { proposal_id: 'x'.repeat(length), next_action: 'walk' } })
      await made.mode.resume(signal)
      expect(made.mode.view().status).toBe(status)
    }
  })

  it('a user who is quicker than the memory finds what was open, and no warning is lost', async () => {
    const before = await worldWith('walk')
    before.tasks.gate = new Promise(() => {})
    void before.mode.command({ name: 'confirm' })
    await until(() => expect(kinds(before)).toContain(CONFIRM_BEGUN))
    const held = gate()
    const slow = { ...before.memory, latest: () => held.promise.then(() => before.memory.latest()) }
    const after = later(before, 1, slow)
    const resumed = after.mode.resume(signal)
    const started = after.mode.command({ name: 'start' })
    held.open()
    await Promise.all([resumed, started])
    expect(after.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' }, error: { code: 'task_create_unknown' } })
    expect(after.ai.questions).toHaveLength(0)
  })

  it('a user does not wait for ever for a memory that hangs', async () => {
    const made = world({ memory: { ...newFake(), latest: () => new Promise<never>(() => {}) } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    void made.mode.resume(signal)
    const started = made.mode.command({ name: 'start' })
    await vi.advanceTimersByTimeAsync(3_000)
    await started
    expect(made.mode.view()).toEqual({ status: 'pending', busy: 'proposing' })
  })

  it('only what this machine recorded is taken up: what is open elsewhere is confirmed there', async () => {
    const there = await worldWith('walk')
    const memory = { ...there.memory, own: async () => [] }
    const here = later(there, 1, memory)
    await here.mode.resume(signal)
    expect(here.mode.view()).toEqual({ status: 'pending' })
    const own = later(there, 1, { ...there.memory, latest: async () => [], own: () => there.memory.latest() })
    await own.mode.resume(signal)
    expect(own.mode.view()).toMatchObject({ proposal: { id: 'id1' } })
  })

  it('a memory that fails is told to the log, and nothing is taken up', async () => {
    const made = world()
    made.memory.failWith(new Error('gone'))
    await made.mode.resume(signal)
    expect(made.mode.view()).toEqual({ status: 'pending' })
    expect(made.lines).toEqual(['offscreen: memory read: gone; nothing is taken up again'])
  })
})
