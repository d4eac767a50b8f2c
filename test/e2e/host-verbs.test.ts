/** The verbs of a host program on a real session log, through the built programs. What they do to memory is proved in test/bridging. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPrograms, type Programs, type Ran } from '../helpers/built-programs.ts'

let programs: Programs
let home: string
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.remove())
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'memu-verbs-'))
  fs.mkdirSync(join(home, '.memu'), { mode: 0o700 })
  fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_DB=~/.memu/memory.db\n', { mode: 0o600 })
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const run = (...args: string[]): Promise<Ran> => programs.run('memu-claude-code', args, { home })
const tree = (...path: string[]): string => join(home, '.memu', 'hosts', 'claude-code', ...path)

function session(): void {
  const id = '6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1'
  const directory = join(home, '.claude', 'projects', '-work-shop')
  fs.mkdirSync(directory, { recursive: true })
  const turn = (n: number, role: 'user' | 'assistant', text: string): string =>
    JSON.stringify({
      type: role,
      uuid: `${id.slice(0, -2)}0${n}`,
      sessionId: id,
      cwd: '/home/dev/shop',
      timestamp: `2026-03-01T10:0${n}:00.000Z`,
      message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
    })
  const lines = [turn(1, 'user', 'Remember: we always deploy to staging before production.'), turn(2, 'assistant', 'Noted.')]
  fs.writeFileSync(join(directory, `${id}.jsonl`), `${lines.join('\n')}\n`)
}

describe('the verbs of a host program', () => {
  it('take a session through prepare, job-done, verify-resources and commit to retrieve', async () => {
    session()
    const prepared = await run('prepare')
    expect(prepared).toMatchObject({ code: 0, stderr: '' })
    expect(prepared.stdout).toContain('Sessions with something new: 1.')
    expect(prepared.stdout).toContain(tree('jobs', '1.txt'))
    fs.writeFileSync(
      tree('memory', 'deploys.md'),
      '---\nname: deploys\ndescription: how we deploy\n---\n\nDeploy to staging before production.\n',
    )
    fs.writeFileSync(join(home, 'plan.md'), 'a plan')
    fs.writeFileSync(tree('.resource.tmp'), `${join(home, 'plan.md')}\n/nowhere/at/all\n`)
    expect(await run('verify-resources', '--json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ paths: [join(home, 'plan.md')], left: 1 })}\n`,
    })
    for (const job of ['1', '2', '3'])
      expect(await run('job-done', job)).toMatchObject({ code: 0, stdout: `Job ${job} is marked as finished.\n` })
    for (const none of ['99', '0x1', '1e0']) expect(await run('job-done', none)).toMatchObject({ code: 2, stdout: '' })
    expect(await run('commit')).toMatchObject({ code: 0, stderr: '', stdout: 'Committed: 1 created. Sessions done: 1.\n' })
    const { segments } = JSON.parse((await run('retrieve', 'where to deploy first')).stdout) as { segments: { source_file: string }[] }
    expect(segments[0]!.source_file).toBe('memory/deploys')
    expect((await run('prepare')).stdout).toContain('No session has anything new: no jobs.')
  })

  it('do the same in one command with bridge, and doctor then says that all is well', async () => {
    session()
    const bridged = await run('bridge', '--executor', 'builtin')
    expect(bridged).toMatchObject({ code: 0, stderr: '' })
    expect(bridged.stdout.split('\n')).toEqual([
      'Read: 1 session (2 messages, 0 tool records, 2026-03-01), executor builtin.',
      'Learned:',
      expect.stringMatching(/^ {2}memory\/\S+ \(new\)$/),
      expect.stringMatching(/^ {4}\+ .*deploy to staging before production/),
      'Sessions finished: 1 of 1.',
      '',
    ])
    expect((await run('retrieve', 'staging')).stdout).toContain('deploy to staging before production')
    expect(await run('bridge', '--executor', 'builtin')).toMatchObject({ code: 0, stdout: 'No session has anything new.\n' })
    const doctor = await run('doctor', '--json')
    expect(JSON.parse(doctor.stdout)).toMatchObject({ level: 'ok' })
    expect(doctor.code).toBe(0)
  })

  it('say with exit code 2 that a host has no log, and which option names its place', async () => {
    for (const verb of ['prepare', 'bridge']) {
      const ran = await run(verb)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain('--session-dir')
    }
    expect(await run('bridge', '--executor', 'nobody')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('builtin') })
    expect((await run('doctor')).code).toBe(0)
  })

  it('say that a folder holds the log of another host, and whose, instead of finding nothing new', async () => {
    session()
    for (const verb of ['prepare', 'bridge']) {
      const ran = await programs.run('memu-codex', [verb, '--session-dir', join(home, '.claude', 'projects')], { home })
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('none of them a log of Codex') })
      expect(ran.stderr).toContain(`Did you mean memu-claude-code ${verb}`)
    }
  })

  it('print reports that programs can read under --json', async () => {
    session()
    const prepared = JSON.parse((await run('prepare', '--json')).stdout) as { jobs: unknown[]; sessions: unknown[] }
    expect(prepared.sessions).toHaveLength(1)
    expect(prepared.jobs).toHaveLength(3)
    for (const job of ['1', '2', '3']) await run('job-done', job)
    expect(JSON.parse((await run('commit', '--json')).stdout)).toMatchObject({ advanced: [expect.any(String)] })
    expect(JSON.parse((await run('bridge', '--json')).stdout)).toMatchObject({ outcome: 'nothing' })
  })

  it('work in another tree under --base-dir', async () => {
    session()
    await run('prepare', '--base-dir', 'elsewhere')
    expect(fs.existsSync(join(home, 'elsewhere', 'jobs', '1.txt'))).toBe(true)
    expect(fs.existsSync(tree())).toBe(false)
    expect((await run('job-done', '1', '--base-dir', 'elsewhere')).code).toBe(0)
  })

  it('exit with 1 under --strict where a record could not be read, and with 0 otherwise', async () => {
    session()
    const [file] = fs.readdirSync(join(home, '.claude', 'projects', '-work-shop'))
    fs.appendFileSync(join(home, '.claude', 'projects', '-work-shop', file!), '{"type":"user", broken\n')
    expect(await run('prepare')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Records skipped in the session \S+ of .*: \d+, the first at byte \d+/),
    })
    expect((await run('prepare', '--strict')).code).toBe(1)
    expect(await run('bridge', '--executor', 'builtin')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Records skipped in the session \S+ of .*: \d+, the first at byte \d+/),
    })
  })

  it('name what they could not handle, and exit with 1, in bridge too', async () => {
    session()
    fs.mkdirSync(tree('memory'), { recursive: true })
    fs.writeFileSync(tree('memory', 'notes.txt'), 'no markdown')
    expect(await run('commit')).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: .*memory\/notes\.txt\.\n$/) })
    fs.writeFileSync(tree('memory', 'junk.md'), 'a\0b')
    const bridged = await run('bridge', '--executor', 'builtin')
    expect(bridged).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^note: .*notes\.txt\.\nwarning: \S+junk\.md: it is not text \(it holds NUL bytes\)\n$/),
    })
  })

  it('fail in doctor with exit code 1 where there is no store', async () => {
    fs.rmSync(join(home, '.memu', 'config.env'))
    const ran = await run('doctor')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('FAIL  store')
  })
})
