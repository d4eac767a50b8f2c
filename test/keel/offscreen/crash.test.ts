import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OffscreenCommand } from '../../../src/keel/offscreen/view.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { newFake } from '../fake-memory.ts'
import { fakeProposer, type World, world } from './world.ts'

/** What a person does, and what the tool, the store and the machine do to the process meanwhile. */
const step = fc.record({
  does: fc.oneof(
    fc.constantFrom<OffscreenCommand>(
      { name: 'confirm', again: true },
      { name: 'start' },
      { name: 'another' },
      { name: 'cancel' },
      { name: 'dismiss' },
      { name: 'undo' },
      { name: 'snooze', minutes: 5 },
      { name: 'edit', text: 'in my own words' },
    ),
    fc.constant<OffscreenCommand>({ name: 'confirm' }),
    fc.constant<OffscreenCommand>({ name: 'confirm', again: true }),
    fc.constantFrom('stored', 'stored', 'crash'),
    fc.constantFrom('stored at once', 'added', 'added, no answer', 'not added', 'crash'),
  ),
  /** How many turns of the event loop it has: a crash may come between any two steps of a confirmation. */
  turns: fc.integer({ min: 0, max: 3 }),
})

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Attempt {
  readonly id: string
  readonly run: number
  isSettled: boolean
  /** Beside the proposal when it was confirmed. */
  readonly isWarned: boolean
  isSurelyNotAdded: boolean
  settle(error?: Error): void
}

it('whenever the process is killed: nothing is added a second time without a warning in between', async () => {
  let crashes = 0
  let second = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const disk = newFake()
      const attempts: Attempt[] = []
      let writes: (() => void)[] = []
      let isSlow = true
      let runs = 0
      let warned = false

      async function run(): Promise<World> {
        const mine = ++runs
        const never = new Promise<never>(() => {})
        const ai = fakeProposer()
        ai.answers.push(...Array.from({ length: 60 }, (_, index) => `action ${mine} ${index}`))
        const made: World = world({
          ai,
          idPrefix: `${mine}-`,
          memory: {
            ...disk,
            record(event) {
              if (mine !== runs) return never
              if (!isSlow) return disk.record(event)
              return new Promise((resolve) => writes.push(() => void disk.record(event).then(resolve)))
            },
          },
        })
        const create = (): Promise<object> => {
          if (mine !== runs) return never
          const { id } = made.mode.view().proposal!
          return new Promise((resolve, reject) => {
            const settle = (error?: Error): void => (error === undefined ? resolve({}) : reject(error))
            attempts.push({ id, run: mine, isWarned: warned, isSettled: false, isSurelyNotAdded: false, settle })
          })
        }
        made.mode.use({ ...made.services, tasks: { ...made.tasks, create } })
        await made.mode.resume(new AbortController().signal)
        return made
      }

      function answer(error?: Error): void {
        const last = attempts.at(-1)
        if (last === undefined || last.run !== runs || last.isSettled) return
        last.isSettled = true
        last.isSurelyNotAdded = error instanceof MemuError && error.code === 'task_create_failed'
        last.settle(error)
      }

      let made = await run()
      await made.mode.command({ name: 'start' })
      await turn()
      writes.shift()!()
      for (const { does, turns } of steps) {
        if (typeof does !== 'string') {
          // What its user sees at the moment of the click; whoever did not see it does not say that they did.
          if (does.name === 'confirm' && made.mode.view().busy === undefined)
            warned = does.again === true && made.mode.view().error?.code === 'task_create_unknown'
          void made.mode.command(does).catch(() => {})
        } else if (does === 'stored') writes.shift()?.()
        else if (does === 'stored at once') {
          isSlow = false
          for (const write of writes.splice(0)) write()
        } else if (does === 'added') answer()
        else if (does === 'added, no answer') answer(new MemuError('task_create_unknown', 'no answer'))
        else if (does === 'not added') answer(new MemuError('task_create_failed', 'no'))
        else {
          crashes++
          writes = []
          isSlow = true
          made = await run()
        }
        for (let passed = 0; passed < turns; passed++) await turn()
      }

      for (const [index, attempt] of attempts.entries()) {
        const before = attempts.slice(0, index).filter((other) => other.id === attempt.id && !other.isSurelyNotAdded)
        if (before.length === 0) continue
        second++
        expect(attempt.isWarned).toBe(true)
      }
    }),
    { numRuns: 1500 },
  )
  // It was tried: the property is no empty one.
  expect(crashes).toBeGreaterThan(500)
  expect(second).toBeGreaterThan(100)
})
