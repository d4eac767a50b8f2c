import { afterEach, describe, expect, it } from 'vitest'
import type { Task, TaskList } from '../../../src/keel/tasks/task-list.ts'
import { todoist } from '../../../src/keel/tasks/todoist.ts'
import { realSystem } from '../../../src/util/system.ts'
import { FINISHED, taskListContract } from '../../contract/task-list.ts'
import { type JsonServer, jsonServer, type Reply } from '../../helpers/json-server.ts'

const { signal } = new AbortController()
const TOKEN = 'todoist-token-0123456789'
const servers: JsonServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Todoist {
  readonly list: TaskList
  readonly server: JsonServer
  readonly items: Record<string, unknown>[]
}

/** A Todoist that gives `pageSize` tasks at once; `trouble` answers in its place. */
async function service(
  tasks: readonly Task[],
  { pageSize = 2, filter, trouble }: { pageSize?: number; filter?: string; trouble?: (path: string) => Reply | undefined } = {},
): Promise<Todoist> {
  const items: Record<string, unknown>[] = [...tasks, { title: FINISHED, checked: true }].map(({ title, due, ...task }: Task, index) => ({
    id: `t${index}`,
    content: title,
    description: 'A note',
    checked: false,
    due: due === undefined ? null : { date: due, string: due, is_recurring: false },
    project_id: 'p1',
    priority: 1,
    ...task,
  }))
  const server = await jsonServer(({ method, path, headers, body }) => {
    const troubled = trouble?.(path)
    if (troubled !== undefined) return troubled
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'Unauthorized', error_code: 401 } }
    const { pathname, searchParams } = new URL(path, 'http://todoist')
    if (method === 'POST' && pathname === '/tasks') {
      items.push({ id: `t${items.length}`, checked: false, due: null, ...body })
      return { body: items.at(-1) }
    }
    const all = pathname === '/tasks' ? items : items.filter(({ due }) => due !== null)
    const from = Number(searchParams.get('cursor') ?? 0)
    const to = from + Math.min(pageSize, Number(searchParams.get('limit')))
    return { body: { results: all.slice(from, to), next_cursor: to < all.length ? String(to) : null } }
  })
  servers.push(server)
  const list = todoist({
    token: TOKEN,
    url: server.url,
    system: realSystem(),
    timeLimits: { list: 1000, create: 1000 },
    ...(filter ? { filter } : {}),
  })
  return { list, server, items }
}

async function gone(): Promise<string> {
  const server = await jsonServer(() => ({}))
  await server.close()
  return server.url
}

taskListContract({
  name: 'Todoist',
  async open(tasks) {
    const { list, items } = await service(tasks, { pageSize: 4 })
    return { list, titles: async () => items.map(({ content }) => String(content)) }
  },
  missing: async () => todoist({ token: TOKEN, url: await gone(), system: realSystem() }),
  hanging: async () => (await service([], { trouble: () => ({ trouble: 'hang' }) })).list,
})

describe('Todoist', () => {
  it('takes no more of an answer than it asked for, and none that is too large', async () => {
    const many = Array.from({ length: 250_000 }, () => 'task')
    const { list } = await service([], { trouble: () => ({ body: { results: many } }), filter: 'all' })
    expect(await list.list({ limit: 500, signal })).toHaveLength(1)
    const { list: large } = await service([], { trouble: () => ({ body: { results: ['x'.repeat(4 << 20)] } }) })
    await expect(large.list({ limit: 5, signal })).rejects.toMatchObject({ code: 'tasks_unavailable' })
  })

  it('reads page after page until there are enough', async () => {
    const { list, server } = await service(Array.from({ length: 9 }, (_, index) => ({ title: `Task ${index}` })))
    expect(await list.list({ limit: 5, signal })).toHaveLength(5)
    expect(server.asked.filter(({ path }) => path.startsWith('/tasks?'))).toHaveLength(3)
  })

  it('comes to an end with a service whose pages never do', async () => {
    const { list, server } = await service([], { trouble: () => ({ body: { results: [], next_cursor: 'again' } }) })
    expect(await list.list({ limit: 5, signal })).toEqual([])
    expect(server.asked.length).toBeLessThan(20)
  })

  it('asks with the filter of the user, as it is', async () => {
    const { list, server } = await service([{ title: 'First', due: '2026-12-01' }], { filter: '#Home & !@screen' })
    await list.list({ limit: 5, signal })
    expect(server.asked.map(({ path }) => new URL(path, 'http://todoist').searchParams.get('query'))).toEqual(['#Home & !@screen'])
  })

  it('gives the id of the new task, and keeps it one that can be ticked off', async () => {
    const { list, items } = await service([])
    expect(await list.create('* Walk', { signal })).toEqual({ id: 't1' })
    expect(items.at(-1)).toMatchObject({ content: 'Walk' })
  })

  it('reads days with a time of day, and the deadline where there is no other day', async () => {
    const noon = new Date(2026, 11, 1, 12).toISOString()
    const results = [
      { id: 'a', content: 'A', due: { date: '2026-12-01T09:00:00' } },
      { id: 'b', content: 'B', due: { date: noon, timezone: 'Europe/Berlin' } },
      { id: 'c', content: 'C', due: null, deadline: { date: '2026-12-02' } },
    ]
    const { list } = await service([], { trouble: () => ({ body: { results, next_cursor: null } }) })
    const tasks = await list.list({ limit: 5, signal })
    expect(tasks.map(({ id, due }) => [id, due])).toEqual([
      ['a', '2026-12-01'],
      ['b', '2026-12-01'],
      ['c', '2026-12-02'],
    ])
  })

  it('says what to do about a refused token, and never says the token', async () => {
    const { server } = await service([])
    const list = todoist({ token: 'wrong-token-9876543210', url: server.url, system: realSystem() })
    for (const work of [() => list.list({ limit: 5, signal }), () => list.create('Walk', { signal })]) {
      const error = await work().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ hint: expect.stringContaining('KEEL_TODOIST_TOKEN') })
      expect(String(error)).not.toContain('9876543210')
    }
  })

  it.each([[{ results: 'none' }], [null], ['plain']])('takes no %j for a list', async (body) => {
    const { list } = await service([], { trouble: () => ({ body }) })
    await expect(list.list({ limit: 5, signal })).rejects.toMatchObject({ code: 'tasks_unavailable' })
  })
})
