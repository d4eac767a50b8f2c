import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtinExecutor } from '../../../src/bridging/executors/builtin.ts'
import { type MemoryText, parseMemoryText } from '../../../src/markdown/front-matter.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { type PreparedRun, type PreparedSession, preparedRun, type ToolRun } from './slice-file.ts'

async function learn(sessions: readonly PreparedSession[], base?: string): Promise<PreparedRun> {
  const run = preparedRun(sessions, base)
  const result = await builtinExecutor().run(run)
  expect(result.failed).toEqual([])
  return run
}

function memory(run: PreparedRun, name: string): string[] {
  const path = join(run.layout.tracks.memory, `${name}.md`)
  if (!existsSync(path)) return []
  return parsed(readFileSync(path, 'utf8'))
    .content.split('\n')
    .filter((line) => line.startsWith('- '))
}

function parsed(text = ''): MemoryText {
  const read = parseMemoryText(text)
  if (!read.ok) throw new Error(read.reason)
  return read.file
}

describe('the memory job by rule', () => {
  it('files preferences, decisions, facts and the user apart, each line dated and by itself', async () => {
    const run = await learn([
      {
        date: '2026-03-04',
        says: [
          'Hi! My name is Reviewer. Please always run the linter before you commit.',
          { role: 'assistant', text: 'I decided to use tabs. Our staging URL is https://wrong.example.com.' },
          "Let's go with Postgres for the ledger. The API runs on port 8081. Can you start it?",
        ],
      },
    ])
    expect(memory(run, 'preferences')).toEqual(['- Always run the linter before you commit. (2026-03-04)'])
    expect(memory(run, 'about-the-user')).toEqual(["- The user's name is Reviewer. (2026-03-04)"])
    expect(memory(run, 'shop-decisions')).toEqual(["- shop: Let's go with Postgres for the ledger. (2026-03-04)"])
    expect(memory(run, 'shop-facts')).toEqual(['- shop: The API runs on port 8081. (2026-03-04)'])
    expect([...run.finished]).toEqual([1, 2, 3])
  })

  it('tells of each line from which session it comes', async () => {
    const run = preparedRun([{ date: '2026-03-04', says: ['Never push to main.'] }])
    expect((await builtinExecutor().run(run)).learned).toEqual([
      {
        track: 'memory',
        file: 'preferences',
        text: 'Never push to main.',
        session: 'session-1',
        at: '2026-03-04T09:00:00.000Z',
        project: '/home/u/shop',
      },
    ])
  })

  it('puts a newer statement in the place of the one that it contradicts, and says what was before', async () => {
    const run = await learn([
      { date: '2026-03-04', says: ['Please use npm, not yarn.', 'The API runs on port 8081.'] },
      { date: '2026-03-12', says: ['From now on use pnpm instead of npm.', 'Actually, the API runs on port 9000 now.'] },
    ])
    expect(memory(run, 'preferences')).toEqual(['- From now on use pnpm instead of npm. (2026-03-12; before: Use npm, not yarn)'])
    expect(memory(run, 'shop-facts')).toEqual(['- shop: The API runs on port 9000 now. (2026-03-12; before: The API runs on port 8081)'])
  })

  it('lets an older session change nothing that a newer one said', async () => {
    const run = await learn([{ date: '2026-03-12', says: ['From now on use pnpm instead of npm.'] }])
    const again = await learn([{ date: '2026-03-04', says: ['We use npm.', 'Never push to main.'] }], run.layout.base)
    expect(memory(again, 'preferences')).toEqual([
      '- From now on use pnpm instead of npm. (2026-03-12)',
      '- Never push to main. (2026-03-04)',
    ])
    expect(memory(again, 'shop-facts')).toEqual([])
  })

  it('takes back what was said before, in whatever order the files are', async () => {
    const run = await learn([
      { date: '2026-03-12', says: ['forget what I said about pushing to main', 'Always squash.'] },
      { date: '2026-03-04', says: ['Never push to main.', 'Never log e-mail addresses.'] },
    ])
    expect(memory(run, 'preferences')).toEqual(['- Never log e-mail addresses. (2026-03-04)'])
  })

  it('removes a file of which every line was taken back', async () => {
    const first = await learn([{ date: '2026-03-04', says: ['Use tabs in this repo please.'] }])
    const second = await learn([{ date: '2026-03-05', says: ['actually scratch the tabs thing'] }], first.layout.base)
    expect(readdirSync(second.layout.tracks.memory)).toEqual([])
  })

  it('keeps two facts of one sentence apart, so that each can change alone', async () => {
    const run = await learn([{ date: '2026-03-04', says: ['The watchdog timeout is 8 s and the sensor wakes up every 15 minutes.'] }])
    expect(memory(run, 'shop-facts')).toEqual([
      '- shop: The watchdog timeout is 8 s. (2026-03-04)',
      '- shop: The sensor wakes up every 15 minutes. (2026-03-04)',
    ])
  })

  it('adds nothing when the same session is read again', async () => {
    const sessions = [{ date: '2026-03-04', says: ['Never push to main.', 'We decided to drop Node 18.'] }]
    const first = await learn(sessions)
    const before = readdirSync(first.layout.tracks.memory).map((name) => readFileSync(join(first.layout.tracks.memory, name), 'utf8'))
    const second = await learn(sessions, first.layout.base)
    expect(readdirSync(second.layout.tracks.memory).map((name) => readFileSync(join(second.layout.tracks.memory, name), 'utf8'))).toEqual(
      before,
    )
  })

  it('leaves every line of others as it stands, above and below its own, and repeats none of them', async () => {
    const base = join(temporaryFolder(), 'tree')
    const path = join(base, 'memory', 'preferences.md')
    mkdirSync(join(base, 'memory'), { recursive: true })
    const others = [
      '---\nname: preferences\ndescription: by a model\nowner: me\n---\n\n# Preferences\n\n- Never push to main.\n',
      '## Noted by the built-in rules\n\n- use npm, please (a person wrote this)\n- Use npm, not yarn. (2026-03-01)\n',
      '## Later\n\n- Something else.\n',
    ]
    writeFileSync(path, others.join('\n'))
    await learn([{ date: '2026-03-12', says: ['Never push to main.', 'Use pnpm, not npm.'] }], base)
    expect(readFileSync(path, 'utf8')).toBe(
      [
        others[0],
        '## Noted by the built-in rules\n\n- use npm, please (a person wrote this)\n- Use pnpm, not npm. (2026-03-12; before: Use npm, not yarn)\n',
        others[2],
      ].join('\n'),
    )
  })

  it('leaves a file with broken front matter untouched, and its job for the next run', async () => {
    const base = join(temporaryFolder(), 'tree')
    mkdirSync(join(base, 'memory'), { recursive: true })
    writeFileSync(join(base, 'memory', 'preferences.md'), '---\nname: preferences\nnever closed\n- a line\n')
    const run = preparedRun([{ says: ['Never push to main.'] }], base)
    const { failed, finished } = await builtinExecutor().run(run)
    expect(failed).toMatchObject([{ job: 1, reason: expect.stringContaining('preferences.md') }])
    expect(finished).toEqual([2, 3])
    expect(readFileSync(join(base, 'memory', 'preferences.md'), 'utf8')).toContain('never closed')
  })

  it('keeps statements without a time as undated, and lets dated ones replace them', async () => {
    const run = await learn([{ says: ['Use npm, not yarn.'] }, { date: '2026-03-12', says: ['Use pnpm, not npm.'] }])
    expect(memory(run, 'preferences')).toEqual(['- Use pnpm, not npm. (2026-03-12; before: Use npm, not yarn)'])
  })

  it('keeps projects of different names apart, whatever their names hold', async () => {
    const run = await learn([
      { project: '/home/u/Größe & Co', date: '2026-03-04', says: ['The API runs on port 1111.'] },
      { project: 'C:\\work\\shop', date: '2026-03-05', says: ['The API runs on port 2222.'] },
    ])
    expect(memory(run, 'größe-co-facts').concat(memory(run, 'shop-facts'))).toContain('- shop: The API runs on port 2222. (2026-03-05)')
    expect(readdirSync(run.layout.tracks.memory)).toHaveLength(2)
  })
})

const failing = (call: string, result: string): ToolRun => ({ call, result: `Exit code 1\n${result}`, failed: true })
const working = (call: string, result = 'ok'): ToolRun => ({ call, result })

describe('the skill job by rule', () => {
  async function skills(...says: PreparedSession['says']): Promise<string[]> {
    const run = await learn([{ date: '2026-03-04', says }])
    return readdirSync(run.layout.tracks.skill).map((name) => readFileSync(join(run.layout.tracks.skill, name), 'utf8'))
  }

  it('keeps what was run between a failure and the success of the same command', async () => {
    const [skill, ...more] = await skills(
      failing('npm test', 'Error: connect ECONNREFUSED 127.0.0.1:5432'),
      working('docker ps'),
      working('cd /home/u/shop && docker compose up -d db'),
      working('npm test 2>&1 | tail -5', '42 passed'),
    )
    expect(more).toEqual([])
    expect(skill).toContain('name: fix-npm-test-econnrefused')
    expect(parsed(skill).description).toBe(
      'When `npm test` in shop fails with "Error: connect ECONNREFUSED 127.0.0.1:5432": run `docker compose up -d db` first, then `npm test`.',
    )
    expect(skill).toContain('1. `docker compose up -d db`\n2. `npm test`')
    expect(skill).toContain('## Noted by the built-in rules')
  })

  it('keeps the variant of a command that worked', async () => {
    const [skill] = await skills(failing('pytest tests', 'ModuleNotFoundError: No module named app'), working('python -m pytest tests'))
    expect(skill).toContain('run `python -m pytest tests` instead')
  })

  it.each([
    [
      'a package was missing',
      'cargo test',
      "error: can't find crate for openssl_sys",
      'sudo apt-get install -y libssl-dev',
      'cargo test --workspace',
      'first, then `cargo test --workspace`',
    ],
    [
      'an option was',
      'psql -h db.example -U reader',
      'psql: error: Connection refused',
      'ls',
      "psql -h db.example -p 5433 -U reader -c 'select 1'",
      'run `psql -h db.example -p 5433',
    ],
  ])('keeps what made a command work where %s, although the next try differs', async (_what, failed, error, step, worked, remedy) => {
    const [skill] = await skills(failing(failed, error), working(step), working(worked))
    expect(skill).toContain(remedy)
  })

  it.each([
    [
      'files were edited in between',
      [
        failing('npm test', 'TypeError: x is undefined'),
        { tool: 'Edit', call: '{"file_path":"/a.ts"}', result: 'ok' },
        working('npm run gen'),
        working('npm test'),
      ],
    ],
    ['it worked by itself the second time', [failing('npm test', 'Error: timeout of 5000 ms'), working('npm test')]],
    ['the step destroys data', [failing('make up', 'Error: volume is locked'), working('docker volume rm shop_db'), working('make up')]],
    [
      'a step holds a secret',
      [
        failing('npm publish', 'Error: you must be logged in, unauthorized'),
        working('npm set token=abcd1234efgh5678'),
        working('npm publish'),
      ],
    ],
    ['nothing says what went wrong', [failing('npm test', 'hm'), working('npm run gen'), working('npm test')]],
    ['the commands have nothing in common', [failing('npm test', 'Error: no such table'), working('git push')]],
  ] as const)('keeps nothing where %s', async (_why, says) => {
    expect(await skills(...says)).toEqual([])
  })

  it('leaves a skill that somebody else wrote as it is', async () => {
    const base = join(temporaryFolder(), 'tree')
    const path = join(base, 'skill', 'fix-npm-test-econnrefused.md')
    mkdirSync(join(base, 'skill'), { recursive: true })
    writeFileSync(path, 'mine')
    await learn([{ says: [failing('npm test', 'ECONNREFUSED, cannot connect'), working('make db'), working('npm test')] }], base)
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })
})

describe('the resource job by rule', () => {
  it('describes the documents that the agent wrote, and leaves out code, ordinary files and what it cannot read', async () => {
    const project = temporaryFolder()
    const docs = join(project, 'reports')
    mkdirSync(docs)
    const write = (name: string, content: string): ToolRun => {
      writeFileSync(join(docs, name), content)
      return { tool: 'Write', call: JSON.stringify({ file_path: join(docs, name), content }), result: 'ok' }
    }
    const run = preparedRun([
      {
        project,
        says: [
          write('capacity.md', '# Capacity plan for checkout\n\nLoad doubles.'),
          write('prices.csv', 'sku,price,currency\n1,2,EUR\n'),
          write('main.ts', 'export {}'),
          write('README.md', '# Readme'),
        ],
      },
    ])
    expect((await builtinExecutor().run(run)).failed).toEqual([])
    expect(readFileSync(run.layout.resourceLog, 'utf8')).toBe(`${join(docs, 'capacity.md')}\n${join(docs, 'prices.csv')}\n`)
    const resources = readFileSync(run.layout.resources, 'utf8')
    expect(resources).toContain('description: Capacity plan for checkout (document capacity.md')
    expect(resources).toContain('description: Table with the columns sku, price, currency')
    expect(resources).not.toContain('main.ts')
  })
})
