import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { budget, LIMITS } from '../../src/detect/budget.ts'
import * as detect from '../../src/detect/detect.ts'
import { formatSurvey } from '../../src/detect/format.ts'
import { instructionOf } from '../../src/detect/instruction-files.ts'
import type { Verdict } from '../../src/detect/verdict.ts'
import { hostSpecs } from '../../src/hosts/registry.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { AGENTS, CHAT, CLAUDE, CODEX, OTHERS, systemOf, write } from './home.ts'

function home(files: Readonly<Record<string, string>> = { ...AGENTS, ...OTHERS }): string {
  const folder = temporaryFolder()
  write(folder, files)
  return folder
}

/** A machine under load must not end a survey that is not about time. */
const patient = () => budget(LIMITS, () => 0)
const survey = (system: System, begin = patient) => detect.survey(system, begin)
const probe = (directory: string, system: System) => detect.probe(directory, system, patient)

async function surveyed(folder: string, env = {}): Promise<Map<string, Verdict>> {
  const { agents } = await survey(systemOf(folder, env))
  return new Map(agents.map((agent) => [agent.name, agent]))
}

const works = ({ memorization, retrieval }: Verdict): [boolean, boolean] => [memorization.works, retrieval.works]

it('looks for the instructions of a host in the home where its variable begins with ~', () => {
  for (const { host } of hostSpecs) {
    const env = new Proxy<Record<string, string>>({}, { get: (_, name) => (String(name).startsWith('XDG_') ? undefined : '~/moved') })
    expect(instructionOf(host, { ...realSystem(), home: '/home/u', env }) ?? '', host).not.toContain('~')
  }
})

describe('a survey of a home', () => {
  it('gives each agent one verdict, and nobody else one', async () => {
    const agents = await surveyed(home())
    expect(Object.fromEntries([...agents].map(([name, verdict]) => [name, works(verdict)]))).toEqual({
      'claude-code': [true, true],
      codex: [true, true],
      opencode: [true, true],
      goose: [false, true],
      amp: [false, true],
      kimi: [true, false],
      cline: [true, false],
      roo: [true, true],
      factory: [true, true],
      continue: [true, false],
      windsurf: [false, true],
      aider: [false, false],
      newcomer: [true, false],
      quiet: [false, true],
      'claude-work': [true, false],
    })
  })

  it('sends hosts that have a program to it, and all others to memu-agent with a tree of their own', async () => {
    const agents = await surveyed(home())
    const next = (name: string): readonly string[] | undefined => agents.get(name)?.next
    expect(next('claude-code')).toEqual(['memu-claude-code bridge'])
    expect(next('codex')).toEqual(['memu-codex bridge'])
    expect(next('kimi')).toEqual(['memu-agent bridge --session-dir ~/.kimi/sessions --base-dir ~/.memu/hosts/kimi'])
    expect(next('newcomer')).toEqual(['memu-agent bridge --session-dir ~/.newcomer/logs --base-dir ~/.memu/hosts/newcomer'])
    expect(next('claude-work')).toEqual([
      'memu-claude-code bridge --session-dir ~/.claude-work/projects --base-dir ~/.memu/hosts/claude-work',
    ])
    expect(next('amp')).toEqual(['amp threads export', 'memu-agent detect <the folder of the exports>'])
    expect(next('quiet')).toEqual(['memu-agent retrieve "how do we deploy"'])
  })

  it('names a host’s program for another folder only where that finds the sessions in it', async () => {
    const rows = '{"role":"user","message":{"content":[{"type":"text","text":"why?"}]}}\n'
    const id = '6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1'
    const agents = await surveyed(home({ '.like/sessions/a.jsonl': rows, [`.old/projects/w/agent-transcripts/${id}/${id}.jsonl`]: rows }))
    expect([agents.get('like')?.program, agents.get('old')?.program]).toEqual(['memu-agent', 'memu-cursor'])
  })

  it('gives two folders of one name two trees', async () => {
    const agents = await surveyed(home({ '.same/sessions/a.jsonl': CHAT, '.config/same/sessions/a.jsonl': CHAT }))
    expect([...agents.values()].map(({ next }) => next[0]?.split(' ').at(-1))).toEqual(['~/.memu/hosts/same', '~/.memu/hosts/same-2'])
  })

  it('says why something does not work', async () => {
    const agents = await surveyed(home())
    const why = (name: string): string | undefined => agents.get(name)?.memorization.why
    expect(why('goose')).toContain('database (~/.local/share/goose/sessions/sessions.db)')
    expect(why('amp')).toContain('on its server')
    expect(why('windsurf')).toContain('binary (*.pb in ~/.codeium/windsurf/cascade)')
    expect(why('aider')).toContain('markdown in each project')
    expect(why('quiet')).toContain('no session log')
    expect(agents.get('codex')?.retrieval.why).toBe('instruction in ~/.codex/AGENTS.md, which would be made')
    expect(agents.get('claude-code')?.retrieval.why).toBe('instruction in ~/.claude/CLAUDE.md')
  })

  it('finds agents where the user moved them', async () => {
    const folder = home({ 'cfg/claude/projects/-w/6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1.jsonl': CLAUDE, 'dat/goose/sessions/s.jsonl': CHAT })
    const agents = await surveyed(folder, { CLAUDE_CONFIG_DIR: join(folder, 'cfg/claude'), XDG_DATA_HOME: join(folder, 'dat') })
    expect([...agents.keys()]).toEqual(['claude-code', 'goose'])
    expect(agents.get('goose')?.next).toEqual(['memu-agent bridge --session-dir ~/dat/goose/sessions --base-dir ~/.memu/hosts/goose'])
  })

  it('says that a host was installed and not used yet', async () => {
    const agents = await surveyed(home({ '.codex/config.toml': '' }))
    expect(agents.get('codex')).toMatchObject({
      memorization: { works: false, why: 'no sessions yet in ~/.codex/sessions: use Codex once' },
      next: ['memu-codex doctor'],
    })
  })

  it('finds nothing in an empty home', async () => {
    expect(await survey(systemOf(home({})))).toMatchObject({ agents: [], complete: true })
    expect(await survey(systemOf(home(OTHERS)))).toMatchObject({ agents: [], complete: true })
  })

  it('changes nothing, opens no keys and follows no links', async () => {
    const folder = home()
    const elsewhere = home({ 'sessions/a.jsonl': CHAT })
    fs.symlinkSync(elsewhere, join(folder, '.linked'))
    fs.symlinkSync(join(elsewhere, 'sessions'), join(folder, '.quiet', 'sessions'))
    write(folder, { '.keeper/sessions/auth.json': `[${CHAT.trim().replace('\n', ',')}]` })
    const before = fs.readdirSync(folder, { recursive: true }).sort()
    const agents = await surveyed(folder)
    expect(agents.has('linked')).toBe(false)
    expect(agents.has('keeper')).toBe(false)
    expect(agents.get('quiet')?.memorization.works).toBe(false)
    expect(fs.readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  })

  it.skipIf(process.platform === 'win32')('reads no known agent through a link, and says how it can be looked at', async () => {
    const elsewhere = home({ 'sessions/a.jsonl': CHAT })
    const folder = home({})
    fs.symlinkSync(elsewhere, join(folder, '.kimi'))
    const { memorization, next } = (await surveyed(folder)).get('kimi') as Verdict
    expect(memorization).toEqual({ works: false, why: 'the folder is a link, which a survey does not follow' })
    expect(next).toEqual(['memu-agent detect ~/.kimi'])
    const [found] = (await probe(join(folder, '.kimi'), systemOf(folder))).agents
    expect(found?.memorization.path).toBe(join(fs.realpathSync(elsewhere), 'sessions'))
  })

  it('ends within its bounds, and says that there was more', async () => {
    const folder = home({})
    for (let i = 0; i < 60; i++) write(folder, { [`.agent-${i}/sessions/a.jsonl`]: CHAT })
    const few = await survey(systemOf(folder), () => budget({ ...LIMITS, entries: 100 }, () => 0))
    expect(few.complete).toBe(false)
    expect(few.agents.length).toBeLessThan(60)
    expect(formatSurvey(few, folder, false)).toContain('There was more than a survey looks at')
    let now = 0
    const late = () => budget({ ...LIMITS, milliseconds: 10 }, () => now++)
    expect((await survey(systemOf(folder), late)).complete).toBe(false)
    expect((await survey(systemOf(folder))).agents).toHaveLength(60)
  })

  it('does not list a folder with a hundred thousand files whole', () => {
    const folder = home(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`f${i}`, ''])))
    const limits = budget({ ...LIMITS, entries: 1000 }, () => 0)
    const list = (most: number, among: number, takes = (): boolean => true): [number, boolean] => {
      const { entries, more } = limits.list(folder, { takes, most, among })
      return [entries.length, more]
    }
    expect(list(300, 9999)).toEqual([300, true])
    expect(list(9999, 300)).toEqual([300, true])
    expect(list(9999, 9999, () => false)).toEqual([0, true])
    expect(limits.spent).toBe(true)
    expect(list(1, 1)).toEqual([0, true])
  })

  it('finds all agents among thousands of files, and all sessions of one', async () => {
    const files = (where: string, extension: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`${where}f${i}${extension}`, '']))
    const agents = Object.fromEntries([1, 2, 3, 4, 5, 6].map((i) => [`.zz-agent${i}/sessions/a.jsonl`, CHAT]))
    const folder = home({ ...files('', ''), ...files('.zz-agent1/', '.png'), ...agents })
    const found = await survey(systemOf(folder))
    expect(found.agents.map(({ name, memorization }) => [name, memorization.works])).toEqual(
      [1, 2, 3, 4, 5, 6].map((i) => [`zz-agent${i}`, true]),
    )
    expect(found.complete).toBe(true)
  })

  it.each([
    ['of so many folders', (i: number) => `.quiet/f${i}/x/notes.txt`, 250],
    ['of so many files without sessions', (i: number) => `.quiet/logs/${i}.jsonl`, 30],
    ['so deep', () => '.quiet/1/2/3/4/5/6/7/8/9/a.jsonl', 1],
    ['of so many candidates', (i: number) => `.config/app${i}/x`, 1001],
  ])('says that there may be more where a bound ends it: %s', async (_, path, count) => {
    const folder = home({ '.quiet/AGENTS.md': '', ...Object.fromEntries(Array.from({ length: count }, (_, i) => [path(i), ''])) })
    expect((await survey(systemOf(folder))).complete).toBe(false)
  })

  it('asks no more of an agent whose sessions are found', async () => {
    const folder = home(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`.busy/sessions/d${i}/a.jsonl`, CHAT])))
    expect(await survey(systemOf(folder))).toMatchObject({ agents: [{ name: 'busy' }], complete: true })
  })
})

describe('a look at one folder', () => {
  it('always gives a verdict', async () => {
    const folder = home({
      '.editor/settings.json': '{}',
      'db/sessions/chats.sqlite': 'x',
      'odd/x.jsonl': '{"a":1}\n',
      '.codex/sessions/x.jsonl': CODEX,
    })
    const look = async (path: string): Promise<Verdict | undefined> => (await probe(join(folder, path), systemOf(folder))).agents[0]
    expect(await look('.editor')).toMatchObject({ name: 'editor', memorization: { works: false, why: 'no session log was found' } })
    expect((await look('db'))?.memorization.why).toContain('database (~/db/sessions/chats.sqlite)')
    expect((await look('odd'))?.memorization.why).toBe('1 log file looked at, none with records of a known shape')
    expect(await look('.codex')).toMatchObject({ program: 'memu-codex', next: ['memu-codex bridge'] })
    expect(await look('.codex/sessions')).toMatchObject({ program: 'memu-codex' })
  })

  it('names an agent, and its tree, after its folder also where the one of its sessions is given', async () => {
    const folder = home({ '.marmot/sessions/shop/a.jsonl': CHAT })
    const next = ['memu-agent bridge --session-dir ~/.marmot/sessions --base-dir ~/.memu/hosts/marmot']
    for (const place of ['.marmot', '.marmot/sessions']) {
      expect((await probe(join(folder, place), systemOf(folder))).agents).toMatchObject([{ name: 'marmot', next }])
    }
  })

  it('says what to do where nothing works, and counts no agent', async () => {
    const folder = home({ 'work/notes.txt': '', '.weasel/sessions/x.jsonl': '{"a":1}\n' })
    const look = async (path: string): Promise<string> => formatSurvey(await probe(join(folder, path), systemOf(folder)), folder, false)
    const teach = 'A log that memU does not read yet can be taught to it: docs/adding-a-host.md'
    expect(await look('work')).toContain(
      `→ memu-agent detect <the folder of its sessions>\n\nNothing in ~/work that memU works with.\n${teach}\n`,
    )
    expect(await look('.weasel')).toContain(`Nothing in ~/.weasel that memU works with.\n${teach}\n`)
  })

  it('gives a tree of its own to an agent whose folder is called as a host is', async () => {
    const folder = home({ 'old/codex/sessions/a.jsonl': CHAT })
    const [found] = (await probe(join(folder, 'old/codex'), systemOf(folder))).agents
    expect(found?.next[0]).toContain('--base-dir ~/.memu/hosts/codex-2')
  })

  it('quotes a path for the shell of the platform', async () => {
    const folder = home({ "it's mine/sessions/a.jsonl": CHAT })
    const path = join(folder, "it's mine")
    const [posix] = (await probe(path, systemOf(folder))).agents
    expect(posix?.next[0]).toContain(`--session-dir '${join(fs.realpathSync(folder), "it'\\''s mine", 'sessions')}'`)
  })

  it('says what is no folder', async () => {
    const folder = home({ 'a.txt': '' })
    const failure = { code: 'no_folder', exit: 2 }
    const missing = { ...failure, message: `There is no folder ${join(folder, 'missing')}.` }
    await expect(probe(join(folder, 'missing'), systemOf(folder))).rejects.toMatchObject(missing)
    await expect(probe(join(folder, 'a.txt'), systemOf(folder))).rejects.toMatchObject(failure)
  })
})

describe('the text of a survey', () => {
  it('has for each agent a line of verdicts, a reason and a command, in columns', async () => {
    const folder = home({ '.codex/sessions/2026/03/01/rollout-x.jsonl': CODEX, '.local/share/amp/x': '' })
    const text = formatSurvey(await survey(systemOf(folder)), folder, false)
    expect(text.split('\n')).toEqual([
      'Agent  Memorization  Retrieval  Folder',
      '',
      'Codex  yes           yes        ~/.codex',
      '       sessions in ~/.codex/sessions; instruction in ~/.codex/AGENTS.md, which would be made',
      '       → memu-codex bridge',
      '',
      'Amp    no            yes        ~/.local/share/amp',
      '       it keeps its threads on its server; instruction in ~/.config/amp/AGENTS.md, which would be made',
      '       → amp threads export',
      '       → memu-agent detect <the folder of the exports>',
      '',
      '2 agents in ~.',
      '',
    ])
  })

  it('lets no folder name reach the terminal with control characters', async () => {
    const folder = home({ '.bad\u001b[31m/sessions/a.jsonl': CHAT })
    expect(formatSurvey(await survey(systemOf(folder)), folder, false)).not.toContain('\u001b')
  })
})
