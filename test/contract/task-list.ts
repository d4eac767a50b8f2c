/** What every task list must do, whatever tool is behind it. */
import { describe, expect, it } from 'vitest'
import type { Task, TaskList } from '../../src/keel/tasks/task-list.ts'
import type { MemuError } from '../../src/util/errors.ts'

export interface TaskListFixture {
  readonly name: string
  /** A list over a tool that holds these open tasks, and a finished one called `FINISHED`. */
  open(tasks: readonly Task[]): Promise<OpenedTaskList>
  /** A list over a tool that is not there. */
  missing(): Promise<TaskList>
  /** A list over a tool that takes what it is asked and never answers; undefined where a tool cannot do that. */
  hanging?(): Promise<TaskList>
  /** How a title is kept that the tool would not take literally; by default as it is. */
  readonly kept?: (title: string) => string
}

export interface OpenedTaskList {
  readonly list: TaskList
  /** Every title that the tool holds, as it holds it. */
  titles(): Promise<readonly string[]>
}

export const FINISHED = 'This one is finished'

const SEEDED: readonly Task[] = [
  { title: 'Tidy the shelf' },
  { title: 'Send the form', due: '2026-12-03' },
  { title: 'Water the plants', due: '2026-12-01' },
]

const ODD_TITLES = [
  'Say "hello", don\'t wait',
  'Buy $(touch /tmp/x) `id` $HOME %PATH% & | > <',
  'One; two; three',
  '-leading dash',
  '--help me',
  'Stretch 🧘🏽‍♀️ for 5 min — naïve',
  'Sort #Home @phone +today ~30m *p1',
  'x (A) looks finished',
  '2026-01-01 due:2026-01-02 project:home rec:1d',
  'back\\slash \\n',
  '散歩に行く',
]

const never = (): AbortSignal => new AbortController().signal
const caught = (work: Promise<unknown>): Promise<MemuError> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  ) as Promise<MemuError>

export function taskListContract({ name, open, missing, hanging, kept = (title) => title }: TaskListFixture): void {
  describe(`the task list contract: ${name}`, () => {
    it('lists what is open, the first due first, and nothing that is finished', async () => {
      const { list } = await open(SEEDED)
      const tasks = await list.list({ limit: 20, signal: never() })
      expect(tasks.map(({ title, due }) => [title, due])).toEqual([
        ['Water the plants', '2026-12-01'],
        ['Send the form', '2026-12-03'],
        ['Tidy the shelf', undefined],
      ])
      expect(list.name).not.toBe('')
    })

    it('lists at most as many as are wanted', async () => {
      const { list } = await open(SEEDED)
      expect(await list.list({ limit: 1, signal: never() })).toMatchObject([{ title: 'Water the plants' }])
      expect(await list.list({ limit: 0, signal: never() })).toEqual([])
    })

    it('lists nothing where there is nothing', async () => {
      const { list } = await open([])
      expect(await list.list({ limit: 20, signal: never() })).toEqual([])
    })

    it('adds each odd title once, as text and nothing else, and lists it', async () => {
      const { list, titles } = await open([])
      for (const title of ODD_TITLES) await list.create(title, { signal: never() })
      expect((await titles()).filter((title) => title !== FINISHED).sort()).toEqual(ODD_TITLES.map(kept).sort())
      expect(await list.list({ limit: 50, signal: never() })).toHaveLength(ODD_TITLES.length)
    })

    it('lists a task that was just added, and what was asked for before it is not in the way', async () => {
      const { list } = await open(SEEDED)
      await list.list({ limit: 20, signal: never() })
      await list.create('Call mum', { signal: never() })
      const titles = async (options = {}) => (await list.list({ limit: 20, signal: never(), ...options })).map(({ title }) => title)
      expect(await titles()).toContain('Call mum')
      expect(await titles({ fresh: true })).toHaveLength(SEEDED.length + 1)
    })

    it('adds one line of at most 200 characters, without control characters and what nobody sees', async () => {
      const { list, titles } = await open([])
      await list.create(`Walk\r\nto\u200b \u{e0041}the\u0000 \u001b[31mpark\u2028${'🌳'.repeat(300)}`, { signal: never() })
      const [title] = (await titles()).filter((one) => one !== FINISHED)
      expect(title).toMatch(/^Walk to the \[31mpark 🌳+$/u)
      expect([...title!]).toHaveLength(200)
    })

    it('refuses a title without text, and adds nothing', async () => {
      const { list, titles } = await open([])
      expect(await caught(list.create(' \n\u0007\u2060\u{e0041}\u3164 ', { signal: never() }))).toMatchObject({
        code: 'task_create_failed',
      })
      expect((await titles()).filter((title) => title !== FINISHED)).toEqual([])
    })

    it('begins nothing once it is not wanted any more', async () => {
      const { list, titles } = await open([])
      const reason = new Error('not wanted')
      await expect(list.list({ limit: 5, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      await expect(list.create('Read a page', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect((await titles()).filter((title) => title !== FINISHED)).toEqual([])
    })

    it('says so where the tool is missing, and that nothing was added', async () => {
      const list = await missing()
      const unlisted = await caught(list.list({ limit: 5, signal: never() }))
      expect(unlisted).toMatchObject({ code: 'tasks_unavailable', message: expect.stringContaining(list.name) })
      const uncreated = await caught(list.create('Read a page', { signal: never() }))
      expect(uncreated).toMatchObject({ code: 'task_create_failed', message: expect.stringContaining(list.name) })
      expect(`${unlisted.message}${uncreated.message}`).not.toMatch(/[\u0000-\u001f]|Read a page/)
    })

    if (hanging === undefined) return
    it('calls a task unknown that the tool took and never answered, and says what to look at', async () => {
      const list = await hanging()
      expect(await caught(list.create('Read a page', { signal: never() }))).toMatchObject({
        code: 'task_create_unknown',
        hint: expect.stringContaining(list.name),
      })
      expect(await caught(list.list({ limit: 5, signal: never() }))).toMatchObject({ code: 'tasks_unavailable' })
    })
  })
}
