import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHost } from '../helpers/host-run.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { unprivileged } from '../helpers/unprivileged.ts'
import { assistant, sessionId, user } from '../hosts-unit/claude-code-lines.ts'
import { audit, coworkId, speech, system } from '../hosts-unit/cowork-lines.ts'
import { sessionFolder } from '../hosts-unit/cowork-log.ts'

const verify = (home: string, env: Record<string, string> = {}, ...more: string[]) =>
  runHost('claude-code', { ...system, platform: 'linux', home, env }, ['cowork', 'verify', ...more])

function write(root: string, session: string, lines: readonly string[]): string {
  const folder = sessionFolder(join(root, 'local-agent-mode-sessions'), session)
  fs.mkdirSync(folder, { recursive: true })
  const path = join(folder, 'audit.jsonl')
  fs.writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

const lines = (session: string): string[] => [
  audit('system', session, 0, { subtype: 'init' }),
  speech('user', session, 1, 'summarise it'),
  speech('user', session, 1, 'summarise it', { isReplay: true }),
  speech('assistant', session, 2, [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }]),
  speech('user', session, 3, [{ type: 'tool_result', tool_use_id: 't1', content: 'text' }]),
  speech('assistant', session, 4, [{ type: 'text', text: 'to the agent' }], { parent_tool_use_id: 't9' }),
  '{"torn',
  speech('assistant', session, 5, [{ type: 'text', text: 'Summary' }]),
  audit('result', session, 6, { subtype: 'success', result: 'Summary' }),
]

describe('memu-claude-code cowork verify', () => {
  it('says where it looked, what it found, what the records were taken for, and the next command', async () => {
    const home = temporaryFolder()
    write(join(home, '.config/Claude'), coworkId(1), lines(coworkId(1)))
    write(join(home, '.config/Claude'), coworkId(2), [speech('user', coworkId(2), 1, 'hi')])
    const { code, out, err } = await verify(home)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(
      [
        'Looked in:',
        `  ${home}/.config/Claude: 2 sessions`,
        `  ${home}/.config/Claude-3p: not there`,
        'Sessions: 2, 2 read from the audit, 0 from the transcript inside.',
        'Recognised: user messages 2, tool calls 1, tool results 1, agent messages 1.',
        'Left out: system records 1, replayed prompts 1, the talk of subagents 1, result records 1.',
        'Lines that could not be read: 1.',
        'Next: memu-claude-code bridge',
        '',
      ].join('\n'),
    )
  })

  it('gives the same as JSON', async () => {
    const home = temporaryFolder()
    const path = write(join(home, '.config/Claude'), coworkId(1), lines(coworkId(1)))
    const { out } = await verify(home, {}, '--json')
    expect(JSON.parse(out)).toEqual({
      roots: [
        { path: join(home, '.config/Claude'), declared: false, exists: true, sessions: 1 },
        { path: join(home, '.config/Claude-3p'), declared: false, exists: false, sessions: 0 },
      ],
      sessions: [{ id: coworkId(1), path, log: 'audit', records: 4 }],
      recognised: { 'user messages': 1, 'tool calls': 1, 'tool results': 1, 'agent messages': 1 },
      leftOut: { 'system records': 1, 'replayed prompts': 1, 'the talk of subagents': 1, 'result records': 1 },
      badLines: 1,
      problems: [],
      next: 'memu-claude-code bridge',
    })
  })

  it('tells what a resumed transcript repeats of the one before it from messages without words', async () => {
    const home = temporaryFolder()
    const projects = join(sessionFolder(join(home, '.config/Claude', 'local-agent-mode-sessions'), coworkId(1)), '.claude', 'projects', 'x')
    const [first, resumed] = [sessionId(1), sessionId(2)]
    const repeated = [user(first, 1, 'asked before'), assistant(first, 2, 'answered before')]
    fs.mkdirSync(projects, { recursive: true })
    fs.writeFileSync(join(projects, `${first}.jsonl`), repeated.map((line) => `${line}\n`).join(''))
    const more = [...repeated, user(resumed, 3, 'asked after'), assistant(resumed, 4, '')]
    fs.writeFileSync(join(projects, `${resumed}.jsonl`), more.map((line) => `${line}\n`).join(''))
    const { out } = await verify(home)
    expect(out).toContain('Recognised: user messages 2, agent messages 1.')
    expect(out).toContain('Left out: copies of another transcript 2, messages without words 1.')
  })

  it('fails where a declared root is missing, and says what to correct', async () => {
    const home = temporaryFolder()
    const { code, out, err } = await verify(home, { MEMU_COWORK_ROOTS: `${home}/nowhere` })
    expect(code).toBe(1)
    expect(out).toContain(`${home}/nowhere: not there`)
    expect(out).toContain('Next: correct MEMU_COWORK_ROOTS')
    expect(err).toBe(`warning: ${home}/nowhere: MEMU_COWORK_ROOTS names it, and there is no such folder\n`)
  })

  it.skipIf(process.platform === 'win32')('goes on past a session that cannot be read, and fails at the end', async () => {
    const home = temporaryFolder()
    const root = join(home, '.config/Claude')
    const closed = write(root, coworkId(1), [speech('user', coworkId(1), 1, 'hi')])
    write(root, coworkId(2), [speech('user', coworkId(2), 1, 'hi')])
    fs.chmodSync(closed, 0)
    const { code, out, err } = await unprivileged(home, () => verify(home))
    expect(code).toBe(1)
    expect(out).toContain('Recognised: user messages 1.')
    expect(out).toContain('Next: make readable')
    expect(err).toContain(closed)
  })

  it('says that Cowork is switched off, or was never used, and is no failure', async () => {
    const home = temporaryFolder()
    expect(await verify(home, { MEMU_COWORK_ROOTS: '' })).toMatchObject({ code: 0, out: expect.stringContaining('switched off') as string })
    expect(await verify(home)).toMatchObject({ code: 0, out: expect.stringContaining('Next: use Cowork once') as string })
  })
})
