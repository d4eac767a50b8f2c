import { expect, it } from 'vitest'
import { withCachedLists } from '../../../src/keel/tasks/cached-list.ts'
import type { Task } from '../../../src/keel/tasks/task-list.ts'

const { signal } = new AbortController()

/** A tool whose lists wait for an answer, and whose `create` fails where it is told to. */
function tool() {
  const waiting: ((tasks: readonly Task[]) => void)[] = []
  let failure: Error | undefined
  const list = withCachedLists(
    {
      name: 'tool',
      lists: () => [() => new Promise<readonly Task[]>((resolve) => waiting.push(resolve))],
      async create() {
        if (failure !== undefined) throw failure
        return {}
      },
    },
    { now: () => new Date(2026, 5, 5) },
  )
  return {
    list,
    answer: (...titles: readonly string[]) => waiting.shift()!(titles.map((title) => ({ title }))),
    fail: (error: Error) => {
      failure = error
    },
    /** Titles without asking anybody; undefined where somebody is asked. */
    async remembered(): Promise<readonly string[] | undefined> {
      const before = waiting.length
      const asked = list.list({ limit: 5, signal })
      await Promise.resolve()
      return waiting.length > before ? undefined : (await asked).map(({ title }) => title)
    },
  }
}

it('a list is remembered until a task is added, however that ends', async () => {
  for (const failure of [undefined, new Error('nobody knows')]) {
    const { list, answer, fail, remembered } = tool()
    const first = list.list({ limit: 5, signal })
    answer('walk')
    await first
    expect(await remembered()).toEqual(['walk'])
    if (failure !== undefined) fail(failure)
    await list.create('read', { signal }).catch(() => {})
    expect(await remembered()).toBeUndefined()
  }
})

it('a list that was asked for before a task was added, and comes afterwards, is given and not remembered', async () => {
  const { list, answer, remembered } = tool()
  const asked = list.list({ limit: 5, signal })
  await list.create('read', { signal })
  answer('walk')
  expect(await asked).toEqual([{ title: 'walk' }])
  expect(await remembered()).toBeUndefined()
})

it('a list that is wanted fresh is asked for, and remembered from then on', async () => {
  const { list, answer, remembered } = tool()
  for (const title of ['walk', 'read']) {
    const asked = list.list({ limit: 5, signal, fresh: true })
    answer(title)
    expect(await asked).toEqual([{ title }])
  }
  expect(await remembered()).toEqual(['read'])
})
