import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { taskwarrior } from '../../../src/keel/tasks/taskwarrior.ts'
import { findProgram } from '../../../src/util/find-program.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { FINISHED, taskListContract } from '../../contract/task-list.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const { signal } = new AbortController()

interface World {
  readonly system: System
  task(...args: string[]): string
  titles(): string[]
}

/** The real program over a folder of its own. */
function world(): World {
  const home = temporaryFolder()
  writeFileSync(join(home, '.taskrc'), `data.location=${join(home, 'data')}\n`)
  execFileSync(process.execPath, ['-e', 'fs.mkdirSync(process.argv[1])', join(home, 'data')])
  const { TASKRC: _, TASKDATA: __, XDG_CONFIG_HOME: ___, ...env } = process.env
  const system = { ...realSystem(), home, env: { ...env, HOME: home } }
  const task = (...args: string[]): string =>
    execFileSync('task', ['rc.confirmation=off', 'rc.verbose=nothing', ...args], {
      env: system.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  return {
    system,
    task,
    titles: () => (JSON.parse(task('rc.json.array=on', 'export')) as { description: string }[]).map((one) => one.description),
  }
}

/** A program called `task` that does as the script says. */
function standIn(script: string): System {
  const home = temporaryFolder()
  const file = join(home, 'task')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return { ...realSystem(), home, env: { ...process.env, PATH: `${home}${delimiter}${process.env.PATH}` } }
}

const real = findProgram('task', realSystem())
const isTaskwarrior = real !== undefined && /^\d+\.\d+/.test(version())

function version(): string {
  try {
    return execFileSync(real!, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '' // Another program of that name.
  }
}

describe.skipIf(!isTaskwarrior)('with the real Taskwarrior (skipped where it is not installed)', () => {
  taskListContract({
    name: 'Taskwarrior',
    async open(tasks) {
      const { system, task, titles } = world()
      for (const { title, due } of tasks) task('add', ...(due ? [`due:${due}`] : []), '--', title)
      task('log', '--', FINISHED)
      return { list: taskwarrior({ system }), titles: async () => titles() }
    },
    missing: async () => taskwarrior({ system: { ...realSystem(), env: { PATH: '/nowhere' } } }),
    kept: (title) => title.replaceAll('\\', '＼'),
    hanging: async () => taskwarrior({ system: standIn('sleep 600'), timeLimits: { list: 300, create: 300 } }),
  })

  it('gives the id of the new task', async () => {
    const { system, task } = world()
    const { id } = await taskwarrior({ system }).create('Walk', { signal })
    expect(task(id!, 'export')).toContain('"description":"Walk"')
  })

  it('lists what can be worked on, whatever context and settings the user has, with its days and its project', async () => {
    const { system, task } = world()
    task('add', 'due:2026-12-01', 'scheduled:2026-11-30', 'project:home.garden', '--', 'Water the plants')
    task('add', 'wait:9999-01-01', '--', 'Later')
    task('add', 'due:2026-12-02', 'recur:weekly', '--', 'Again and again')
    task('config', 'context.work.read', '+work')
    task('config', 'context.work.write', '+work')
    task('config', 'color', 'on')
    task('config', '_forcecolor', 'on')
    task('context', 'work')
    const list = taskwarrior({ system })
    await list.create('Walk', { signal })
    const tasks = await list.list({ limit: 9, signal })
    expect(tasks.map(({ title }) => title)).toEqual(expect.arrayContaining(['Water the plants', 'Walk']))
    expect(tasks.map(({ title }) => title)).not.toContain('Later')
    expect(tasks).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'Water the plants',
      due: '2026-12-01',
      scheduled: '2026-11-30',
      project: 'home.garden',
    })
    expect(task('rc.context=', 'description:Walk', 'export')).not.toContain('"tags"')
  })

  it('leaves the numbers as they are that the user has on the screen', async () => {
    const { system, task } = world()
    for (const title of ['One', 'Two', 'Three']) task('add', '--', title)
    task('rc.gc=on', 'list')
    task('1', 'done')
    await taskwarrior({ system }).list({ limit: 9, signal })
    expect(task('rc.gc=off', '3', 'export')).toContain('"description":"Three"')
  })
})

describe.skipIf(process.platform === 'win32')('with a program that is not as it was', () => {
  it('reads a list that comes as one array, too', async () => {
    const array =
      '[\n{"id":1,"description":"One","status":"pending","uuid":"u1","urgency":2},\n{"id":2,"description":"Two \\/ 2","due":"20261201T120000Z","status":"pending","uuid":"u2"}\n]'
    const system = standIn(`cat <<'END'\n${array}\nEND`)
    expect(await taskwarrior({ system }).list({ limit: 9, signal })).toEqual([
      { id: 'u2', title: 'Two / 2', due: '2026-12-01' },
      { id: 'u1', title: 'One' },
    ])
  })

  it('says what another program of the name says', async () => {
    const list = taskwarrior({ system: standIn('echo "task: No Taskfile found" >&2; exit 100') })
    await expect(list.list({ limit: 9, signal })).rejects.toMatchObject({
      message: 'Taskwarrior did not give its tasks: task ended with code 100: task: No Taskfile found.',
    })
    await expect(list.create('Walk', { signal })).rejects.toMatchObject({ code: 'task_create_failed' })
  })
})
