import * as fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { coworkSource } from '../../src/hosts/claude-code/cowork.ts'
import { coworkRoots } from '../../src/hosts/claude-code/cowork-roots.ts'
import { claudeCode } from '../../src/hosts/registry.ts'
import type { TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { unprivileged } from '../helpers/unprivileged.ts'
import { assistant, user } from './claude-code-lines.ts'
import { audit, coworkId, speech, system } from './cowork-lines.ts'
import { coworkLines, coworkLog, sessionFolder } from './cowork-log.ts'

hostContract(coworkLog)
transcriptSourceContract(coworkLines)

interface Desktop {
  /** Claude Desktop's data. */
  readonly root: string
  folder(session: string): string
  readonly source: TranscriptSource
  /** Writes a file of a session's folder. */
  write(session: string, path: string, lines: readonly string[]): string
  describe(session: string, about: object): void
  read(session: string): ReturnType<typeof readAll>
}

function desktop(): Desktop {
  const root = temporaryFolder()
  const source = coworkSource({ path: root, declared: false }, system)
  const folder = (session: string): string => sessionFolder(join(root, 'local-agent-mode-sessions'), session)
  return {
    root,
    folder,
    source,
    write(session, path, lines) {
      const target = join(folder(session), path)
      fs.mkdirSync(dirname(target), { recursive: true })
      fs.writeFileSync(target, lines.map((line) => `${line}\n`).join(''))
      return target
    },
    describe: (session, about) => fs.writeFileSync(`${folder(session)}.json`, JSON.stringify(about)),
    read: async (session) => {
      const found = source.discover(noReport).find(({ id }) => id === session)
      if (found === undefined) throw new Error('not discovered')
      return await readAll(source, found)
    },
  }
}

describe('Claude Cowork: what an audit record is', () => {
  const session = coworkId(1)

  it('takes a prompt once, without its list of files, and not as the program inside got it', async () => {
    const d = desktop()
    const prompt = '<uploaded_files>a.pdf</uploaded_files>\nsummarise it'
    d.write(session, 'audit.jsonl', [
      speech('user', session, 1, prompt, { session_id: session }),
      speech('user', session, 1, 'summarise it', { isReplay: true }),
      speech('user', session, 2, [{ type: 'text', text: 'and what are <uploaded_files>?' }]),
      speech('user', session, 3, '<uploaded_files>only.pdf</uploaded_files>'),
    ])
    expect((await d.read(session)).texts).toEqual(['summarise it', 'and what are <uploaded_files>?'])
  })

  it('keeps of a subagent its tools and not its talk', async () => {
    const d = desktop()
    const inside = { parent_tool_use_id: 'toolu_9' }
    d.write(session, 'audit.jsonl', [
      speech('user', session, 1, 'a task that the agent wrote', inside),
      speech('assistant', session, 2, [{ type: 'text', text: 'a report to the agent' }], inside),
      speech('assistant', session, 3, [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }], inside),
      speech('user', session, 4, [{ type: 'tool_result', tool_use_id: 't1', content: 'a.pdf' }], inside),
      speech('assistant', session, 5, [{ type: 'text', text: 'There is one file.' }]),
    ])
    const { records } = await d.read(session)
    expect(records.map(({ kind, text }) => [kind, text])).toEqual([
      ['tool', 'ls'],
      ['tool', 'a.pdf'],
      ['message', 'There is one file.'],
    ])
  })

  it('dates a record by the audit where it has no time of its own', async () => {
    const d = desktop()
    d.write(session, 'audit.jsonl', [
      speech('user', session, 1, 'first'),
      speech('user', session, 2, 'second', { timestamp: '2026-08-31T07:00:00.000Z' }),
      speech('user', session, 3, 'third').replace(/"_audit_timestamp":"[^"]*"/, '"_audit_timestamp":"soon"'),
    ])
    const { records } = await d.read(session)
    expect(records.map(({ at }) => at)).toEqual(['2026-09-01T08:00:01.000Z', '2026-08-31T07:00:00.000Z', undefined])
  })

  it('learns title and project from the description beside it, and takes no path inside Cowork’s machine for a project', async () => {
    const d = desktop()
    const lines = [
      audit('system', session, 0, { subtype: 'init', cwd: '/sessions/x/mnt' }),
      speech('user', session, 1, 'hi', { cwd: '/sessions/x' }),
    ]
    d.write(session, 'audit.jsonl', lines)
    expect((await d.read(session)).facts).toEqual({})
    d.describe(session, { title: ' Summaries ', cwd: '/sessions/x' })
    expect((await d.read(session)).facts).toEqual({ title: 'Summaries' })
    d.describe(session, { title: 'Summaries', cwd: '/home/u/papers' })
    expect((await d.read(session)).facts).toEqual({ title: 'Summaries', project: '/home/u/papers' })
    d.describe(session, { cwd: '/sessions/x', userSelectedFolders: ['/home/u/books', '/home/u/papers'] })
    expect((await d.read(session)).facts).toEqual({ project: '/home/u/books' })
    fs.writeFileSync(`${d.folder(session)}.json`, '{"title":')
    expect((await d.read(session)).facts).toEqual({})
  })
})

describe('Claude Cowork: which log a session is read from', () => {
  const session = coworkId(1)
  const inner = '11111111-2222-4333-8444-000000000009'
  const transcript = `.claude/projects/-sessions-x/${inner}.jsonl`

  it('reads the audit and not the transcript inside, under the id of the folder', async () => {
    const d = desktop()
    const path = d.write(session, 'audit.jsonl', [speech('user', session, 1, 'from the audit')])
    d.write(session, transcript, [user(inner, 1, 'from the transcript')])
    expect(d.source.discover(noReport).map(({ id, owner, path }) => [id, owner, path])).toEqual([[session, session, path]])
    expect((await d.read(session)).texts).toEqual(['from the audit'])
  })

  it('reads the transcript inside where nothing was audited, and its subagents with it', async () => {
    const d = desktop()
    d.write(session, 'audit.jsonl', [])
    d.write(session, transcript, [user(inner, 1, 'from the transcript'), assistant(inner, 2, 'answered')])
    d.write(session, `.claude/projects/-sessions-x/${inner}/subagents/agent-a1.jsonl`, [
      user(inner, 1, 'a task of the agent’s'),
      assistant(inner, 2, [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]),
    ])
    // Where older versions kept them.
    d.write(session, '.claude/projects/-sessions-x/agent-a2.jsonl', [user(inner, 1, 'another task of the agent’s')])
    const found = d.source.discover(noReport)
    expect(found.map(({ id, owner }) => [id, owner]).sort()).toEqual([
      [session, session],
      [`${session}/${inner}/agent-a1`, session],
      [`${session}/agent-a2`, session],
    ])
    const texts = await Promise.all(found.map(async (ref) => (await readAll(d.source, ref)).texts))
    expect(texts.sort()).toEqual([[], ['from the transcript', 'answered'], ['ls']])
  })

  it('loses none of several transcripts inside: the one that the description names is the session', async () => {
    const d = desktop()
    const other = '11111111-2222-4333-8444-000000000008'
    d.write(session, transcript, [user(inner, 1, 'one')])
    d.write(session, `.claude/projects/-sessions-x/${other}.jsonl`, [user(other, 1, 'two')])
    d.describe(session, { cliSessionId: inner })
    expect(
      d.source
        .discover(noReport)
        .map(({ id, owner }) => [id, owner])
        .sort(),
    ).toEqual([
      [session, session],
      [`${session}/${other}`, session],
    ])
    expect((await d.read(session)).texts).toEqual(['one'])
    expect((await d.read(`${session}/${other}`)).texts).toEqual(['two'])
  })

  it('mines once what a resumed transcript repeats of the one before it', async () => {
    const d = desktop()
    const resumed = '11111111-2222-4333-8444-000000000010'
    d.write(session, transcript, [user(inner, 1, 'asked before'), assistant(inner, 2, 'answered before')])
    d.write(session, `.claude/projects/-sessions-x/${resumed}.jsonl`, [
      user(inner, 1, 'asked before'),
      assistant(inner, 2, 'answered before'),
      user(resumed, 3, 'asked after'),
    ])
    const texts = await Promise.all(d.source.discover(noReport).map(async (ref) => (await readAll(d.source, ref)).texts))
    expect(texts.flat().sort()).toEqual(['answered before', 'asked after', 'asked before'])
  })

  it.skipIf(process.platform === 'win32').each(['.claude', join('.claude', 'projects')])('follows no link at %s', (path) => {
    const d = desktop()
    d.write(session, transcript, [user(inner, 1, 'said elsewhere')])
    expect(d.source.discover(noReport)).toHaveLength(1)
    const [folder, outside] = [join(d.folder(session), path), join(d.root, 'elsewhere')]
    fs.renameSync(folder, outside)
    fs.symlinkSync(outside, folder)
    expect(d.source.discover(noReport)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('says which session’s folder it may not enter, and reads the others', async () => {
    const d = desktop()
    d.write(session, 'audit.jsonl', [speech('user', session, 1, 'hello')])
    d.write(coworkId(2), transcript, [user(inner, 1, 'closed')])
    for (const closed of [d.folder(coworkId(2)), join(d.folder(coworkId(2)), '.claude')]) {
      fs.chmodSync(closed, 0)
      const problems: string[] = []
      const found = await unprivileged(d.root, () => d.source.discover(({ path }) => void problems.push(path)))
      fs.chmodSync(closed, 0o755)
      expect(found.map(({ id }) => id)).toEqual([session])
      expect(problems).toEqual([closed])
    }
  })

  it('takes neither a folder without a log nor the app’s skills for sessions', () => {
    const d = desktop()
    d.write(session, 'uploads/a.pdf', ['x'])
    const skills = join(d.root, 'local-agent-mode-sessions', 'skills-plugin', 'local_x')
    fs.mkdirSync(skills, { recursive: true })
    fs.writeFileSync(join(skills, 'audit.jsonl'), `${speech('user', session, 1, 'no')}\n`)
    expect(d.source.discover(noReport)).toEqual([])
  })

  it('never opens the key of the audit', async () => {
    const d = desktop()
    d.write(session, 'audit.jsonl', [speech('user', session, 1, 'hello')])
    d.describe(session, { title: 'x' })
    const key = d.write(session, '.audit-key', ['secret'])
    const second = coworkId(2)
    d.write(second, '.audit-key', ['secret'])
    d.write(second, transcript, [user(inner, 1, 'hi')])
    refuseToOpen('.audit-key')
    expect(() => fs.readFileSync(key)).toThrow('opened .audit-key')
    expect(() => fs.openSync(key, 'r')).toThrow('opened .audit-key')
    expect((await d.read(session)).texts).toEqual(['hello'])
    expect((await d.read(second)).texts).toEqual(['hi'])
  })
})

/** Until the end of the test every way to open a file of that name throws. */
function refuseToOpen(name: string): void {
  const real = createRequire(import.meta.url)('node:fs') as Record<string, unknown> & { promises: Record<string, unknown> }
  const replaced: (() => void)[] = []
  const guard = (holder: Record<string, unknown>, method: string): void => {
    const original = holder[method] as (...args: unknown[]) => unknown
    holder[method] = (...args: unknown[]) => {
      if (String(args[0]).endsWith(name)) throw new Error(`opened ${name}`)
      return original(...args)
    }
    replaced.push(() => {
      holder[method] = original
    })
  }
  for (const method of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream', 'copyFileSync', 'cpSync']) guard(real, method)
  for (const method of ['open', 'readFile', 'copyFile', 'cp']) guard(real.promises, method)
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const restore of replaced) restore()
    syncBuiltinESMExports()
  })
}

describe('Claude Cowork: where it is looked for', () => {
  const on = (platform: NodeJS.Platform, env: Record<string, string> = {}, home = temporaryFolder()) =>
    coworkRoots({ ...system, platform, env, home })

  it('looks on each platform where Claude Desktop keeps its data', () => {
    const home = temporaryFolder()
    expect(on('linux', {}, home).map(({ path }) => path)).toEqual([join(home, '.config/Claude'), join(home, '.config/Claude-3p')])
    expect(on('linux', { XDG_CONFIG_HOME: '/xdg' }).map(({ path }) => path)).toEqual(['/xdg/Claude', '/xdg/Claude-3p'])
    const support = join(home, 'Library/Application Support')
    expect(on('darwin', {}, home).map(({ path }) => path)).toEqual([join(support, 'Claude'), join(support, 'Claude-3p')])
    const local = join(home, 'Local')
    const roaming = join('LocalCache', 'Roaming', 'Claude')
    for (const name of ['Claude_abc', 'Other_x']) fs.mkdirSync(join(local, 'Packages', name), { recursive: true })
    expect(on('win32', { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: local }, home).map(({ path }) => path)).toEqual([
      join(home, 'Roaming', 'Claude'),
      join(local, 'Claude-3p'),
      join(local, 'Packages', 'Claude_abc', roaming),
    ])
  })

  it('looks only where MEMU_COWORK_ROOTS says, in the environment or the configuration, and nowhere where that is empty', () => {
    const home = temporaryFolder()
    fs.mkdirSync(join(home, '.memu'))
    fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_COWORK_ROOTS=/from/file\n')
    const declared = (path: string) => ({ path, declared: true })
    expect(on('linux', {}, home)).toEqual([declared('/from/file')])
    expect(on('linux', { MEMU_COWORK_ROOTS: '/a: /b :~/c' }, home)).toEqual(['/a', '/b', join(home, 'c')].map(declared))
    expect(on('win32', { MEMU_COWORK_ROOTS: 'C:\\a;D:\\b' }, home)).toEqual(['C:\\a', 'D:\\b'].map(declared))
    expect(on('linux', { MEMU_COWORK_ROOTS: '' }, home)).toEqual([])
  })

  it('is mined with Claude Code’s own sessions, and a declared root that is missing is told', async () => {
    const home = temporaryFolder()
    const d = desktop()
    d.write(coworkId(1), 'audit.jsonl', [speech('user', coworkId(1), 1, 'from Cowork')])
    const own = '11111111-2222-4333-8444-000000000001'
    fs.mkdirSync(join(home, '.claude/projects/-p'), { recursive: true })
    fs.writeFileSync(join(home, `.claude/projects/-p/${own}.jsonl`), `${user(own, 1, 'from Claude Code')}\n`)
    const here = { ...system, home, env: { MEMU_COWORK_ROOTS: `${d.root}:${join(home, 'missing')}` } }
    const source = await claudeCode.source(claudeCode.sessionDir(here) ?? '', here)
    const problems: string[] = []
    const found = source.discover(({ path }) => void problems.push(path))
    const texts = await Promise.all(found.map(async (ref) => (await readAll(source, ref)).texts))
    expect(texts.flat().sort()).toEqual(['from Claude Code', 'from Cowork'])
    expect(problems).toEqual([join(home, 'missing')])
  })

  it('is left alone where the user names a folder to read', async () => {
    const d = desktop()
    d.write(coworkId(1), 'audit.jsonl', [speech('user', coworkId(1), 1, 'from Cowork')])
    const here = { ...system, home: temporaryFolder(), env: { MEMU_COWORK_ROOTS: d.root } }
    const source = await claudeCode.source(temporaryFolder(), here)
    expect(source.discover(noReport)).toEqual([])
  })

  it('makes Claude Code’s log one that exists, also where only a missing root is declared', async () => {
    const here = { ...system, home: temporaryFolder(), env: { MEMU_COWORK_ROOTS: '/nowhere/at/all' } }
    expect((await claudeCode.source(claudeCode.sessionDir(here) ?? '', here)).exists()).toBe(true)
    const off = { ...here, env: { MEMU_COWORK_ROOTS: '' } }
    expect((await claudeCode.source(claudeCode.sessionDir(off) ?? '', off)).exists()).toBe(false)
  })
})
