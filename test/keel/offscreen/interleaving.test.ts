import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ACTION_TAKEN, DISMISSAL_UNDONE, PROPOSAL_DISMISSED, PROPOSAL_MADE } from '../../../src/keel/offscreen/kinds.ts'
import type { OffscreenCommand } from '../../../src/keel/offscreen/view.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { world } from './world.ts'

const NOTHING = ['nothing_to_confirm', 'nothing_to_dismiss', 'nothing_to_cancel', 'nothing_to_undo', 'nothing_proposed']
const REFUSALS = ['busy', 'stale_proposal', 'task_create_failed', ...NOTHING]

/** What a person, a second tab, a proposer and a task tool may do next. `of`: how many proposals ago the page was loaded. */
const step = fc.record({
  does: fc.oneof(
    fc.constantFrom('start', 'another', 'cancel', 'confirm', 'confirm', 'dismiss', 'undo', 'snooze', 'edit'),
    fc.constantFrom('answer', 'answer', 'fail', 'created', 'not created'),
  ),
  of: fc.option(fc.integer({ min: 0, max: 2 })),
  /** Whether what it leads to is over before the next one. */
  isSlow: fc.boolean(),
})

it('whatever comes in whatever order: one task for a confirmed proposal, one outcome for each, one question at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { mode, tasks, ai, memory, services } = world()
      const creating: { readonly end: (error?: Error) => void }[] = []
      const asked: { readonly title: string }[] = []
      let open = 0
      let mostOpen = 0
      mode.use({
        ...services,
        ai: {
          name: 'fake',
          propose: (brief, options) => {
            mostOpen = Math.max(mostOpen, ++open)
            return ai.propose(brief, options).finally(() => open--)
          },
        },
        tasks: {
          ...tasks,
          create(title) {
            asked.push({ title })
            return new Promise((resolve, reject) => creating.push({ end: (error) => (error === undefined ? resolve({}) : reject(error)) }))
          },
        },
      })
      const made = () => memory.events().filter(({ kind }) => kind === PROPOSAL_MADE)
      const running: Promise<void>[] = []
      let created = 0
      let answers = 0
      for (const { does, of, isSlow } of steps) {
        const id = of === null ? undefined : (made().at(-1 - of)?.data.proposal_id as string | undefined)
        const named = id === undefined ? {} : { proposalId: id }
        const commands: Readonly<Record<string, OffscreenCommand>> = {
          start: { name: 'start' },
          another: { name: 'another', ...named },
          cancel: { name: 'cancel' },
          confirm: { name: 'confirm', ...named },
          dismiss: { name: 'dismiss', ...named },
          undo: { name: 'undo', ...named },
          snooze: { name: 'snooze', ...named, minutes: 5 },
          edit: { name: 'edit', ...named, text: `own words ${asked.length}` },
        }
        const command = commands[does]
        if (command !== undefined) {
          running.push(
            mode.command(command).catch((error: MemuError) => {
              expect(REFUSALS).toContain(error.code)
            }),
          )
        } else if (does === 'answer') ai.questions.at(-1)?.answer(`action number ${++answers}`)
        else if (does === 'fail') ai.questions.at(-1)?.fail(new Error('no'))
        else if (does === 'created' && creating.length > 0) {
          creating.shift()!.end()
          created++
        } else if (does === 'not created') creating.shift()?.end(new MemuError('task_create_failed', 'no'))
        if (isSlow) await new Promise((resolve) => setImmediate(resolve))
        expect(creating.length).toBeLessThanOrEqual(1)
      }
      for (;;) {
        // A confirmation asks the tool in its own turn.
        await new Promise((resolve) => setImmediate(resolve))
        if (creating.length === 0) break
        creating.shift()!.end()
        created++
      }
      await mode.stop(AbortSignal.timeout(5_000))
      await Promise.all(running)

      expect(mostOpen).toBeLessThanOrEqual(1)
      const ids = (kind: string) =>
        memory
          .events()
          .filter((event) => event.kind === kind)
          .map(({ data }) => data.proposal_id)
      const [taken, dismissed, undone] = [ids(ACTION_TAKEN), ids(PROPOSAL_DISMISSED), ids(DISMISSAL_UNDONE)]
      const times = (id: unknown, all: readonly unknown[]): number => all.filter((other) => other === id).length
      expect(taken).toHaveLength(created)
      for (const id of ids(PROPOSAL_MADE)) {
        const outcomes = times(id, taken) + times(id, dismissed) - times(id, undone)
        expect([0, 1]).toContain(outcomes)
        expect([0, 1]).toContain(times(id, dismissed) - times(id, undone))
      }
      expect(ids(PROPOSAL_MADE)).toEqual(expect.arrayContaining([...taken, ...dismissed, ...undone]))
      expect(mode.view().busy).toBeUndefined()
    }),
    { numRuns: 1000 },
  )
})
