import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ACTION_TAKEN, CONFIRM_BEGUN, CONFIRM_FAILED, PROPOSAL_MADE } from '../../../src/keel/offscreen/kinds.ts'
import type { OffscreenCommand } from '../../../src/keel/offscreen/view.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { code, gate, kinds, until, world, worldWith } from './world.ts'

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
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, CONFIRM_FAILED])
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
    expect(made.mode.view()).toMatchObject({
      status: 'proposed',
      error: { message: 'Nobody knows whether the task was added: at once', code: 'task_create_unknown' },
    })
    expect(made.mode.view().busy).toBeUndefined()
  })

  it('is for the words that were seen, where these are named: others are refused, also once it is confirmed', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'edit', text: 'sell the house' })
    const seen = { name: 'confirm', proposalId: 'id1', text: 'walk' } as const
    await expect(made.mode.command(seen)).rejects.toThrow(code('stale_proposal'))
    await expect(made.mode.command({ name: 'confirm', text: 'walk' })).rejects.toThrow(code('stale_proposal'))
    expect(made.tasks.created).toEqual([])
    await made.mode.command({ name: 'confirm', proposalId: 'id1', text: ' sell  the house\n' })
    expect(made.tasks.created).toEqual(['sell the house'])
    await expect(made.mode.command(seen)).rejects.toThrow(code('stale_proposal'))
    await expect(made.mode.command({ name: 'confirm', text: 7 } as never)).rejects.toThrow(code('invalid_argument'))
    await expect(made.mode.command({ name: 'confirm', again: 'yes' } as never)).rejects.toThrow(code('invalid_argument'))
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
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, ACTION_TAKEN])
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
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN, ACTION_TAKEN])
  })
})

describe('a task that may have been added', () => {
  const UNKNOWN = new MemuError('task_create_unknown', 'Nobody knows.', { hint: 'Look in Marvin.' })
  const withUnknown = async () => {
    const made = await worldWith('walk')
    made.tasks.failure = UNKNOWN
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow(code('task_create_unknown'))
    return made
  }
  const warning = { message: 'Nobody knows.', hint: 'Look in Marvin.', code: 'task_create_unknown' }

  it('is announced before the tool is asked: what is stored by then outlives the process', async () => {
    const made = await worldWith('walk')
    const seen: string[][] = []
    const create = async () => {
      seen.push(kinds(made))
      return {}
    }
    made.mode.use({ ...made.services, tasks: { ...made.tasks, create } })
    await made.mode.command({ name: 'confirm' })
    expect(seen).toEqual([[PROPOSAL_MADE, CONFIRM_BEGUN]])
    expect(made.recorded()[1]![1]).toEqual({ proposal_id: 'id1', mode: 'offscreen', next_action: 'walk' })
  })

  it('stays warned of, whatever is said to the proposal meanwhile, and is not called failed', async () => {
    const made = await withUnknown()
    expect(made.mode.view()).toMatchObject({ status: 'proposed', error: warning })
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN])
    const meanwhile: OffscreenCommand[] = [
      { name: 'start' },
      { name: 'snooze', minutes: 5 },
      { name: 'edit', text: 'walk slowly' },
      { name: 'another' },
      { name: 'cancel' },
      { name: 'dismiss' },
      { name: 'undo' },
    ]
    for (const command of meanwhile) await made.mode.command(command)
    expect(made.mode.view()).toMatchObject({ status: 'proposed', error: warning })
    made.tasks.failure = undefined
    await made.mode.command({ name: 'confirm', again: true })
    expect(made.mode.view().error).toBeUndefined()
  })

  it('is added again only for who says that it is known: a second click is refused with the warning', async () => {
    const made = await withUnknown()
    made.tasks.failure = undefined
    for (const command of [{}, { proposalId: 'id1' }, { proposalId: 'id1', text: 'walk' }, { again: false }]) {
      await expect(made.mode.command({ name: 'confirm', ...command })).rejects.toMatchObject({ ...warning, code: 'perhaps_added' })
    }
    expect(made.tasks.created).toEqual([])
    expect(kinds(made)).toEqual([PROPOSAL_MADE, CONFIRM_BEGUN])
    await made.mode.command({ name: 'confirm', proposalId: 'id1', again: true })
    expect(made.tasks.created).toEqual(['walk'])
  })

  it('is not warned of while it is added all the same, and has a hint where the tool gives none', async () => {
    const made = await worldWith('walk')
    made.tasks.failure = new MemuError('task_create_unknown', 'Nobody knows.')
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow()
    expect(made.mode.view().error?.hint).toBe('It may have been added: look for it before you confirm again.')
    made.tasks.failure = undefined
    const held = gate()
    made.tasks.gate = held.promise
    const confirmed = made.mode.command({ name: 'confirm', again: true })
    expect(made.mode.view()).toMatchObject({ busy: 'confirming' })
    expect(made.mode.view().error).toBeUndefined()
    held.open()
    await confirmed
  })

  it('stays so when something else was wanted, and could not be had', async () => {
    const made = await withUnknown()
    await made.mode.command({ name: 'another' })
    ;(await made.question(2)).fail(new Error('no model'))
    await until(() =>
      expect(made.mode.view()).toMatchObject({ status: 'proposed', error: { message: 'no model', code: 'task_create_unknown' } }),
    )
  })

  it('stays so when a second attempt has surely failed', async () => {
    const made = await withUnknown()
    made.tasks.failure = new MemuError('task_create_failed', 'No network.')
    await expect(made.mode.command({ name: 'confirm', again: true })).rejects.toThrow(code('task_create_failed'))
    const hint = 'It may have been added: look for it before you confirm again.'
    expect(made.mode.view().error).toEqual({ message: 'No network.', hint, code: 'task_create_unknown' })
    await made.mode.command({ name: 'start' })
    expect(made.mode.view().error).toEqual(warning)
  })

  it('is told to the log without its text, as is one that was not added', async () => {
    const made = await worldWith('call the clinic')
    made.tasks.failure = new MemuError('task_create_unknown', 'add "call the clinic"\ndid not end')
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow()
    made.tasks.failure = new MemuError('task_create_failed', 'no network')
    await expect(made.mode.command({ name: 'confirm', again: true })).rejects.toThrow()
    expect(made.lines.filter((line) => !line.includes('the tasks are taken for'))).toEqual([
      'offscreen: nobody knows whether the task was added (add "…" did not end)',
      'offscreen: the task was not added (no network)',
    ])
  })
})

describe('a task that is on the list already', () => {
  it('is not added a second time: the confirmation says that it exists', async () => {
    const made = world()
    made.tasks.tasks = [{ title: 'Read' }, { title: 'Call mum' }]
    made.ai.answers.push('call Mum!')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await made.mode.command({ name: 'confirm', proposalId: 'id1' })
    expect(made.tasks.created).toEqual([])
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'confirmed', existing: true })
    const data = { proposal_id: 'id1', mode: 'offscreen', next_action: 'call Mum!', existing: true }
    expect(made.recorded().slice(1)).toEqual([[ACTION_TAKEN, data]])
  })

  it('is looked for in the list as it is now: what others added meanwhile is found, and what is done by now is not', async () => {
    const made = world()
    made.tasks.tasks = [{ title: 'Call mum' }]
    for (const [action, id] of [
      ['walk', 'id1'],
      ['call mum', 'id2'],
    ] as const) {
      made.ai.answers.push(action)
      await made.mode.command({ name: 'start' })
      expect((await made.proposed()).id).toBe(id)
      made.tasks.tasks = [{ title: 'Walk' }]
      await made.mode.command({ name: 'confirm' })
      expect(made.mode.view().existing).toBe(action === 'walk' ? true : undefined)
      made.tasks.tasks = [{ title: 'Call mum' }]
    }
    expect(made.tasks.created).toEqual(['call mum'])
  })

  it('is looked for past what the tool keeps of its list', async () => {
    const made = await worldWith('walk')
    const asked: unknown[] = []
    made.tasks.list = async ({ fresh }) => {
      asked.push(fresh)
      return []
    }
    await made.mode.command({ name: 'confirm' })
    expect(asked).toEqual([true])
  })

  const lists = {
    'does not answer': () => new Promise<never>(() => {}),
    fails: () => Promise.reject(new Error('gone')),
    'throws at once': () => {
      throw new Error('gone')
    },
  }
  describe.each(Object.entries(lists))('where the tool %s', (name, list) => {
    /** Whether it is over by then. */
    const confirmIn = async (made: ReturnType<typeof world>, milliseconds: number): Promise<boolean> => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      let isOver = false
      const confirmed = made.mode.command({ name: 'confirm' }).then(() => {
        isOver = true
      })
      await vi.advanceTimersByTimeAsync(milliseconds)
      const wasOver = isOver
      await vi.advanceTimersByTimeAsync(60_000)
      await confirmed
      return wasOver
    }

    it('is looked for in the list that the proposal was made with, after three seconds at most', async () => {
      const made = world()
      made.tasks.tasks = [{ title: 'walk' }]
      made.ai.answers.push('walk')
      await made.mode.command({ name: 'start' })
      await made.proposed()
      made.tasks.list = list
      expect(await confirmIn(made, 3_000)).toBe(true)
      expect(made.mode.view()).toMatchObject({ outcome: 'confirmed', existing: true })
      expect(made.lines).toEqual([expect.stringMatching(/^offscreen: the tasks are taken for those of when it was proposed \(.+\)$/)])
    })

    it('is added where that is not known, after as long as a tool may take', async () => {
      const before = await worldWith('walk')
      const made = world({ memory: before.memory })
      made.tasks.list = list
      await made.mode.resume(new AbortController().signal)
      expect(await confirmIn(made, 14_000)).toBe(name !== 'does not answer')
      expect(made.tasks.created).toEqual(['walk'])
      expect(made.lines).toEqual([expect.stringMatching(/^offscreen: the tasks are taken for none \(.+\)$/)])
    })

    it('is waited for longer where the list of the proposal could not be read either', async () => {
      const made = world()
      made.tasks.list = () => Promise.reject(new Error('gone'))
      made.ai.answers.push('walk')
      await made.mode.command({ name: 'start' })
      await made.proposed()
      made.tasks.list = list
      expect(await confirmIn(made, 14_000)).toBe(name !== 'does not answer')
    })
  })

  it('is added where the words are others, if only a little', async () => {
    const made = world()
    made.tasks.tasks = [{ title: 'Call mum' }]
    made.ai.answers.push('Call mum for ten minutes')
    await made.mode.command({ name: 'start' })
    await made.proposed()
    await made.mode.command({ name: 'confirm' })
    expect(made.tasks.created).toEqual(['Call mum for ten minutes'])
    expect(made.mode.view().existing).toBeUndefined()
  })

  it('is looked for anew where the task may have been added: it is found, and not added again', async () => {
    const made = await worldWith('walk')
    const { tasks } = made
    tasks.failure = new MemuError('task_create_unknown', 'Nobody knows.')
    await expect(made.mode.command({ name: 'confirm' })).rejects.toThrow()
    tasks.failure = undefined
    tasks.tasks = [{ title: 'walk' }]
    await made.mode.command({ name: 'confirm', again: true })
    expect(tasks.created).toEqual([])
    expect(made.mode.view()).toMatchObject({ outcome: 'confirmed', existing: true })
  })
})
