import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { briefHistory } from '../../../src/keel/offscreen/brief-history.ts'
import { readHistory } from '../../../src/keel/offscreen/history.ts'
import { DISMISSAL_UNDONE, PROPOSAL_DISMISSED, PROPOSAL_EDITED, PROPOSAL_SNOOZED } from '../../../src/keel/offscreen/kinds.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { code, fakeProposer, until, world, worldWith } from './world.ts'

describe('dismiss', () => {
  it('is refused where there is nothing, and writes no event without an id', async () => {
    const made = world()
    await expect(made.mode.command({ name: 'dismiss' })).rejects.toThrow(code('nothing_to_dismiss'))
    expect(made.recorded()).toEqual([])
  })

  it('keeps the reason that is given, on one line and bounded, and none where none is', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss', reason: `  too\ncold\u0007 ${'x'.repeat(500)}` })
    const reason = made.recorded()[1]![1].reason as string
    expect(reason).toMatch(/^too cold x+…$/)
    expect([...reason]).toHaveLength(200)
  })

  it('ends what was said of the proposal before', async () => {
    const made = await worldWith('walk')
    made.tasks.failure = new MemuError('task_create_failed', 'no')
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow()
    await made.mode.command({ name: 'dismiss' })
    expect(made.mode.view().error).toBeUndefined()
  })

  it('pressed twice is one dismissal, and may say why afterwards, once', async () => {
    const made = await worldWith('walk')
    for (const reason of [undefined, undefined, 'too tired', 'no', undefined]) {
      await made.mode.command({ name: 'dismiss', proposalId: 'id1', ...(reason === undefined ? {} : { reason }) })
    }
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'dismissed', reason: 'too tired' })
    const data = { proposal_id: 'id1', mode: 'offscreen' }
    expect(made.recorded().slice(1)).toEqual([
      [PROPOSAL_DISMISSED, data],
      [PROPOSAL_DISMISSED, { ...data, reason: 'too tired' }],
    ])
    const { entries, days } = await readHistory(made.memory, 1, made.clock, new AbortController().signal)
    expect(entries).toMatchObject([{ outcome: 'dismissed', reason: 'too tired' }])
    expect(days).toMatchObject([{ dismissed: 1 }])
    await expect(made.mode.command({ name: 'dismiss' })).rejects.toThrow(code('nothing_to_dismiss'))
    await made.mode.command({ name: 'undo' })
    expect(made.mode.view()).not.toHaveProperty('reason')
    expect((await readHistory(made.memory, 1, made.clock, new AbortController().signal)).entries).toMatchObject([{ outcome: 'unactioned' }])
  })

  it('of what is confirmed already is refused', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'confirm' })
    await expect(made.mode.command({ name: 'dismiss', proposalId: 'id1' })).rejects.toThrow(code('nothing_to_dismiss'))
    expect(made.mode.view().outcome).toBe('confirmed')
  })

  it('cancels a proposal that is being made, and drops an answer that comes late', async () => {
    const made = world({ ai: fakeProposer({ ignoresCancel: true }) })
    await made.mode.command({ name: 'start' })
    const question = await made.question(1)
    await made.mode.command({ name: 'dismiss' })
    expect(question.signal.aborted).toBe(true)
    expect(made.mode.view()).toEqual({ status: 'pending' })
    question.answer('walk')
    await made.mode.stop(AbortSignal.timeout(5_000))
    expect(made.mode.view()).toEqual({ status: 'pending' })
    expect(made.recorded()).toEqual([])
  })

  it('lets the next question wait until the cancelled one has ended', async () => {
    const made = world({ ai: fakeProposer({ ignoresCancel: true }) })
    await made.mode.command({ name: 'start' })
    const first = await made.question(1)
    await made.mode.command({ name: 'dismiss' })
    await made.mode.command({ name: 'start' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(made.ai.questions).toHaveLength(1)
    first.answer('too late')
    ;(await made.question(2)).answer('walk')
    expect((await made.proposed()).nextAction).toBe('walk')
    expect(made.recorded()).toHaveLength(1)
  })
})

describe('snooze and edit', () => {
  it('let a proposal sleep, wake it by the clock, and tell when it wakes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const made = world()
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await vi.waitFor(() => expect(made.mode.view().status).toBe('proposed'))
    await made.mode.command({ name: 'snooze', proposalId: 'id1', minutes: 30 })
    expect(made.recorded()[1]).toEqual([PROPOSAL_SNOOZED, { proposal_id: 'id1', mode: 'offscreen', minutes: 30 }])
    const until = new Date(made.clock.getTime() + 30 * 60_000)
    expect(made.mode.view()).toMatchObject({ status: 'proposed', snoozedUntil: until.toISOString() })
    const { changes } = made
    made.clock = until
    expect(made.mode.view().snoozedUntil).toBeUndefined()
    vi.advanceTimersByTime(30 * 60_000)
    expect(made.changes).toBe(changes + 1)
  })

  it('put the own words of the user in place of those proposed, under the same id', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'edit', text: ' walk\nto the sea ' })
    expect(made.mode.view().proposal).toMatchObject({ id: 'id1', nextAction: 'walk to the sea', original: 'walk' })
    expect(made.recorded()[1]).toEqual([PROPOSAL_EDITED, { proposal_id: 'id1', mode: 'offscreen', next_action: 'walk to the sea' }])
    await made.mode.command({ name: 'edit', text: 'walk to the sea' })
    expect(made.recorded()).toHaveLength(2)
    await made.mode.command({ name: 'confirm' })
    expect(made.tasks.created).toEqual(['walk to the sea'])
    expect(made.recorded().at(-1)![1].next_action).toBe('walk to the sea')
  })

  it('take the mark of a repeat from a proposal that has the own words of the user', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss' })
    made.ai.answers.push('walk', 'walk')
    await made.mode.command({ name: 'start' })
    expect(await made.proposed()).toMatchObject({ repeats: 'dismissed' })
    await made.mode.command({ name: 'edit', text: 'sit down' })
    expect(made.mode.view().proposal).not.toHaveProperty('repeats')
  })

  it('are refused where nothing is proposed', async () => {
    const made = world()
    await expect(made.mode.command({ name: 'snooze', minutes: 5 })).rejects.toThrow(code('nothing_proposed'))
    await expect(made.mode.command({ name: 'edit', text: 'x' })).rejects.toThrow(code('nothing_proposed'))
  })
})

describe('undo', () => {
  it('takes back the dismissal just made, records that, and is one however often it is pressed', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss', reason: 'a slip' })
    await made.mode.command({ name: 'undo', proposalId: 'id1' })
    await made.mode.command({ name: 'undo', proposalId: 'id1' })
    expect(made.mode.view()).toEqual({
      status: 'proposed',
      proposal: expect.objectContaining({ id: 'id1', nextAction: 'walk', by: 'fake' }),
    })
    expect(made.recorded().slice(2)).toEqual([[DISMISSAL_UNDONE, { proposal_id: 'id1', mode: 'offscreen' }]])
    await made.mode.command({ name: 'confirm', proposalId: 'id1' })
    expect(made.tasks.created).toEqual(['walk'])
  })

  it('leaves a proposal that can be dismissed again, which counts then', async () => {
    const made = await worldWith('walk')
    for (const name of ['dismiss', 'undo', 'dismiss'] as const) await made.mode.command({ name, proposalId: 'id1' })
    const { entries } = await readHistory(made.memory, 1, made.clock, new AbortController().signal)
    expect(entries).toMatchObject([{ outcome: 'dismissed' }])
    expect(made.mode.view().outcome).toBe('dismissed')
  })

  it('makes it one that was left alone, for the history, the brief and what is a repeat', async () => {
    for (const isForgetful of [false, true]) {
      const made = await worldWith('walk')
      await made.mode.command({ name: 'dismiss' })
      // A memory that cannot be told any more still calls it dismissed.
      if (isForgetful) made.memory.record = () => Promise.reject(new Error('full'))
      await made.mode.command({ name: 'undo' })
      if (!isForgetful) {
        const { entries, days } = await readHistory(made.memory, 1, made.clock, new AbortController().signal)
        expect(entries).toMatchObject([{ outcome: 'unactioned' }])
        expect(days).toMatchObject([{ proposed: 1, dismissed: 0 }])
        expect(briefHistory(await made.memory.latest(), made.clock)).toBe('- "walk" (unactioned, just now)\n')
      }
      // A run that begins now, over the same memory, and this one: neither calls it a repeat.
      if (!isForgetful) {
        const after = world({ memory: made.memory })
        after.ai.answers.push('walk')
        await after.mode.command({ name: 'start' })
        expect(await after.proposed()).not.toHaveProperty('repeats')
        expect(after.ai.questions).toHaveLength(1)
      }
      made.ai.answers.push('read a book')
      await made.mode.command({ name: 'another' })
      await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
      await made.mode.command({ name: 'edit', text: 'Walk!' })
      expect(made.mode.view().proposal, 'put aside by now, and not dismissed').toMatchObject({ repeats: 'put_aside' })
    }
  })

  it('keeps in mind what was put aside before the dismissal', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book', 'call mum')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    await made.mode.command({ name: 'dismiss' })
    await made.mode.command({ name: 'undo' })
    await made.mode.command({ name: 'another' })
    expect((await made.question(3)).exclude).toEqual(['read a book', 'walk'])
  })

  it('lets one that slept go on sleeping', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'snooze', minutes: 30 })
    const { snoozedUntil } = made.mode.view()
    await made.mode.command({ name: 'dismiss' })
    expect(made.mode.view().snoozedUntil).toBeUndefined()
    await made.mode.command({ name: 'undo' })
    expect(made.mode.view()).toMatchObject({ status: 'proposed', snoozedUntil })
  })

  it('is refused where nothing was dismissed just now', async () => {
    const made = world()
    const refused = () => expect(made.mode.command({ name: 'undo' })).rejects.toThrow(code('nothing_to_undo'))
    await refused()
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await refused()
    await made.proposed()
    await refused()
    await made.mode.command({ name: 'confirm' })
    await refused()
    made.ai.answers.push('read a book', 'call mum')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await made.mode.command({ name: 'dismiss' })
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await refused()
  })
})

it('waking a proposal early is recorded; one that has woken by itself is not woken again', async () => {
  const made = await worldWith('walk')
  await made.mode.command({ name: 'snooze', minutes: 30 })
  await made.mode.command({ name: 'start' })
  await made.mode.command({ name: 'start' })
  expect(made.recorded().slice(2)).toEqual([[PROPOSAL_SNOOZED, { proposal_id: 'id1', mode: 'offscreen', minutes: 0 }]])
  await made.mode.command({ name: 'snooze', minutes: 30 })
  made.clock = new Date(made.clock.getTime() + 30 * 60_000)
  await made.mode.command({ name: 'start' })
  expect(made.recorded()).toHaveLength(4)
})
