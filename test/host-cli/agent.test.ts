import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Survey } from '../../src/detect/detect.ts'
import { AGENTS, CHAT, systemOf, write } from '../detect/home.ts'
import { runHost } from '../helpers/host-run.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

function home(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder()
  write(folder, { '.memu/config.env': 'MEMU_DB=~/.memu/memory.db\n', ...files })
  return folder
}

const run = (folder: string, ...args: string[]) => runHost('agent', systemOf(folder), args)

describe('memu-agent', () => {
  it.each(['prepare', 'bridge'])('refuses to %s without the folder of the sessions, and says how to find it', async (verb) => {
    await expect(run(home(), verb)).rejects.toMatchObject({
      code: 'session_dir_required',
      exit: 2,
      hint: expect.stringContaining('memu-agent detect'),
    })
  })

  it('keeps two agents apart, each in a tree of its own', async () => {
    const folder = home({ '.one/sessions/a.jsonl': CHAT, '.two/sessions/a.jsonl': CHAT.replace('fridays', 'mondays') })
    const bridge = (name: string) =>
      run(folder, 'bridge', '--session-dir', join(folder, `.${name}/sessions`), '--base-dir', join(folder, `.memu/hosts/${name}`), '--json')
    for (const name of ['one', 'two']) {
      const report = JSON.parse((await bridge(name)).out) as { outcome: string; prepared: { sessions: { id: string }[] } }
      expect(report).toMatchObject({ outcome: 'done', prepared: { sessions: [{ id: 'a' }] } })
      expect(fs.existsSync(join(folder, `.memu/hosts/${name}/memory`))).toBe(true)
    }
    expect(JSON.parse((await bridge('one')).out)).toMatchObject({ outcome: 'nothing' })
    expect(fs.existsSync(join(folder, '.memu/hosts/agent'))).toBe(false)
  })

  it('learns with the very command that detect printed', async () => {
    const folder = home({ '.newcomer/logs/today.jsonl': CHAT })
    const { agents } = JSON.parse((await run(folder, 'detect', '--json')).out) as Survey
    const [program, ...args] = (agents[0]?.next[0] ?? '').split(' ').map((word) => word.replace(/^~/, folder))
    expect(program).toBe('memu-agent')
    expect((await run(folder, ...args)).out).toMatch(/fridays/)
  })

  it('detects: exit 0 where an agent was found, 1 where none was', async () => {
    const found = await run(home(AGENTS), 'detect')
    expect(found.code).toBe(0)
    expect(found.out).toContain('→ memu-claude-code bridge')
    const none = await run(home(), 'detect')
    expect(none).toEqual({ code: 1, out: 'No agent was found in ~. For one that lies elsewhere: memu-agent detect <folder>\n', err: '' })
  })

  it('prints only commands that there are', async () => {
    const { agents } = JSON.parse((await run(home(AGENTS), 'detect', '--json')).out) as Survey
    const ours = agents.flatMap(({ next }) => next).filter((command) => command.startsWith('memu'))
    expect(ours.length).toBeGreaterThan(10)
    for (const command of ours) expect(command).toMatch(/^memu-[a-z-]+ (?:bridge|doctor|detect|retrieve)\b/)
    for (const program of new Set(ours.map((command) => command.split(' ')[0] ?? ''))) {
      expect(fs.existsSync(join(import.meta.dirname, `../../src/bin/${program}.ts`))).toBe(true)
    }
  })
})

describe('a log of which not one record is understood', () => {
  const WEASEL = '{"who":"me","what":"never deploy on fridays"}\n{"who":"it","what":"noted"}\n'

  it.each(['prepare', 'bridge'])('is said by %s to be such, at the first run and at every later one', async (verb) => {
    const folder = home({ '.weasel/a.jsonl': WEASEL })
    for (const _ of [1, 2]) {
      await expect(run(folder, verb, '--session-dir', join(folder, '.weasel'))).rejects.toMatchObject({
        code: 'log_not_understood',
        exit: 2,
        message: expect.stringContaining('1 log file in'),
        hint: expect.stringContaining('docs/adding-a-host.md'),
      })
    }
  })

  it.each(['prepare', 'bridge'])('is told by %s from a folder without any log file', async (verb) => {
    const folder = home({ 'work/notes.md': '# mine\n' })
    await expect(run(folder, verb, '--session-dir', join(folder, 'work'))).rejects.toMatchObject({ code: 'no_session_log', exit: 2 })
  })

  it('is no word about a log that was understood and has nothing new', async () => {
    const folder = home({ '.weasel/a.jsonl': WEASEL, '.weasel/b.jsonl': CHAT })
    await run(folder, 'bridge', '--session-dir', join(folder, '.weasel'))
    expect(await run(folder, 'bridge', '--session-dir', join(folder, '.weasel'))).toMatchObject({ code: 0, err: '' })
  })

  it('is learned from as soon as it says something that is understood', async () => {
    const folder = home({ '.weasel/a.jsonl': WEASEL })
    const bridge = () => run(folder, 'bridge', '--session-dir', join(folder, '.weasel'))
    await expect(bridge()).rejects.toMatchObject({ code: 'log_not_understood' })
    fs.appendFileSync(join(folder, '.weasel/a.jsonl'), CHAT)
    expect((await bridge()).out).toMatch(/fridays/)
  })

  it('is found by doctor: in the folder that it is given, and by the run that failed', async () => {
    const folder = home({ '.weasel/a.jsonl': WEASEL, '.good/a.jsonl': CHAT })
    expect((await run(folder, 'doctor', '--session-dir', join(folder, '.weasel'))).out).toContain('none of them with a record')
    expect((await run(folder, 'doctor', '--session-dir', join(folder, '.good'))).out).not.toContain('none of them with a record')
    await expect(run(folder, 'bridge', '--session-dir', join(folder, '.weasel'))).rejects.toMatchObject({ exit: 2 })
    expect((await run(folder, 'doctor')).out).toMatch(/the run of .* failed: 1 log file in/)
  })
})

it('hands out commands for the tree that prepare was given, up to the commit at the end', async () => {
  const folder = home({ '.one/a.jsonl': CHAT })
  const tree = join(folder, '.memu/hosts/it is one')
  const { out } = await run(folder, 'prepare', '--session-dir', join(folder, '.one'), '--base-dir', tree)
  expect(out).toMatch(new RegExp(`^Then: memu-agent commit --base-dir ['"]${tree}['"]$`, 'm'))
})
