import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runDemo } from '../../src/demo/run.ts'
import { claudeCodeLog } from '../../src/demo/sessions/claude-code-log.ts'
import { codexLog } from '../../src/demo/sessions/codex-log.ts'
import type { Conversation } from '../../src/demo/sessions/conversation.ts'
import { conversations } from '../../src/demo/sessions/shop.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { answer as geminiAnswer, header as geminiHeader, user as geminiUser } from '../hosts-unit/gemini-log.ts'
import { opencodeLog } from '../hosts-unit/opencode-log.ts'
import { piLog } from '../hosts-unit/pi-log.ts'

const now = new Date('2026-05-20T12:00:00.000Z')

function systemIn(home: string): System {
  return {
    ...realSystem(),
    env: { MEMU_DB: join(home, 'real.db'), CLAUDE_CONFIG_DIR: join(home, 'real-claude') },
    home,
    cwd: home,
    now: () => now,
  }
}

async function demo(options: { sessions?: string; keep?: boolean; width?: number } = {}, home = temporaryFolder()): Promise<string> {
  let text = ''
  await runDemo({ ...options, out: (part) => (text += part) }, systemIn(home))
  expect(readdirSync(home)).toEqual([])
  return text
}

/** What stands below question `number`. */
function answer(text: string, number: number): string {
  const asked = text.slice(text.indexOf('\nAsked'))
  return asked.slice(asked.indexOf(`\n  ${number} `), asked.indexOf(`\n  ${number + 1} `) >>> 0)
}

function expectOneScreen(text: string, width: number): void {
  const lines = text.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(46)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
}

function unwrapped(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function scratchFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('memu-demo-'))
}

describe('the demo', () => {
  it('fits on a screen, answers its five questions from the right sessions, and leaves nothing behind', async () => {
    const before = scratchFolders()
    const text = await demo()
    expectOneScreen(text, 100)
    expect(text).toMatch(/^memU demo {2}27 days of work/)
    expect(text).toMatch(/Claude Code {2}4 sessions, 2026-04-23 to 2026-05-19/)
    expect(text).not.toContain('\u001b')
    expect(answer(text, 1)).toMatch(
      /From now on use pnpm instead of npm\. \(2026-05-12; before: We use npm for everything in shop\)[\s\S]*Claude Code/,
    )
    expect(answer(text, 2)).toMatch(/staging URL is https:\/\/staging\.shop\.example\.com[\s\S]*Codex 2026-04-28/)
    expect(answer(text, 3)).toMatch(/ERR_LEDGER_17 means that the accounting period is closed[\s\S]*Claude Code 2026-05-02/)
    expect(answer(text, 4)).toMatch(/prefers short answers/)
    expect(answer(text, 5)).toMatch(/docker\s+compose up -d db/)
    expect(scratchFolders()).toEqual(before)
  })

  it.each([60, 72, 84])('fits into a terminal of %i columns too, and cuts no sentence in its middle', async (width) => {
    const text = await demo({ width })
    expectOneScreen(text, width)
    expect(unwrapped(text)).toContain('such refunds go into the next period.')
    expect(unwrapped(text)).toContain('run `docker compose up -d db` first, then `npm test`.')
    expect(text).not.toContain('…t')
  })

  it('learns nothing of what agents guessed, of quotes, questions and hypotheses, and no secret', async () => {
    const text = await demo()
    for (const wrong of ['AKIA', 'Kafka', 'both stores', 'decimal.js', 'default exports for new', 'nine minutes', 'port 8081. '])
      expect(text).not.toContain(wrong)
  })
})

it('takes a relative path from where it was typed, although npm runs scripts in the package', () => {
  const [root, typedIn] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'dist', 'bin'), { recursive: true })
  cpSync('scripts/demo.mjs', join(root, 'scripts', 'demo.mjs'))
  writeFileSync(join(root, 'dist', 'bin', 'memu.cjs'), 'console.log(require("node:path").resolve(process.argv.at(-1)))')
  const run = spawnSync(process.execPath, [join(root, 'scripts', 'demo.mjs'), '--sessions', 'logs'], {
    cwd: root,
    env: { ...process.env, INIT_CWD: typedIn },
    encoding: 'utf8',
  })
  expect(run.stdout.trim()).toBe(join(realpathSync(typedIn), 'logs'))
})

describe('the demo with sessions of one’s own', () => {
  const own: readonly Conversation[] = [
    {
      host: 'claude-code',
      project: 'code/weather-app',
      title: 'Icons',
      daysAgo: 6,
      turns: [
        { user: 'The map tiles come from https://tiles.example.org, and our cache bucket is called weather-tiles-prod.' },
        { agent: 'I recommend to always cache for a day.' },
        { user: "Let's go with six hours for the tile cache, the forecasts change that often." },
      ],
    },
    {
      host: 'codex',
      project: 'code/weather-app',
      title: 'Units',
      daysAgo: 3,
      turns: [{ user: 'Never show Fahrenheit to users in Europe.' }, { agent: 'Noted.' }],
    },
  ]
  const logs = own.map((conversation) => (conversation.host === 'codex' ? codexLog : claudeCodeLog)(conversation, '/home/somebody', now))

  function put(directory: string, path: string, text: string): void {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), text)
  }

  it.each([
    ['a home directory', (path: string) => path],
    ['loose files', (path: string) => path.split('/').at(-1)!],
    ['files of other names in folders', (path: string) => `some/where/${path.includes('rollout') ? 'b' : 'a'}.jsonl`],
  ])('takes %s, told by the shape of its records', async (_what, place) => {
    const directory = temporaryFolder()
    for (const log of logs) put(directory, place(log.path), log.text)
    put(directory, 'notes.jsonl', '{"some":"thing"}\n')
    const text = await demo({ sessions: directory })
    expect(text).toMatch(/Claude Code {2}1 session,.*2026-05-14/)
    expect(text).toMatch(/Codex {8}1 session,.*2026-05-17/)
    expect(text).toContain('Never show Fahrenheit to users in Europe.')
    expect(text).toContain('six hours for the tile cache')
    expect(text).not.toContain('cache for a day')
    expect(text).toContain('Files of another shape, passed over: 1.')
    expectOneScreen(text, 100)
    // Each question is one that a person would ask, and is answered by the memory that it is made of.
    expect(text).toMatch(/What does the user want about showing Fahrenheit to users\?[\s\S]*→ Never show Fahrenheit to users in Europe\./)
    // Where another line ranks first, the page says so.
    expect(unwrapped(text)).toMatch(
      /about the tile cache in weather-app and why\? .*(?:→ weather-app: Let's go|; the line asked for came second)/,
    )
    expect(text).toContain('MEMU_DB=DIRECTORY/.memu/memory.db memu retrieve --format text "your question"')
  })

  it('gives the same memory whatever order the files are in', async () => {
    const directory = temporaryFolder()
    for (const conversation of conversations.toReversed()) {
      const log = (conversation.host === 'codex' ? codexLog : claudeCodeLog)(conversation, '/home/somebody', now)
      put(directory, log.path.split('/').at(-1)!, log.text)
    }
    const text = await demo({ sessions: directory })
    expect(text).toContain('From now on use pnpm instead of npm.')
    expect(text).not.toMatch(/^ {4}We use npm/m)
    expect(text).not.toMatch(/^ {4}shop: The API runs on port 8081\./m)
  })

  it.each([
    ['one question', 'Never merge without two approvals.', /^Asked {2}1 question, \d+ ms$/m],
    ['none', 'Whenever you touch the API, tell the team.', /^Asked {2}nothing$/m],
  ])('says how many it asked where it found %s', async (_what, said, asked) => {
    const directory = temporaryFolder()
    const log = codexLog({ ...own[1]!, turns: [{ user: said }] }, '/home/somebody', now)
    put(directory, log.path, log.text)
    const text = await demo({ sessions: directory, width: 72 })
    expect(text).toMatch(asked)
    expect(text).toContain('memu retrieve --format text "your question"')
  })

  it('never cuts the command that it advises, however narrow the page', async () => {
    const directory = temporaryFolder()
    const log = codexLog({ ...own[1]!, turns: [{ user: 'hm' }] }, '/home/somebody', now)
    put(directory, log.path, log.text)
    expect(await demo({ sessions: directory, width: 60 })).toContain('\n  memu-claude-code bridge --executor host\n')
  })

  const chat = (said: string): string =>
    [geminiHeader('session-2026-05-18T08-00-00000001'), geminiUser('u1', 1, said), geminiAnswer('a1', 2, 'Noted.')]
      .map((line) => `${line}\n`)
      .join('')
  const geminiPath = 'tmp/shop/chats/session-2026-05-18T08-00-00000001.jsonl'

  it('takes the log of another host too, read as its own program reads it, and advises that program', async () => {
    const directory = temporaryFolder()
    put(directory, geminiPath, chat('Never show Fahrenheit to users in Europe.'))
    const text = await demo({ sessions: join(directory, 'tmp') })
    expect(text).toMatch(/Gemini CLI {3}1 session, .*2 messages/)
    expect(text).not.toContain('Claude Code')
    expect(text).toContain('→ Never show Fahrenheit to users in Europe.')
    put(directory, geminiPath, chat('hm'))
    const nothing = await demo({ sessions: join(directory, 'tmp') })
    expect(nothing).toContain(`\n  memu-gemini bridge --session-dir ${join(directory, 'tmp')}\n`)
    expect(readdirSync(directory)).toEqual(['tmp'])
  })

  it.each([opencodeLog, piLog])('takes the log of $spec.title from its own folder, database or not', async ({ spec, open, id }) => {
    const home = temporaryFolder()
    const system = systemIn(home)
    const directory = spec.sessionDir(system)!
    const log = open(temporaryFolder())
    log.append(id(1), [
      { kind: 'user', number: 1, text: 'Never show Fahrenheit to users in Europe.' },
      { kind: 'assistant', number: 2, text: 'Noted.' },
    ])
    log.close()
    cpSync(log.sessionDir, directory, { recursive: true })
    let text = ''
    await runDemo({ sessions: directory, out: (part) => (text += part) }, system)
    expect(text).toMatch(new RegExp(`${spec.title} +1 session, .*2 messages`))
    expect(text).toContain('→ Never show Fahrenheit to users in Europe.')
  })

  it('takes the log of an agent that no program knows, by the shape of its records', async () => {
    const directory = temporaryFolder()
    const rows = [
      { role: 'user', content: 'Never show Fahrenheit to users in Europe.', timestamp: '2026-05-18T08:00:00.000Z' },
      { role: 'assistant', content: 'Noted.', timestamp: '2026-05-18T08:01:00.000Z' },
    ]
    put(directory, '.otter/sessions/one.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const text = await demo({ sessions: join(directory, '.otter', 'sessions') })
    expect(text).toMatch(/an agent of any kind +1 session, .*2 messages/)
    expect(text).toContain('→ Never show Fahrenheit to users in Europe.')
  })

  it('says whose the other files are where they lie among those that it takes, and which program reads them', async () => {
    const directory = temporaryFolder()
    for (const log of logs) put(directory, log.path, log.text)
    put(directory, `.gemini/${geminiPath}`, chat('Never show Kelvin.'))
    const text = await demo({ sessions: directory })
    expect(text).toMatch(/Claude Code {2}1 session,/)
    expect(unwrapped(text)).toContain('Files of Gemini CLI, not looked at here: 1. Its own program reads them:')
    expect(text).toContain('\n  memu-gemini bridge\n')
    expect(text).not.toContain('Kelvin')
  })

  it('leaves the originals as they are', async () => {
    const directory = temporaryFolder()
    for (const log of logs) put(directory, log.path, log.text)
    const copy = temporaryFolder()
    cpSync(directory, copy, { recursive: true })
    await demo({ sessions: directory })
    for (const log of logs) expect(readFileSync(join(directory, log.path))).toEqual(readFileSync(join(copy, log.path)))
    expect(existsSync(join(directory, '.memu'))).toBe(false)
  })

  it.each(['an empty directory', 'a missing one'])('says what it needs where it is given %s', async (what) => {
    const directory = what === 'a missing one' ? join(temporaryFolder(), 'nowhere') : temporaryFolder()
    await expect(demo({ sessions: directory })).rejects.toMatchObject({ code: 'no_sessions', exit: 2 })
  })
})
