import { describe, expect, it } from 'vitest'
import { briefHistory } from '../../../src/keel/offscreen/brief-history.ts'
import { readHistory } from '../../../src/keel/offscreen/history.ts'
import { ACTION_TAKEN, PROPOSAL_MADE, PROPOSAL_PUT_ASIDE } from '../../../src/keel/offscreen/kinds.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { newFake } from '../fake-memory.ts'
import { code, gate, kinds, until, world, worldWith } from './world.ts'

describe('start', () => {
  it('answers at once, and shows that a proposal is being made', async () => {
    const made = world()
    await made.mode.command({ name: 'start' })
    expect(made.mode.view()).toEqual({ status: 'pending', busy: 'proposing' })
    expect(made.changes).toBe(1)
    ;(await made.question(1)).answer('walk')
    expect(await made.proposed()).toEqual({
      id: 'id1',
      nextAction: 'walk',
      rationale: 'because',
      madeAt: made.clock.toISOString(),
      by: 'fake',
    })
  })

  it('is refused while a proposal is being made: one question at a time', async () => {
    const made = world()
    await made.mode.command({ name: 'start' })
    await expect(made.mode.command({ name: 'start' })).rejects.toThrow(code('busy'))
    await expect(made.mode.command({ name: 'another' })).rejects.toThrow(code('busy'))
    ;(await made.question(1)).answer('walk')
    await made.proposed()
    expect(made.ai.questions).toHaveLength(1)
  })

  it('keeps a proposal that is there, for a page that does not know of it yet', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'snooze', minutes: 10 })
    await made.mode.command({ name: 'start' })
    expect(made.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    expect(made.mode.view().snoozedUntil).toBeUndefined()
    expect(made.ai.questions).toHaveLength(1)
  })

  it('begins anew after an error, and the error is gone', async () => {
    const made = world()
    await made.mode.command({ name: 'start' })
    const error = new MemuError('ai_failed', 'claude failed:\nnot logged in', { hint: 'Log in.' })
    ;(await made.question(1)).fail(error)
    await until(() =>
      expect(made.mode.view()).toEqual({
        status: 'error',
        error: { message: 'claude failed: not logged in', hint: 'Log in.', code: 'ai_failed' },
      }),
    )
    await made.mode.command({ name: 'start' })
    expect(made.mode.view()).toEqual({ status: 'pending', busy: 'proposing' })
    ;(await made.question(2)).answer('walk')
    await made.proposed()
  })

  it('is possible again when the last proposal is done', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'confirm' })
    made.ai.answers.push('read a book')
    await made.mode.command({ name: 'start' })
    expect(made.mode.view().outcome).toBeUndefined()
    expect((await made.proposed()).id).toBe('id2')
  })
})

describe('another', () => {
  it('asks for something else than all that was passed over, and records that it was put aside once another one is there', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book', 'call mum')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id3'))
    expect(made.ai.questions.map(({ exclude }) => exclude)).toEqual([[], ['walk'], ['read a book', 'walk']])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, PROPOSAL_MADE, PROPOSAL_PUT_ASIDE, PROPOSAL_MADE, PROPOSAL_PUT_ASIDE])
    expect(made.recorded()[2]).toEqual([PROPOSAL_PUT_ASIDE, { proposal_id: 'id1', mode: 'offscreen' }])
  })

  it('is what the history and the brief call put aside, and no decision', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    const { entries, days } = await readHistory(made.memory, 1, made.clock, new AbortController().signal)
    expect(entries).toMatchObject([
      { id: 'id2', outcome: 'unactioned' },
      { id: 'id1', outcome: 'put_aside', outcomeAt: made.clock.toISOString() },
    ])
    expect(days).toMatchObject([{ proposed: 1, confirmed: 0, dismissed: 0 }])
    expect(briefHistory(await made.memory.latest(), made.clock)).toContain('- "walk" (put aside, just now)\n')
  })

  it('keeps what was put aside from coming back for a day, also once something was decided, and in another run', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    await made.mode.command({ name: 'confirm' })
    for (const each of [made, world({ memory: made.memory, idPrefix: 'next' })]) {
      const asked = each.ai.questions.length
      each.ai.answers.push('walk', 'call mum')
      await each.mode.command({ name: 'start' })
      expect((await each.proposed()).nextAction).toBe('call mum')
      expect(each.ai.questions).toHaveLength(asked + 2)
    }
    const later = world({ memory: made.memory, idPrefix: 'later' })
    later.clock = new Date(made.clock.getTime() + 24 * 60 * 60_000)
    later.ai.answers.push('walk')
    await later.mode.command({ name: 'start' })
    expect((await later.proposed()).nextAction).toBe('walk')
  })

  it('asks neither for the own words of the user again, nor for those that were edited away', async () => {
    const made = await worldWith('walk')
    for (const text of ['run', 'swim']) await made.mode.command({ name: 'edit', text })
    made.ai.answers.push('Walk.', 'read a book')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    expect(made.mode.view().proposal?.nextAction).toBe('read a book')
    expect(briefHistory(await made.memory.latest(), made.clock)).toContain('- "swim" (put aside, just now, in place of "walk")\n')
    expect(made.ai.questions[1]!.exclude).toEqual(['swim', 'walk'])

    const after = world({ memory: made.memory, idPrefix: 'after' })
    after.ai.answers.push('walk', 'call mum')
    await after.mode.command({ name: 'start' })
    expect((await after.proposed()).nextAction).toBe('call mum')
    expect(after.ai.questions[1]!.exclude).toEqual(['walk', 'swim'])
  })

  it('leaves the proposal that was there when nothing else can be had', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'another' })
    ;(await made.question(2)).fail(new Error('no model'))
    await until(() =>
      expect(made.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' }, error: { message: 'no model' } }),
    )
    await made.mode.command({ name: 'another' })
    await made.mode.command({ name: 'dismiss' })
    expect(made.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    expect(kinds(made), 'it is not put aside').toEqual([PROPOSAL_MADE])
  })
})

describe('a repeat of what was just decided', () => {
  it('is asked again once, with what it must not be', async () => {
    const made = await worldWith('Go for a walk')
    await made.mode.command({ name: 'dismiss' })
    made.ai.answers.push('go for a WALK!', 'read a book')
    await made.mode.command({ name: 'start' })
    expect(await made.proposed()).toMatchObject({ nextAction: 'read a book' })
    expect(made.mode.view().proposal).not.toHaveProperty('repeats')
    expect(made.ai.questions[2]!.exclude).toEqual(['go for a WALK!', 'Go for a walk'])
    expect(made.recorded().filter(([kind]) => kind === PROPOSAL_MADE)).toHaveLength(2)
  })

  it('is taken and marked where the second answer repeats it, too', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'confirm' })
    made.ai.answers.push('walk', 'Walk.')
    await made.mode.command({ name: 'start' })
    expect(await made.proposed()).toMatchObject({ nextAction: 'Walk.', repeats: 'confirmed' })
    expect(made.ai.questions).toHaveLength(3)
  })

  it('is taken and marked where the second question fails', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'confirm' })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    ;(await made.question(3)).fail(new Error('rate limit'))
    expect(await made.proposed()).toMatchObject({ nextAction: 'walk', repeats: 'confirmed' })
  })

  it.each([
    ['one that was said under a clock far ahead counts from when it was made', 0, 'confirmed'],
    ['and not for longer than a day', 24, undefined],
  ] as const)('%s', async (_, hours, repeats) => {
    const made = world()
    const data = { proposal_id: 'far', mode: 'offscreen', next_action: 'walk' }
    await made.memory.record({ kind: PROPOSAL_MADE, at: made.clock, data })
    const at = new Date(made.clock.getTime() + 300 * 24 * 60 * 60_000)
    await made.memory.record({ kind: ACTION_TAKEN, at, data })
    made.ai.answers.push('walk')
    made.ai.answers.push('walk')
    made.clock = new Date(made.clock.getTime() + hours * 60 * 60_000)
    await made.mode.command({ name: 'start' })
    expect((await made.proposed()).repeats).toBe(repeats)
  })

  it('is none after a day, nor where the first was only left alone', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss' })
    made.clock = new Date(made.clock.getTime() + 24 * 60 * 60 * 1000)
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    expect(made.ai.questions).toHaveLength(2)
  })

  it('is also known where there is no memory, and where it was decided in a run before', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'confirm' })
    const after = world({ memory: before.memory })
    after.ai.answers.push('walk', 'read a book')
    await after.mode.command({ name: 'start' })
    expect((await after.proposed()).nextAction).toBe('read a book')

    const broken = newFake()
    broken.failWith(new Error('gone'))
    const without = await worldWith('walk', { memory: broken })
    await without.mode.command({ name: 'confirm' })
    without.ai.answers.push('walk', 'read a book')
    await without.mode.command({ name: 'start' })
    expect((await without.proposed()).nextAction).toBe('read a book')
  })
})

describe('the own words of the user', () => {
  it('are marked where they say again what was confirmed within a day, in this run or before, and only then', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'edit', text: 'Call mum' })
    expect(before.mode.view().proposal).not.toHaveProperty('repeats')
    await before.mode.command({ name: 'confirm' })
    for (const made of [before, world({ memory: before.memory, idPrefix: 'next' })]) {
      made.ai.answers.push('read a book')
      await made.mode.command({ name: 'start' })
      const { id } = await made.proposed()
      await made.mode.command({ name: 'edit', text: 'call mum' })
      expect(made.mode.view().proposal).toMatchObject({ nextAction: 'call mum', repeats: 'confirmed' })
      await made.mode.command({ name: 'edit', text: 'sort the post' })
      expect(made.mode.view().proposal).not.toHaveProperty('repeats')
      if (made !== before) continue
      await made.memory.forget({ field: 'proposal_id', value: id })
    }
  })

  it('are marked in a proposal of a run before as well, and are no repeat of themselves', async () => {
    const before = await worldWith('walk')
    await before.mode.command({ name: 'confirm' })
    before.ai.answers.push('read a book')
    await before.mode.command({ name: 'start' })
    await before.proposed()
    before.tasks.failure = new Error('nobody knows')
    await expect(before.mode.command({ name: 'confirm' })).rejects.toThrow()
    const after = world({ memory: before.memory })
    after.clock = new Date(before.clock.getTime() + 60_000)
    await after.mode.resume(new AbortController().signal)
    await after.mode.command({ name: 'edit', text: 'read a book outside' })
    expect(after.mode.view().proposal).toMatchObject({ id: 'id2' })
    expect(after.mode.view().proposal).not.toHaveProperty('repeats')
    await after.mode.command({ name: 'edit', text: 'walk' })
    expect(after.mode.view().proposal).toMatchObject({ repeats: 'confirmed' })
  })
})

describe('cancel', () => {
  it('ends the proposal that is being made, and nothing else: an answer that came first is not dismissed unseen', async () => {
    const made = world()
    await made.mode.command({ name: 'start' })
    const question = await made.question(1)
    await made.mode.command({ name: 'cancel' })
    expect(question.signal.aborted).toBe(true)
    expect(made.mode.view()).toEqual({ status: 'pending' })

    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await expect(made.mode.command({ name: 'cancel' })).rejects.toThrow(code('nothing_to_cancel'))
    expect(made.mode.view().status).toBe('proposed')
    expect(kinds(made)).toEqual([PROPOSAL_MADE])
  })

  it('does nothing to a task that is being added', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    const confirmed = made.mode.command({ name: 'confirm' })
    await expect(made.mode.command({ name: 'cancel' })).rejects.toThrow(code('nothing_to_cancel'))
    held.open()
    await confirmed
    expect(made.mode.view().outcome).toBe('confirmed')
  })
})

it('another one pressed twice puts one proposal aside, not one that nobody has seen', async () => {
  const made = await worldWith('walk')
  await made.mode.command({ name: 'another', proposalId: 'id1' })
  await made.mode.command({ name: 'another', proposalId: 'id1' })
  ;(await made.question(2)).answer('read a book')
  expect((await made.proposed()).id).toBe('id2')
  await expect(made.mode.command({ name: 'another', proposalId: 'id1' })).rejects.toThrow(code('stale_proposal'))
  expect(made.mode.view().proposal?.id).toBe('id2')
  expect(made.ai.questions).toHaveLength(2)
})

it('a log that cannot be written leaves no proposal in the making', async () => {
  const log = () => {
    throw new Error('ENOSPC')
  }
  const made = world({ services: { log } })
  await made.mode.command({ name: 'start' })
  ;(await made.question(1)).fail(new Error('no model'))
  await until(() => expect(made.mode.view()).toEqual({ status: 'error', error: { message: 'no model' } }))
  made.memory.failWith(new Error('gone'))
  made.ai.answers.push('walk')
  await made.mode.command({ name: 'start' })
  await until(() => expect(made.mode.view().status).toBe('error'))
  made.memory.failWith(undefined)
  made.ai.answers.push('walk')
  await made.mode.command({ name: 'start' })
  await made.proposed()
  made.tasks.failure = new Error('no')
  await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow()
  expect(made.mode.view()).toMatchObject({ status: 'proposed', error: { code: 'task_create_unknown' } })
  expect(made.mode.view().busy).toBeUndefined()
})
