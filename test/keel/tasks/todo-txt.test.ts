import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { todoTxt } from '../../../src/keel/tasks/todo-txt.ts'
import { parseTodoTxt } from '../../../src/keel/tasks/todo-txt-line.ts'
import { findProgram } from '../../../src/util/find-program.ts'
import { realSystem } from '../../../src/util/system.ts'
import { FINISHED, taskListContract } from '../../contract/task-list.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { unprivileged } from '../../helpers/unprivileged.ts'

const { signal } = new AbortController()
const system = { now: () => new Date(2026, 10, 30, 12) }
const lines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean)

function fileWith(content?: string | Buffer): string {
  const path = join(temporaryFolder(), 'todo.txt')
  if (content !== undefined) writeFileSync(path, content)
  return path
}

taskListContract({
  name: 'todo.txt',
  async open(tasks) {
    const path = fileWith(`x 2026-11-01 ${FINISHED}\n${tasks.map(({ title, due }) => `${title}${due ? ` due:${due}` : ''}\n`).join('')}`)
    return {
      list: todoTxt({ path, system }),
      titles: async () => lines(path).map((line) => line.replace(/^(?:x )?\d{4}-\d{2}-\d{2} /, '')),
    }
  },
  missing: async () => todoTxt({ path: join(temporaryFolder(), 'no-folder', 'todo.txt'), system }),
  kept: (title) => title.replace('due:2026-01-02 project:home rec:1d', 'due: 2026-01-02 project:home rec: 1d'),
})

describe('a todo.txt file', () => {
  it('is read with its priorities, days, projects and contexts', async () => {
    const text = [
      'Call the bank',
      'x 2026-01-02 (A) finished',
      'X is not finished',
      '(B) 2026-01-01 Fix the bike +home @garage due:2026-12-24',
      '(A) Write to Ann rec:1w t:2026-11-30',
      'Not before December t:2026-12-01',
      'hidden name +home h:1',
      'A line\u2028of two\u2029or three',
      '',
      'due:2026-13-45 has no such day',
      '2026-01-01',
    ].join('\r\n')
    expect(await parseTodoTxt(text, '2026-11-30')).toEqual([
      { title: 'Write to Ann', scheduled: '2026-11-30' },
      { title: 'Fix the bike +home @garage', due: '2026-12-24', project: 'home' },
      { title: 'Call the bank' },
      { title: 'X is not finished' },
      { title: 'A line of two or three' },
      { title: 'has no such day' },
    ])
  })

  it('is read whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('\r', '\n', '\u2028', '\u0085', 'x', ' ', '(A)', 'due:', '2026-12-01'),
            fc.string({ unit: 'binary', maxLength: 1 }),
          ),
        }),
        async (text) => {
          for (const { title } of await parseTodoTxt(text, '2026-11-30')) expect(title).toMatch(/^[^\n\r\u0000-\u001f]+$/)
        },
      ),
    )
  })

  it('gives back every title that was added to it', async () => {
    const folder = temporaryFolder()
    let count = 0
    const title = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => /^[\p{L}\p{N}].*[\p{L}\p{N}]$/u.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(title, { minLength: 1, maxLength: 5 }), async (titles) => {
        const path = join(folder, `${++count}.txt`)
        const list = todoTxt({ path, system })
        for (const one of titles) await list.create(one, { signal })
        const found = new Set((await list.list({ limit: 20, signal })).map((task) => task.title))
        const plain = titles.map((one) => one.replace(/\s+/g, ' ')).filter((one) => !/(?:^|\s)(?:due|t|rec|pri|h):\S/.test(one))
        for (const one of plain) expect(found).toContain(one)
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['an empty file', '', '2026-11-30 Walk\n'],
    ['a file without a last line end', 'One', 'One\n2026-11-30 Walk\n'],
    ['a file of Windows', 'One\r\nTwo\r\n', 'One\r\nTwo\r\n2026-11-30 Walk\r\n'],
    ['a file of Windows without a last line end', 'One\r\nTwo', 'One\r\nTwo\r\n2026-11-30 Walk\r\n'],
    ['a file with a byte order mark', '\ufeffOne\n', '\ufeffOne\n2026-11-30 Walk\n'],
    ['a file that ends with empty lines', 'One\n\n', 'One\n\n2026-11-30 Walk\n'],
  ])('gets the new task as a line of its own: %s', async (_what, before, after) => {
    const path = fileWith(before)
    await todoTxt({ path, system }).create('Walk', { signal })
    expect(readFileSync(path, 'utf8')).toBe(after)
  })

  it('is made by the first task, for its user alone, and is empty until then', async () => {
    const path = fileWith()
    const list = todoTxt({ path, system })
    expect(await list.list({ limit: 5, signal })).toEqual([])
    await list.create('Walk', { signal })
    expect(readFileSync(path, 'utf8')).toBe('2026-11-30 Walk\n')
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('loses nothing of what many write to it at once, and keeps bytes that are no text', async () => {
    const path = fileWith(Buffer.from([0x41, 0xff, 0xfe, 0x0a]))
    const lists = [todoTxt({ path, system }), todoTxt({ path, system }), todoTxt({ path, system })]
    await Promise.all(Array.from({ length: 60 }, (_, index) => lists[index % 3]!.create(`Walk number ${index}`, { signal })))
    expect(readFileSync(path).subarray(0, 4)).toEqual(Buffer.from([0x41, 0xff, 0xfe, 0x0a]))
    expect(new Set(lines(path).slice(1))).toEqual(new Set(Array.from({ length: 60 }, (_, index) => `2026-11-30 Walk number ${index}`)))
  })

  it('stays what it is behind a symbolic link', async () => {
    const target = fileWith('One\n')
    const path = join(temporaryFolder(), 'link.txt')
    symlinkSync(target, path)
    await todoTxt({ path, system }).create('Walk', { signal })
    expect(lines(target)).toEqual(['One', '2026-11-30 Walk'])
  })

  it('takes what looks like a field in a new title for text: nothing hides it, and nothing is due for it', async () => {
    const path = fileWith()
    const list = todoTxt({ path, system })
    await list.create('Ask at 10:30 H:1 due:2026-12-01 rec:1w t:2027-01-01 http://x', { signal })
    expect(await list.list({ limit: 5, signal })).toEqual([{ title: 'Ask at 10:30 H: 1 due: 2026-12-01 rec: 1w t: 2027-01-01 http://x' }])
  })

  it.skipIf(process.platform === 'win32').each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe that nobody reads', (path: string) => execFileSync('mkfifo', [path])],
    ['UTF-16', (path: string) => writeFileSync(path, Buffer.from('\ufeffOne\n', 'utf16le'))],
    ['UTF-16 without its mark', (path: string) => writeFileSync(path, Buffer.from('One and two\n', 'utf16le'))],
  ])('is refused where it is %s', async (_what, make) => {
    const path = fileWith()
    make(path)
    const list = todoTxt({ path, system })
    await expect(list.list({ limit: 5, signal })).rejects.toMatchObject({ code: 'tasks_unavailable' })
    await expect(list.create('Walk', { signal })).rejects.toMatchObject({ code: 'task_create_failed' })
  })

  it.skipIf(process.platform === 'win32')('says why where it may not be written', async () => {
    const path = fileWith('One\n')
    chmodSync(path, 0o444)
    await unprivileged(join(path, '..'), async () => {
      const list = todoTxt({ path, system })
      expect(await list.list({ limit: 5, signal })).toEqual([{ title: 'One' }])
      await expect(list.create('Walk', { signal })).rejects.toMatchObject({
        code: 'task_create_failed',
        message: expect.stringMatching(/^The task was not added to todo\.txt: .*may not \(EACCES\)\.$/),
      })
    })
    expect(lines(path)).toEqual(['One'])
  })
})

const todoSh = findProgram('todo-txt', realSystem()) ?? findProgram('todo.sh', realSystem())

describe.skipIf(todoSh === undefined)('beside the real todo.txt program (skipped where it is not installed)', () => {
  it('reads what that adds, and adds what that reads', async () => {
    const home = temporaryFolder()
    const config = join(home, 'config')
    writeFileSync(
      config,
      `export TODO_DIR='${home}'\nexport TODO_FILE="$TODO_DIR/todo.txt"\nexport DONE_FILE="$TODO_DIR/done.txt"\nexport REPORT_FILE="$TODO_DIR/report.txt"\n`,
    )
    const todo = (...args: string[]): string =>
      execFileSync(todoSh!, ['-p', '-d', config, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home } })
    const list = todoTxt({ path: join(home, 'todo.txt'), system })
    await list.create('x (A) Look out of the "window" $(id) 🪟', { signal })
    todo('add', '(B) Water the plants +home due:2026-12-01')
    expect(todo('ls')).toContain('2026-11-30 x (A) Look out of the "window" $(id) 🪟')
    expect(await list.list({ limit: 5, signal })).toEqual([
      { title: 'Water the plants +home', due: '2026-12-01', project: 'home' },
      { title: 'x (A) Look out of the "window" $(id) 🪟' },
    ])
    todo('-a', 'do', '2')
    expect(await list.list({ limit: 5, signal })).toHaveLength(1)
  })
})
