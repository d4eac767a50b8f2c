import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingRow } from '../../../src/keel/settings/settings.ts'
import { openTasks, type TaskSettings } from '../../../src/keel/tasks/open.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const { signal } = new AbortController()

interface Machine {
  readonly system: System
  readonly home: string
  install(program: string): void
}

/** A machine with nothing on it. */
function machine(env: Record<string, string> = {}): Machine {
  const home = temporaryFolder()
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const processes = (): never => {
    throw new Error('nothing is run to choose a tool')
  }
  const system = { ...realSystem(), home, env: { PATH: bin, ...env }, processes, fetch: processes }
  const install = (program: string): void => {
    const file = join(bin, process.platform === 'win32' ? `${program}.exe` : program)
    writeFileSync(file, '')
    chmodSync(file, 0o755)
  }
  return { system, home, install }
}

const nameOf = async (settings: TaskSettings, system: System): Promise<string> => (await openTasks(settings, system)).name

describe('the task tool that is opened', () => {
  it('is none on a machine that has none', async () => {
    expect(await nameOf({}, machine().system)).toBe('none')
    expect(await nameOf({ tasks: '', marvin_cmd: '', todo_txt: '', todoist_token: '' }, machine().system)).toBe('none')
  })

  it('is the first that is configured, whatever is found', async () => {
    const { system, install } = machine()
    install('marvin')
    expect(await nameOf({ todoist_token: 'x' }, system)).toBe('Todoist')
    expect(await nameOf({ todoist_token: 'x', todo_txt: '~/t.txt' }, system)).toBe('todo.txt')
    expect(await nameOf({ todoist_token: 'x', todo_txt: '~/t.txt', marvin_token: 'y' }, system)).toBe('Marvin')
    expect(await nameOf({ tasks: 'auto', todoist_token: 'x', marvin_cmd: 'wrapper' }, system)).toBe('wrapper')
  })

  it('is the first that is found where nothing is configured', async () => {
    const { system, home, install } = machine()
    writeFileSync(join(home, 'todo.txt'), '')
    expect(await nameOf({}, system)).toBe('todo.txt')
    install('task')
    // It may be another program of that name.
    expect(await nameOf({}, system)).toBe('todo.txt')
    writeFileSync(join(home, '.taskrc'), '')
    expect(await nameOf({}, system)).toBe('Taskwarrior')
    install('marvin')
    expect(await nameOf({}, system)).toBe('Marvin')
  })

  it('finds Taskwarrior by its settings wherever those are', async () => {
    const { system, home, install } = machine()
    install('task')
    mkdirSync(join(home, '.config/task'), { recursive: true })
    writeFileSync(join(home, '.config/task/taskrc'), '')
    expect(await nameOf({}, system)).toBe('Taskwarrior')
    const elsewhere = join(home, 'rc')
    writeFileSync(elsewhere, '')
    expect(await nameOf({}, { ...system, env: { ...system.env, XDG_CONFIG_HOME: '/nowhere', TASKRC: elsewhere } })).toBe('Taskwarrior')
  })

  it('is the one that is named, although another is there', async () => {
    const { system, install } = machine()
    install('marvin')
    expect(await nameOf({ tasks: 'none', marvin_cmd: 'x', todoist_token: 'y' }, system)).toBe('none')
    expect(await nameOf({ tasks: 'taskwarrior' }, system)).toBe('Taskwarrior')
    for (const tasks of ['todo-txt', 'todo.txt', 'TODO.txt']) expect(await nameOf({ tasks }, system)).toBe('todo.txt')
    expect(await nameOf({ tasks: 'marvin' }, machine().system)).toBe('Marvin')
  })

  it('has its file below the home, or where TODO_FILE and TODO_DIR say', async () => {
    const { system, home } = machine()
    mkdirSync(join(home, 'notes'))
    for (const [settings, env, file] of [
      [{ todo_txt: '~/notes/a.txt' }, {}, 'notes/a.txt'],
      [{ todo_txt: 'notes/b.txt' }, {}, 'notes/b.txt'],
      [{ tasks: 'todo-txt' }, { TODO_DIR: join(home, 'notes') }, 'notes/todo.txt'],
      [{ tasks: 'todo-txt' }, { TODO_FILE: join(home, 'notes/c.txt') }, 'notes/c.txt'],
      [{ tasks: 'todo-txt' }, {}, 'todo.txt'],
    ] as const) {
      await (await openTasks(settings, { ...system, env: { ...system.env, ...env } })).create('Walk', { signal })
      expect(readFileSync(join(home, file), 'utf8')).toMatch(/^\d{4}-\d{2}-\d{2} Walk\n$/)
    }
  })

  it('has its file in a home of whatever name', async () => {
    const { system, home } = machine()
    const odd = join(home, 'a$&b')
    mkdirSync(odd)
    await (await openTasks({ todo_txt: '~/t.txt' }, { ...system, home: odd })).create('Walk', { signal })
    expect(readFileSync(join(odd, 't.txt'), 'utf8')).toMatch(/Walk\n$/)
  })

  it.each<[string, TaskSettings]>([
    ['an unknown name', { tasks: 'jira' }],
    ['Todoist without a token', { tasks: 'todoist' }],
    ['a command with an open quote', { marvin_cmd: 'marvin "x' }],
    ['a command that names no program', { tasks: 'marvin', marvin_cmd: '  ' }],
    ['an empty program', { marvin_cmd: "'' x" }],
  ])('is refused with what to do: %s', async (_what, settings) => {
    await expect(openTasks(settings, machine().system)).rejects.toMatchObject({
      code: 'invalid_setting',
      exit: 2,
      hint: expect.any(String),
    })
  })

  it('has a choice for each adapter', async () => {
    for (const tasks of settingRow('tasks')!.choices!) expect(await nameOf({ tasks, todoist_token: 'x' }, machine().system)).not.toBe('')
  })
})
