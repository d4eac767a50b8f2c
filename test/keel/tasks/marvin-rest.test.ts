import { afterEach, describe, expect, it } from 'vitest'
import { marvinRest } from '../../../src/keel/tasks/marvin-rest.ts'
import type { Task, TaskList } from '../../../src/keel/tasks/task-list.ts'
import { realSystem } from '../../../src/util/system.ts'
import { FINISHED, taskListContract } from '../../contract/task-list.ts'
import { type JsonServer, jsonServer, type Reply } from '../../helpers/json-server.ts'

const { signal } = new AbortController()
const TOKEN = 'marvin-token-0123456789='
const servers: JsonServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Marvin {
  readonly list: TaskList
  readonly server: JsonServer
  readonly items: Record<string, unknown>[]
  readonly slept: number[]
  later(milliseconds: number): void
}

/** A Marvin that keeps what it is given, and refuses another token; `trouble` answers in its place. */
async function marvin(tasks: readonly Task[] = [], trouble?: (path: string) => Reply | undefined): Promise<Marvin> {
  const items: Record<string, unknown>[] = [...tasks, { title: FINISHED, done: true }].map(({ due, ...task }: Task, index) => ({
    _id: `m${index}`,
    db: 'Tasks',
    day: 'unassigned',
    dueDate: due ?? null,
    parentId: 'unassigned',
    ...task,
  }))
  const server = await jsonServer(({ method, path, headers, body }) => {
    const troubled = trouble?.(path)
    if (troubled !== undefined) return troubled
    if (headers['x-api-token'] !== TOKEN) return { status: 401, body: `no such token ${String(headers['x-api-token'])}` }
    if (method === 'POST' && path === '/addTask') {
      if (headers['x-auto-complete'] !== 'false') throw new Error('it would read signs out of the title')
      const made = { _id: `m${items.length}`, db: 'Tasks', ...body }
      items.push(made)
      return { body: made }
    }
    if (/^\/todayItems\?date=\d{4}-\d{2}-\d{2}$/.test(path)) return { body: [...items, { _id: 'c', db: 'Categories', title: 'A project' }] }
    return path === '/dueItems' ? { body: items.filter(({ dueDate }) => dueDate != null) } : { status: 404, body: 'no such page' }
  })
  servers.push(server)
  let time = Date.parse('2026-11-30T12:00:00Z')
  const slept: number[] = []
  const list = marvinRest({
    token: TOKEN,
    url: server.url,
    system: { ...realSystem(), now: () => new Date(time) },
    timeLimits: { list: 1000, create: 1000 },
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
      time += milliseconds
    },
  })
  const later = (milliseconds: number): void => {
    time += milliseconds
  }
  return { list, server, items, slept, later }
}

async function gone(): Promise<string> {
  const server = await jsonServer(() => ({}))
  await server.close()
  return server.url
}

taskListContract({
  name: 'Marvin by its API',
  async open(tasks) {
    const { list, items } = await marvin(tasks)
    return { list, titles: async () => items.map(({ title }) => String(title)) }
  },
  missing: async () => marvinRest({ token: TOKEN, url: await gone(), system: realSystem() }),
  hanging: async () => (await marvin([], () => ({ trouble: 'hang' }))).list,
})

describe('Marvin by its API', () => {
  it('asks two questions for a list, and none again within a minute', async () => {
    const { list, server, later } = await marvin([{ title: 'First', due: '2026-12-01' }])
    await list.list({ limit: 5, signal })
    await list.list({ limit: 2, signal })
    expect(server.asked.map(({ path }) => path).sort()).toEqual(['/dueItems', '/todayItems?date=2026-11-30'])
    later(61_000)
    await list.list({ limit: 5, signal })
    expect(server.asked).toHaveLength(4)
  })

  it('gives what one of the two answers holds, says why the other is missing, and soon asks again for both', async () => {
    let isFailing = true
    const { list } = await marvin([{ title: 'First' }, { title: 'Second', due: '2026-11-30' }], (path) =>
      isFailing && path !== '/dueItems' ? { status: 500 } : undefined,
    )
    const missing: string[] = []
    const titles = async () => (await list.list({ limit: 5, signal, onMissing: (why) => missing.push(why) })).map(({ title }) => title)
    expect(await titles()).toEqual(['Second'])
    expect(missing).toEqual([expect.stringContaining('Marvin did not give its tasks: ')])
    isFailing = false
    expect(await titles(), 'half a list is not remembered').toEqual(['Second', 'First'])
    isFailing = true
    expect(await titles(), 'a whole one is').toEqual(['Second', 'First'])
    expect(missing).toHaveLength(1)
  })

  it('sends the offset of the time zone east of Greenwich, and gives the id of the new task', async () => {
    const { list, server } = await marvin()
    expect(await list.create('Walk', { signal })).toEqual({ id: 'm1' })
    const [{ body }] = server.asked as [(typeof server.asked)[0]]
    expect(body).toEqual({ title: 'Walk', done: false, timeZoneOffset: 0 - new Date('2026-11-30T12:00:00Z').getTimezoneOffset() })
  })

  it('adds at most one task a second', async () => {
    const { list, slept, later } = await marvin()
    await list.create('One', { signal })
    later(400)
    await list.create('Two', { signal })
    later(5000)
    await list.create('Three', { signal })
    expect(slept).toEqual([600])
  })

  it('says that a refused token may have lost its end, and never says the token', async () => {
    const { server } = await marvin()
    const list = marvinRest({ token: 'marvin-token-0123456789', url: server.url, system: realSystem() })
    const error = await list.list({ limit: 5, signal }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'tasks_unavailable', hint: expect.stringContaining('ends in =') })
    expect((error as Error).message).not.toContain('0123456789')
  })

  it.each<[string, Reply, string]>([
    ['that it refuses', { status: 400, body: { message: 'no' } }, 'task_create_failed'],
    ['that is too much at the moment', { status: 429 }, 'task_create_failed'],
    ['for which it waited too long', { status: 408 }, 'task_create_unknown'],
    ['that it fails over', { status: 500, body: '<html>oops</html>' }, 'task_create_unknown'],
    ['whose answer is cut off', { body: { _id: 'x' }, trouble: 'half' }, 'task_create_unknown'],
    ['and closes the connection', { trouble: 'drop' }, 'task_create_unknown'],
  ])('is asked once only to add a task %s', async (_what, reply, code) => {
    const { list, server } = await marvin([], () => reply)
    await expect(list.create('Walk', { signal })).rejects.toMatchObject({ code })
    expect(server.asked).toHaveLength(1)
  })

  it('has added a task when it says only OK', async () => {
    const { list } = await marvin([], () => ({ body: 'OK' }))
    expect(await list.create('Walk', { signal })).toEqual({})
  })

  it('does not know of a task that was stopped on its way', async () => {
    const abort = new AbortController()
    const { list } = await marvin([], () => {
      abort.abort(new Error('stopped'))
      return { trouble: 'hang' }
    })
    await expect(list.create('Walk', { signal: abort.signal })).rejects.toMatchObject({ code: 'task_create_unknown' })
  })

  it.each([[{ error: 'no list' }], ['<html>maintenance</html>'], [null]])('takes no %j for a list', async (body) => {
    const { list } = await marvin([], () => ({ body }))
    await expect(list.list({ limit: 5, signal })).rejects.toMatchObject({ code: 'tasks_unavailable' })
  })
})
