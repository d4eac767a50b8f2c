import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { marvinCommand } from '../../../src/keel/tasks/marvin-command.ts'
import type { Task, TaskList } from '../../../src/keel/tasks/task-list.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { FINISHED, taskListContract } from '../../contract/task-list.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const STAND_IN = join(import.meta.dirname, 'marvin-stand-in.mjs')
const never = new AbortController().signal

interface StandIn {
  readonly list: TaskList
  readonly store: string
  later(): void
}

function standIn(tasks: readonly Task[], flags: readonly string[] = [], timeLimits?: { list: number; create: number }): StandIn {
  const home = temporaryFolder()
  const store = join(home, 'tasks')
  writeFileSync(store, [...tasks, { title: FINISHED, done: true }].map((task) => `${JSON.stringify(task)}\n`).join(''))
  let time = Date.parse('2026-11-30T12:00:00Z')
  const system = { ...realSystem(), home, env: { ...process.env, STAND_IN_TASKS: store, KEEL_KEY: 'ours' }, now: () => new Date(time) }
  const argv = [process.execPath, STAND_IN, ...flags]
  return {
    list: marvinCommand({ argv, system, ...(timeLimits ? { timeLimits } : {}) }),
    store,
    later: () => {
      time += 61_000
    },
  }
}

const stored = (store: string): { title: string }[] =>
  readFileSync(store, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { title: string })

// Plain lines have no dates, by which the contract sorts: they are tried below.
for (const form of ['csv', 'json', 'ndjson']) {
  taskListContract({
    name: `Marvin by a command that prints ${form}`,
    async open(tasks) {
      const { list, store } = standIn(tasks, [`--form=${form}`])
      return { list, titles: async () => stored(store).map(({ title }) => title) }
    },
    missing: async () => marvinCommand({ argv: ['no-such-program'], system: { ...realSystem(), env: { PATH: '/nowhere' } } }),
    hanging: async () => standIn([], ['--trouble=hangs'], { list: 300, create: 1000 }).list,
    kept: (title) => title.replace(/^-/, '–').replace('#Home @phone +today ~30m *p1', '# Home @ phone + today ~ 30m * p1'),
  })
}

describe('Marvin by a command', () => {
  it('reads titles with quotes, commas and line ends out of CSV, behind whatever is printed first', async () => {
    const { list } = standIn([{ id: 'a', title: 'Say "no",\nthen, rest' }, { title: 'Plain' }])
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ id: 'a', title: 'Say "no", then, rest' }, { title: 'Plain' }])
  })

  it('takes plain lines as titles', async () => {
    const { list } = standIn([{ title: 'First' }, { title: 'Second, with a comma' }], ['--form=text'])
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ title: 'First' }, { title: 'Second, with a comma' }])
  })

  it('is content with a script that knows only what is for today, and says so', async () => {
    const { list } = standIn([{ title: 'First' }], ['--trouble=only-today'])
    const missing: string[] = []
    expect(await list.list({ limit: 5, signal: never, onMissing: (why) => missing.push(why) })).toEqual([{ title: 'First' }])
    expect(missing).toEqual([expect.stringMatching(/ended with code 1\.$/)])
  })

  it('lists a task of which nobody knows whether it was added, where it was', async () => {
    const { list } = standIn([{ title: 'First' }], ['--trouble=killed-add'])
    await list.list({ limit: 5, signal: never })
    await expect(list.create('Call mum', { signal: never })).rejects.toMatchObject({ code: 'task_create_unknown' })
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ title: 'First' }, { title: 'Call mum' }])
  })

  it('asks at most once a minute', async () => {
    const { list, store, later } = standIn([{ title: 'First' }])
    await list.list({ limit: 5, signal: never })
    writeFileSync(store, `${JSON.stringify({ title: 'Second' })}\n`)
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ title: 'First' }])
    later()
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ title: 'Second' }])
  })

  it('gives the id of the new task where the program prints it', async () => {
    expect(await standIn([], ['--form=json']).list.create('Walk', { signal: never })).toEqual({ id: 'made' })
    expect(await standIn([]).list.create('Walk', { signal: never })).toEqual({})
  })

  it('shows the last lines of what a failing program complains of, without control characters and without a token of the command', async () => {
    const home = temporaryFolder()
    const argv = [process.execPath, STAND_IN, '--trouble=fails', '--api-token', '--secret-token-1234']
    const list = marvinCommand({ argv, system: { ...realSystem(), home } })
    const works = [() => list.list({ limit: 5, signal: never }), () => list.create('Walk', { signal: never })]
    for (const work of works) {
      const { message, code } = await failure(work())
      expect(message).toMatch(/ended with code 1: at one at two Your token \[key\] was refused\.$/)
      expect(message).not.toMatch(/secret-token|\u001b|Uncaught/)
      expect(code).toMatch(/^(?:tasks_unavailable|task_create_failed)$/)
    }
  })

  it('repeats no argument of the command, under whatever name it stands there', async () => {
    const argv = [process.execPath, STAND_IN, '--trouble=repeats', '-p=hunter2222', 'MARVIN_KEY=abcdefgh1', 'naked-secret']
    const list = marvinCommand({ argv, system: { ...realSystem(), env: { ...process.env, STAND_IN_TASKS: '/nowhere' } } })
    for (const work of [() => list.list({ limit: 5, signal: never }), () => list.create('Walk', { signal: never })]) {
      const { message } = await failure(work())
      expect(message).toContain('-p=[key] MARVIN_KEY=[key] [key]')
      expect(message).not.toMatch(/hunter|abcdefgh|naked/)
    }
  })

  it('does not know of a task whose program says that what it ran was ended by a signal, as a shell says it', async () => {
    const { list, store } = standIn([], ['--trouble=exit-137'])
    await expect(list.create('Walk', { signal: never })).rejects.toMatchObject({
      code: 'task_create_unknown',
      message: expect.stringContaining('ended with code 137'),
    })
    expect(stored(store).map(({ title }) => title)).toContain('Walk')
  })

  it('is called by the name of the script that it is', async () => {
    const system = { ...realSystem(), env: { PATH: '/nowhere' } }
    const names = [
      ['marvin'],
      ['npx', 'marvin-cli'],
      ['node', '/home/me/lists/add task.mjs', '--mine'],
      ['/home/me/bin/tasks'],
      ['C:\\tools\\tasks.cmd'],
      ['mytasks', 'x'],
    ].map((argv) => marvinCommand({ argv, system }).name)
    expect(names).toEqual(['Marvin', 'Marvin', 'add task.mjs', 'tasks', 'tasks.cmd', 'mytasks'])
  })

  it.skipIf(process.platform === 'win32')('says what is missing to a file that is no program yet', async () => {
    const file = join(temporaryFolder(), 'tasks')
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o600 })
    const list = marvinCommand({ argv: [file], system: realSystem() })
    for (const work of [() => list.list({ limit: 5, signal: never }), () => list.create('Walk', { signal: never })]) {
      expect((await failure(work())).hint).toBe(`Make it a program: chmod +x ${file}`)
    }
  })

  it('refuses to guess at objects that are not JSON', async () => {
    const { list } = standIn([], ['--trouble=console'])
    await expect(list.list({ limit: 5, signal: never })).rejects.toMatchObject({
      code: 'tasks_unavailable',
      message: expect.stringContaining('not JSON'),
    })
  })

  it('ends a program that lists without end, in lines or in none, and does not keep what it prints', async () => {
    for (const trouble of ['floods', 'floods-lines', 'floods-deaf']) {
      const { list } = standIn([], [`--trouble=${trouble}`], { list: 60_000, create: 60_000 })
      await expect(list.list({ limit: 5, signal: never })).rejects.toMatchObject({
        code: 'tasks_unavailable',
        message: expect.stringContaining('printed too much'),
      })
    }
  })

  it('ends one that prints without end while it adds a task, and calls the task unknown', async () => {
    const { list } = standIn([], ['--trouble=floods'], { list: 60_000, create: 60_000 })
    await expect(list.create('Walk', { signal: never })).rejects.toMatchObject({
      code: 'task_create_unknown',
      message: expect.stringContaining('printed too much'),
    })
  })

  it('gives the program nothing to read, so that one that waits for input goes on', async () => {
    const { list } = standIn([{ title: 'First' }], ['--trouble=reads'])
    expect(await list.list({ limit: 5, signal: never })).toEqual([{ title: 'First' }])
  })

  it.skipIf(process.platform === 'win32')('lets go at once of a program that is not wanted, and ends it with what it started', async () => {
    const { list, store } = standIn([], ['--trouble=grandchild'])
    const abort = new AbortController()
    const reason = new Error('stopped')
    const created = list.create('Walk', { signal: abort.signal })
    const pids = await until(
      () => readFileSync(`${store}.pids`, 'utf8').split(' ').filter(Boolean).map(Number),
      (found) => found.length === 2,
    )
    abort.abort(reason)
    await expect(created).rejects.toMatchObject({ code: 'task_create_unknown', cause: reason })
    await until(
      () => pids.filter(isAlive),
      (alive) => alive.length === 0,
    )
  })

  it('gives the command interpreter of Windows no character that it would change', async () => {
    const spawned: (readonly string[])[] = []
    const spawn = (_file: string, args: readonly string[]): never => {
      spawned.push(args)
      throw new Error('seen')
    }
    const system = {
      ...realSystem(),
      platform: 'win32',
      processes: () => ({ spawn }) as unknown as ReturnType<System['processes']>,
    } as const
    const list = marvinCommand({ argv: ['C:\\tools\\marvin.cmd'], system })
    await expect(list.create('Say "100 %" & go!', { signal: never })).rejects.toMatchObject({ code: 'task_create_failed' })
    expect(spawned).toEqual([['/d', '/s', '/c', '""C:\\tools\\marvin.cmd" "add" "task" "Say \'100 ％\' & go！""']])
  })

  it('keeps the settings of Keel from the program', async () => {
    const home = temporaryFolder()
    const env = { ...process.env, KEEL_TODOIST_TOKEN: 'ours', OTHER: 'theirs' }
    const show = 'console.log(JSON.stringify([process.env.KEEL_TODOIST_TOKEN ?? "unset", process.env.OTHER, process.cwd()]))'
    const list = marvinCommand({ argv: [process.execPath, '-e', show], system: { ...realSystem(), home, env } })
    const titles = (await list.list({ limit: 5, signal: never })).map(({ title }) => title)
    expect(titles.slice(0, 2)).toEqual(['unset', 'theirs'])
  })

  it('says which PATH it looked in, and where the program is named', async () => {
    const list = marvinCommand({ argv: ['marvin'], system: { ...realSystem(), env: { PATH: '/usr/empty' } } })
    await expect(list.create('Walk', { signal: never })).rejects.toMatchObject({
      code: 'task_create_failed',
      message: expect.stringContaining('no program marvin (PATH=/usr/empty)'),
      hint: expect.stringContaining('KEEL_MARVIN_CMD'),
    })
  })

  it('says so where the program that is named by its path is not there', async () => {
    const list = marvinCommand({ argv: ['/usr/empty/marvin'], system: realSystem() })
    await expect(list.create('Walk', { signal: never })).rejects.toMatchObject({ code: 'task_create_failed' })
    await expect(list.list({ limit: 5, signal: never })).rejects.toMatchObject({ code: 'tasks_unavailable' })
  })
})

async function failure(work: Promise<unknown>): Promise<MemuError> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (error instanceof MemuError) return error
  throw new Error('it did not fail as it should', { cause: error })
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and that nobody has asked about yet is still in the table.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    try {
      process.kill(pid, 0)
      return process.platform !== 'linux'
    } catch {
      return false
    }
  }
}

/** Looks again until it is so; the test's own limit ends it. */
async function until<Value>(look: () => Value, isSo: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    try {
      const value = look()
      if (isSo(value)) return value
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
