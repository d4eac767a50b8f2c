import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventStore } from '../../../src/keel/memory/store.ts'
import { ACTION_TAKEN, PROPOSAL_DISMISSED, PROPOSAL_EDITED, PROPOSAL_MADE, PROPOSAL_SNOOZED } from '../../../src/keel/offscreen/kinds.ts'
import { newOffscreenMode } from '../../../src/keel/offscreen/mode.ts'
import type { OffscreenCommand } from '../../../src/keel/offscreen/view.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { newFake } from '../fake-memory.ts'
import { fakeProposer, until, world, worldWith } from './world.ts'

const code = (expected: string) => expect.objectContaining({ code: expected })
const kinds = (made: ReturnType<typeof world>) => made.recorded().map(([kind]) => kind)
/** A promise and the key to it. */
function gate(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

describe("the seed's events", () => {
  it('TestProposeRecordsProposalMade: a proposal is recorded with its id, its action and its rationale', async () => {
    const made = await worldWith('call mum')
    expect(made.recorded()).toEqual([
      [PROPOSAL_MADE, { proposal_id: 'id1', mode: 'offscreen', next_action: 'call mum', rationale: 'because' }],
    ])
    expect(made.memory.events()[0]!.at).toEqual(made.clock)
  })

  it('TestConfirmRecordsActionTakenWithSameID: what is confirmed is recorded under the id of the proposal', async () => {
    const made = await worldWith('call mum')
    await made.mode.command({ name: 'confirm' })
    expect(made.recorded()[1]).toEqual([ACTION_TAKEN, { proposal_id: 'id1', mode: 'offscreen', next_action: 'call mum' }])
    expect(made.tasks.created).toEqual(['call mum'])
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'confirmed', proposal: { id: 'id1' } })
  })

  it('TestDismissRecordsProposalDismissed: what is dismissed is recorded, and ends the proposal', async () => {
    const made = await worldWith('call mum')
    await made.mode.command({ name: 'dismiss' })
    expect(made.recorded()[1]).toEqual([PROPOSAL_DISMISSED, { proposal_id: 'id1', mode: 'offscreen' }])
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'dismissed' })
    expect(made.tasks.created).toEqual([])
  })

  it('carry ids of 16 hexadecimal digits, another one for each proposal', async () => {
    const { services, ai, memory } = world()
    const mode = newOffscreenMode(services)
    for (const action of ['walk', 'read a book']) {
      ai.answers.push(action)
      await mode.command({ name: 'start' })
      await until(() => expect(mode.view().status).toBe('proposed'))
      await mode.command({ name: 'dismiss' })
    }
    const ids = memory.events().map(({ data }) => data.proposal_id as string)
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('without a memory, and with one that fails,', () => {
  it('every command works', async () => {
    const broken = newFake()
    broken.failWith(new Error('disk\nfull'))
    for (const memory of [undefined, broken]) {
      const { services, ai, tasks, lines } = world()
      const { memory: _, ...rest } = services
      const mode = newOffscreenMode(memory === undefined ? rest : { ...rest, memory })
      for (const [action, last] of [
        ['walk', { name: 'confirm' }],
        ['read a book', { name: 'dismiss' }],
      ] as const) {
        ai.answers.push(action)
        await mode.command({ name: 'start' })
        await until(() => expect(mode.view().status).toBe('proposed'))
        await mode.command({ name: 'snooze', minutes: 1 })
        await mode.command({ name: 'edit', text: `${action} slowly` })
        await mode.command(last)
        expect(mode.view()).toMatchObject({ status: 'done' })
      }
      expect(tasks.created).toEqual(['walk slowly'])
      if (memory === undefined) expect(lines).toEqual([])
      else expect(lines).toContain('offscreen: memory record proposal_made: disk full')
      expect(lines.every((line) => !line.includes('\n'))).toBe(true)
    }
  })

  it('a clock and listeners may be missing too', async () => {
    const { ai, tasks } = world()
    const mode = newOffscreenMode({ ai, tasks })
    ai.answers.push('walk')
    await mode.command({ name: 'start' })
    await until(() => expect(mode.view().status).toBe('proposed'))
    await mode.command({ name: 'confirm' })
    expect(tasks.created).toEqual(['walk'])
  })

  it('one that never answers keeps a confirmation for two seconds at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hanging: EventStore = { ...newFake(), record: () => new Promise(() => {}) }
    const made = world({ services: { memory: hanging } })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await vi.waitFor(() => expect(made.mode.view().status).toBe('proposed'))
    const confirmed = made.mode.command({ name: 'confirm' })
    await vi.advanceTimersByTimeAsync(2_000)
    await confirmed
    expect(made.mode.view().outcome).toBe('confirmed')
  })
})

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
      expect(made.mode.view()).toEqual({ status: 'error', error: { message: 'claude failed: not logged in', hint: 'Log in.' } }),
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

describe('confirm', () => {
  it('is refused where nothing is proposed, in the words of the seed', async () => {
    const made = world()
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow('offscreen: nothing to confirm')
    await made.mode.command({ name: 'start' })
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('nothing_to_confirm'))
    expect(made.recorded()).toEqual([])
  })

  it('leaves the proposal where it is when the task cannot be added, says so, and works when it can', async () => {
    const made = await worldWith('walk')
    made.tasks.failure = new MemuError('task_create_failed', 'The task was not added.', { hint: 'Look at it.' })
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('task_create_failed'))
    expect(made.mode.view()).toMatchObject({
      status: 'proposed',
      proposal: { id: 'id1' },
      error: { message: 'The task was not added.', hint: 'Look at it.' },
    })
    expect(kinds(made)).toEqual([PROPOSAL_MADE])
    made.tasks.failure = undefined
    await made.mode.command({ name: 'confirm' })
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'confirmed' })
    expect(made.mode.view().error).toBeUndefined()
  })

  it('finds the state that it is to leave, also where a tool throws at once', async () => {
    const made = await worldWith('walk')
    const tasks = {
      ...made.tasks,
      create: () => {
        throw new Error('at once')
      },
    }
    made.mode.use({ ...made.services, tasks })
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow('at once')
    expect(made.mode.view()).toMatchObject({ status: 'proposed', error: { message: 'at once' } })
    expect(made.mode.view().busy).toBeUndefined()
  })

  it('adds one task, whoever presses it twice', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    const both = [made.mode.command({ name: 'confirm', proposalId: 'id1' }), made.mode.command({ name: 'confirm', proposalId: 'id1' })]
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('busy'))
    expect(made.mode.view().busy).toBe('confirming')
    held.open()
    await Promise.all(both)
    await made.mode.command({ name: 'confirm', proposalId: 'id1' })
    expect(made.tasks.created).toEqual(['walk'])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, ACTION_TAKEN])
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('nothing_to_confirm'))
  })

  it('tells both who pressed it where the task cannot be added, and asks the tool once', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    made.tasks.failure = new MemuError('task_create_unknown', 'Nobody knows.')
    const command: OffscreenCommand = { name: 'confirm', proposalId: 'id1' }
    const both = Promise.allSettled([made.mode.command(command), made.mode.command(command)])
    held.open()
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(made.mode.view().status).toBe('proposed')
  })

  it('holds back every other command until the task is added', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    const confirmed = made.mode.command({ name: 'confirm' })
    const others: OffscreenCommand[] = [
      { name: 'start' },
      { name: 'another' },
      { name: 'dismiss' },
      { name: 'snooze', minutes: 5 },
      { name: 'edit', text: 'run' },
    ]
    for (const other of others) await expect(made.mode.command(other)).rejects.toThrow(code('busy'))
    held.open()
    await confirmed
    expect(kinds(made)).toEqual([PROPOSAL_MADE, ACTION_TAKEN])
  })
})

describe('a page that is behind', () => {
  it('cannot act on a proposal that is not the current one any more', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book')
    await made.mode.command({ name: 'another' })
    await made.proposed()
    const stale: OffscreenCommand[] = [
      { name: 'confirm', proposalId: 'id1' },
      { name: 'dismiss', proposalId: 'id1' },
      { name: 'snooze', proposalId: 'id1', minutes: 5 },
      { name: 'edit', proposalId: 'id1', text: 'run' },
    ]
    for (const command of stale) await expect(made.mode.command(command)).rejects.toThrow(code('stale_proposal'))
    expect(made.tasks.created).toEqual([])
    await made.mode.command({ name: 'confirm', proposalId: 'id2' })
    expect(made.tasks.created).toEqual(['read a book'])
  })

  it('cannot confirm what was put aside while another proposal is being made', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'another' })
    await expect(made.mode.command({ name: 'confirm', proposalId: 'id1' })).rejects.toThrow(code('stale_proposal'))
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('nothing_to_confirm'))
    ;(await made.question(2)).answer('read a book')
    await made.proposed()
    expect(made.tasks.created).toEqual([])
  })
})

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

  it('pressed twice is one dismissal', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss', proposalId: 'id1' })
    await made.mode.command({ name: 'dismiss', proposalId: 'id1', reason: 'again' })
    expect(kinds(made)).toEqual([PROPOSAL_MADE, PROPOSAL_DISMISSED])
    await expect(made.mode.command({ name: 'dismiss' })).rejects.toThrow(code('nothing_to_dismiss'))
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

describe('another', () => {
  it('asks for something else than all that was passed over, and calls none of it dismissed', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book', 'call mum')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id2'))
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.id).toBe('id3'))
    expect(made.ai.questions.map(({ exclude }) => exclude)).toEqual([[], ['walk'], ['read a book', 'walk']])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, PROPOSAL_MADE, PROPOSAL_MADE])
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
    expect(made.mode.view().proposal).toMatchObject({ id: 'id1', nextAction: 'walk to the sea' })
    expect(made.recorded()[1]).toEqual([PROPOSAL_EDITED, { proposal_id: 'id1', mode: 'offscreen', next_action: 'walk to the sea' }])
    await made.mode.command({ name: 'edit', text: 'walk to the sea' })
    expect(made.recorded()).toHaveLength(2)
    await made.mode.command({ name: 'confirm' })
    expect(made.tasks.created).toEqual(['walk to the sea'])
    expect(made.recorded()[2]![1].next_action).toBe('walk to the sea')
  })

  it('are refused where nothing is proposed', async () => {
    const made = world()
    await expect(made.mode.command({ name: 'snooze', minutes: 5 })).rejects.toThrow(code('nothing_proposed'))
    await expect(made.mode.command({ name: 'edit', text: 'x' })).rejects.toThrow(code('nothing_proposed'))
  })
})

describe('a command', () => {
  it.each([
    [{ name: 'enforce' }, 'unknown_command'],
    [{}, 'unknown_command'],
    [{ name: 'confirm', proposalId: 7 }, 'invalid_argument'],
    [{ name: 'dismiss', reason: {} }, 'invalid_argument'],
    [{ name: 'snooze', minutes: 0 }, 'invalid_argument'],
    [{ name: 'snooze', minutes: 1.5 }, 'invalid_argument'],
    [{ name: 'snooze', minutes: '5' }, 'invalid_argument'],
    [{ name: 'snooze', minutes: 1441 }, 'invalid_argument'],
    [{ name: 'snooze' }, 'invalid_argument'],
    [{ name: 'edit', text: ' \n ' }, 'invalid_argument'],
    [{ name: 'edit', text: 'x'.repeat(201) }, 'invalid_argument'],
    [{ name: 'edit' }, 'invalid_argument'],
  ])('%j is refused as %s, whatever the page sends', async (command, expected) => {
    const made = await worldWith('walk')
    const before = made.mode.view()
    await expect(made.mode.command(command as OffscreenCommand)).rejects.toThrow(code(expected))
    expect(made.mode.view()).toEqual(before)
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
    expect(await made.proposed()).toMatchObject({ nextAction: 'Walk.', repeats: true })
    expect(made.ai.questions).toHaveLength(3)
  })

  it('is taken and marked where the second question fails', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'confirm' })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    ;(await made.question(3)).fail(new Error('rate limit'))
    expect(await made.proposed()).toMatchObject({ nextAction: 'walk', repeats: true })
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

describe('what was sent', () => {
  it('is the exact brief, with when and to whom', async () => {
    const made = world()
    expect(made.mode.lastBrief()).toBeUndefined()
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    expect(made.mode.lastBrief()).toEqual({ text: made.ai.questions[0]!.brief, at: made.clock.toISOString(), to: 'fake' })
  })
})

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

describe('stop', () => {
  it('cancels the proposal that is being made, and takes no command any more', async () => {
    const made = world()
    await made.mode.command({ name: 'start' })
    const question = await made.question(1)
    await made.mode.stop(AbortSignal.timeout(5_000))
    expect(question.signal.aborted).toBe(true)
    await expect(made.mode.command({ name: 'start' })).rejects.toThrow(code('stopping'))
  })

  it('waits for what is being recorded', async () => {
    const held = gate()
    const memory = newFake()
    const slow: EventStore = { ...memory, record: (event) => held.promise.then(() => memory.record(event)) }
    const made = world({ services: { memory: slow } })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    const stopped = made.mode.stop(AbortSignal.timeout(5_000))
    held.open()
    await stopped
    expect(memory.events()).toHaveLength(1)
  })

  it('waits for the task that is being added, and its event', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    const confirmed = made.mode.command({ name: 'confirm' })
    const stopped = made.mode.stop(AbortSignal.timeout(5_000)).then(() => kinds(made))
    setImmediate(held.open)
    expect(await stopped).toEqual([PROPOSAL_MADE, ACTION_TAKEN])
    await confirmed
  })

  it('waits no longer than it is allowed to', async () => {
    const hanging: EventStore = { ...newFake(), record: () => new Promise(() => {}) }
    const made = world({ services: { memory: hanging } })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await made.mode.stop(AbortSignal.abort())
  })
})

it('new services serve what begins after them, and what is under way ends with the old ones', async () => {
  const made = world()
  await made.mode.command({ name: 'start' })
  const question = await made.question(1)
  const other = fakeProposer()
  made.mode.use({ ...made.services, ai: { ...other, name: 'other' } })
  question.answer('walk')
  expect((await made.proposed()).by).toBe('fake')
  other.answers.push('read a book')
  await made.mode.command({ name: 'another' })
  await until(() => expect(made.mode.view().proposal).toMatchObject({ nextAction: 'read a book', by: 'other' }))
})
