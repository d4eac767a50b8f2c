/** What the mode has in mind of a proposal that its user wants forgotten. */
import { describe, expect, it } from 'vitest'
import { PROPOSAL_MADE } from '../../../src/keel/offscreen/kinds.ts'
import { code, gate, kinds, until, type World, world, worldWith } from './world.ts'

const forget = (made: World, id?: string) => made.mode.forget(id, made.memory)
const next = async (made: World, action: string) => {
  made.ai.answers.push(action)
  await made.mode.command({ name: 'start' })
  return made.proposed()
}

describe('forgetting the proposal on the table', () => {
  it.each(['proposed', 'confirmed', 'dismissed', 'asleep'] as const)('leaves nothing of one that is %s', async (how) => {
    const made = await worldWith('walk')
    if (how === 'confirmed') await made.mode.command({ name: 'confirm' })
    if (how === 'dismissed') await made.mode.command({ name: 'dismiss', reason: 'too wet' })
    if (how === 'asleep') await made.mode.command({ name: 'snooze', minutes: 10 })
    const before = made.changes
    await forget(made, 'id1')
    expect(made.mode.view()).toEqual({ status: 'pending' })
    expect(made.mode.lastBrief()).toBeUndefined()
    expect(made.memory.events()).toEqual([])
    expect(made.changes).toBeGreaterThan(before)
    await expect(made.mode.command({ name: 'confirm', proposalId: 'id1' })).rejects.toEqual(code('stale_proposal'))
    await expect(made.mode.command({ name: 'undo' })).rejects.toEqual(code('nothing_to_undo'))
  })

  it('is refused while its task is being added, and not for another one', async () => {
    const made = await worldWith('walk')
    const adding = gate()
    made.tasks.gate = adding.promise
    const confirming = made.mode.command({ name: 'confirm' })
    await until(() => expect(kinds(made)).toContain('confirm_begun'))
    await expect(forget(made, 'id1')).rejects.toEqual(code('busy'))
    await expect(forget(made)).rejects.toEqual(code('busy'))
    await forget(made, 'another')
    adding.open()
    await confirming
    expect(made.mode.view()).toMatchObject({ status: 'done', outcome: 'confirmed' })
    expect(kinds(made)).toEqual([PROPOSAL_MADE, 'confirm_begun', 'action_taken'])
  })

  it('leaves another one where it is, but not the brief that may name it', async () => {
    const made = await worldWith('walk')
    await forget(made, 'another')
    expect(made.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    expect(made.mode.lastBrief()).toBeUndefined()
    await made.mode.command({ name: 'confirm', proposalId: 'id1' })
    expect(made.tasks.created).toEqual(['walk'])
  })
})

describe('forgetting what the next question would heed', () => {
  it('asks for no other than a decision that is forgotten', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'dismiss' })
    await forget(made, 'id1')
    const again = await next(made, 'walk')
    expect(again).toMatchObject({ nextAction: 'walk' })
    expect(again).not.toHaveProperty('repeats')
    expect(made.ai.questions.at(-1)).toMatchObject({ exclude: [], brief: expect.not.stringContaining('walk') })
  })

  it('names no proposal that was put aside and is forgotten, and still the others', async () => {
    const made = await worldWith('walk')
    for (const action of ['read', 'swim']) {
      made.ai.answers.push(action)
      await made.mode.command({ name: 'another' })
      await until(() => expect(made.mode.view().proposal?.nextAction).toBe(action))
    }
    await forget(made, 'id1')
    await made.mode.command({ name: 'another' })
    const { exclude, brief } = await made.question(4)
    expect(exclude).toEqual(['swim', 'read'])
    expect(brief).not.toContain('walk')
    await forget(made)
    expect(made.mode.view()).toEqual({ status: 'pending' })
    await made.mode.command({ name: 'start' })
    expect((await made.question(5)).exclude).toEqual([])
  })

  it('does not bring back by an undo what was put aside before and forgotten then', async () => {
    const made = await worldWith('walk')
    made.ai.answers.push('read')
    await made.mode.command({ name: 'another' })
    await until(() => expect(made.mode.view().proposal?.nextAction).toBe('read'))
    await made.mode.command({ name: 'dismiss' })
    await forget(made, 'id1')
    await made.mode.command({ name: 'undo' })
    await made.mode.command({ name: 'another' })
    expect((await made.question(3)).exclude).toEqual(['read'])
  })
})

describe('forgetting while a proposal is being made', () => {
  it('ends it, as its brief may hold what is forgotten, and brings back what was there', async () => {
    const made = await worldWith('walk')
    await made.mode.command({ name: 'another' })
    const asked = await made.question(2)
    await forget(made, 'another')
    expect(asked.signal.aborted).toBe(true)
    expect(made.mode.view()).toMatchObject({ status: 'proposed', proposal: { id: 'id1' } })
    await made.mode.command({ name: 'another' })
    await made.question(3)
    await forget(made, 'id1')
    expect(made.mode.view()).toEqual({ status: 'pending' })
    expect(made.mode.lastBrief()).toBeUndefined()
  })

  it('does not show the brief of a question that it ended before that was put', async () => {
    const made = world()
    const reading = gate()
    const { latest } = made.memory
    made.mode.use({
      ...made.services,
      memory: {
        ...made.memory,
        async latest() {
          await reading.promise
          return latest()
        },
      },
    })
    await made.mode.command({ name: 'start' })
    await forget(made)
    reading.open()
    await made.mode.stop(AbortSignal.timeout(1_000))
    expect(made.mode.lastBrief()).toBeUndefined()
    expect(made.ai.questions).toEqual([])
  })
})

describe('forgetting at other times', () => {
  it('takes up nothing again that was forgotten while the memory was read', async () => {
    for (const id of ['id1', undefined, 'another']) {
      const before = await worldWith('walk')
      const reading = gate()
      const events = await before.memory.latest()
      const memory = {
        ...before.memory,
        async latest() {
          await reading.promise
          return events
        },
      }
      const after = world({ services: { memory } })
      after.clock = before.clock
      const resuming = after.mode.resume(new AbortController().signal)
      await forget(after, id)
      reading.open()
      await resuming
      expect(after.mode.view().status).toBe(id === 'another' ? 'proposed' : 'pending')
    }
  })

  it('says why where the memory cannot, and is refused at the end', async () => {
    const made = await worldWith('walk')
    made.memory.failWith(new Error('full'))
    await expect(forget(made)).rejects.toThrow('full')
    made.memory.failWith(undefined)
    await made.mode.stop(AbortSignal.timeout(1_000))
    await expect(forget(made)).rejects.toEqual(code('stopping'))
  })
})
