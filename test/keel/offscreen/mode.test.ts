import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventStore } from '../../../src/keel/memory/store.ts'
import { ACTION_TAKEN, CONFIRM_BEGUN, CONFIRM_FAILED, PROPOSAL_DISMISSED, PROPOSAL_MADE } from '../../../src/keel/offscreen/kinds.ts'
import { newOffscreenMode } from '../../../src/keel/offscreen/mode.ts'
import type { OffscreenCommand } from '../../../src/keel/offscreen/view.ts'
import type { TaskList } from '../../../src/keel/tasks/task-list.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { newFake } from '../fake-memory.ts'
import { code, fakeProposer, gate, kinds, until, world, worldWith } from './world.ts'

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
    expect(made.recorded().at(-1)).toEqual([ACTION_TAKEN, { proposal_id: 'id1', mode: 'offscreen', next_action: 'call mum' }])
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

  it('one that never answers keeps a confirmation for two seconds before the task is added, and for two after it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const hanging: EventStore = { ...newFake(), record: () => new Promise(() => {}) }
    const made = world({ services: { memory: hanging } })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await vi.waitFor(() => expect(made.mode.view().status).toBe('proposed'))
    const confirmed = made.mode.command({ name: 'confirm' })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(made.tasks.created).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(made.tasks.created).toEqual(['walk'])
    await vi.advanceTimersByTimeAsync(2_000)
    await confirmed
    expect(made.mode.view().outcome).toBe('confirmed')
  })
})

describe('a page that is behind', () => {
  it('cannot act on a proposal that is not the current one any more', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read a book')
    await made.mode.command({ name: 'another' })
    await made.proposed()
    const stale: OffscreenCommand[] = [
      { name: 'another', proposalId: 'id1' },
      { name: 'confirm', proposalId: 'id1' },
      { name: 'dismiss', proposalId: 'id1' },
      { name: 'undo', proposalId: 'id1' },
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

describe('a command', () => {
  it.each([
    [{ name: 'enforce' }, 'unknown_command'],
    [{}, 'unknown_command'],
    [{ name: { toString: 1 } }, 'unknown_command'],
    [{ name: 'confirm', proposalId: 7 }, 'invalid_argument'],
    [{ name: 'another', proposalId: 7 }, 'invalid_argument'],
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
    let isOver = false
    const stopped = made.mode.stop(AbortSignal.timeout(5_000)).then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
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
    expect(await stopped).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, ACTION_TAKEN])
    await confirmed
  })

  it('lets a task that is being added be added, also when its time is over, and says so', async () => {
    const made = await worldWith('walk')
    const held = gate()
    made.tasks.gate = held.promise
    const confirmed = made.mode.command({ name: 'confirm' })
    const stopped = made.mode.stop(AbortSignal.abort()).then(() => kinds(made))
    setImmediate(held.open)
    expect(await stopped).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, ACTION_TAKEN])
    await confirmed
    expect(made.lines).toEqual(['offscreen: a task is being added; waiting for it, 10 s at most'])
  })

  it('ends a task that is being added after ten seconds, and leaves its outcome open', async () => {
    const made = await worldWith('walk')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const create = (_: string, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new MemuError('task_create_unknown', 'ended in the middle')), { once: true }),
      )
    made.mode.use({ ...made.services, tasks: { ...made.tasks, create } })
    const confirmed = made.mode.command({ name: 'confirm' })
    const refused = expect(confirmed).rejects.toThrow(code('task_create_unknown'))
    let isOver = false
    const stopped = made.mode.stop(AbortSignal.abort()).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all([stopped, refused])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN])
    expect(made.lines.at(-1)).toBe('offscreen: nobody knows whether the task was added (ended in the middle)')
  })

  it('calls a task not added that a tool has not begun with by then', async () => {
    const made = await worldWith('walk')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const create = (_: string, { signal }: { signal: AbortSignal }): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    made.mode.use({ ...made.services, tasks: { ...made.tasks, create } })
    const refused = expect(made.mode.command({ name: 'confirm' })).rejects.toThrow('keeld stops')
    const stopped = made.mode.stop(AbortSignal.abort())
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all([stopped, refused])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, CONFIRM_FAILED])
  })

  it('ends a list of tasks that is read on for the next brief', async () => {
    const made = world()
    const given: AbortSignal[] = []
    const list: TaskList['list'] = async ({ signal }) => {
      given.push(signal)
      return []
    }
    made.mode.use({ ...made.services, tasks: { ...made.tasks, list } })
    made.ai.answers.push('walk')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    expect(given.map(({ aborted }) => aborted)).toEqual([false])
    await made.mode.stop(AbortSignal.abort())
    expect(given.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('takes nothing up any more', async () => {
    const before = await worldWith('walk')
    const held = gate()
    const memory = { ...before.memory, latest: () => held.promise.then(() => before.memory.latest()) }
    const made = world({ memory })
    const resumed = made.mode.resume(new AbortController().signal)
    await made.mode.stop(AbortSignal.abort())
    held.open()
    await resumed
    expect(made.mode.view()).toEqual({ status: 'pending' })
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
