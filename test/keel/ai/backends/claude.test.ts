import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeBackend } from '../../../../src/keel/ai/backends/claude.ts'
import { PROPOSAL_SCHEMA } from '../../../../src/keel/ai/proposal.ts'
import { temporaryFolder } from '../../../helpers/temporary.ts'
import { answered } from '../fake-backend.ts'
import { testSystem } from '../system.ts'
import { standIn } from './stand-in.ts'

const { signal } = new AbortController()
const options = { schema: PROPOSAL_SCHEMA, signal }
const settings = { backend: 'claude' }

const report = (fields: object): string => `say(${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, ...fields })})`
const after = (args: readonly string[], name: string): string | undefined => args[args.indexOf(name) + 1]

describe('Claude Code', () => {
  it('gets the prompt on standard input alone, and neither tools, hooks, servers nor a session', async () => {
    const program = standIn('claude', report({ result: answered('walk') }))
    const system = testSystem([program.folder], {
      KEEL_AI_KEY: 'no-business',
      CLAUDECODE: '1',
      MEMU_API_KEY: 'x',
      ANTHROPIC_BASE_URL: 'http://h',
    })
    expect(await claudeBackend({ ...settings, model: 'haiku' }, system).ask('Secret wish: to sail', options)).toBe(answered('walk'))

    const [run] = program.runs()
    expect(run!.input).toBe('Secret wish: to sail')
    expect(run!.args.join(' ')).not.toContain('sail')
    expect(run!.args).toEqual(expect.arrayContaining(['--print', '--no-session-persistence', '--strict-mcp-config']))
    expect(['--output-format', '--tools', '--model'].map((name) => after(run!.args, name))).toEqual(['json', '', 'haiku'])
    expect(run!.env).toMatchObject({ CLAUDE_CODE_SAFE_MODE: '1', MEMU_BRIDGING_RUN: '1', ANTHROPIC_BASE_URL: 'http://h' })
    for (const name of ['KEEL_AI_KEY', 'CLAUDECODE', 'MEMU_API_KEY']) expect(run!.env).not.toHaveProperty(name)
  })

  it('works in an empty folder that is private, and gone afterwards', async () => {
    const program = standIn(
      'claude',
      `const mode = fs.statSync('..').mode & 0o777
       const hooks = fs.readFileSync(args[args.indexOf('--settings') + 1], 'utf8')
       say({ type: 'result', subtype: 'success', is_error: false, result: JSON.stringify({ mode, hooks }) })`,
    )
    const answer = await claudeBackend(settings, testSystem([program.folder])).ask('brief', options)
    expect(JSON.parse(answer)).toEqual({ mode: 0o700, hooks: '{"disableAllHooks":true}' })
    const [run] = program.runs()
    expect(run!.inside).toEqual([])
    expect(existsSync(run!.cwd)).toBe(false)
    expect(existsSync(join(run!.cwd, '..'))).toBe(false)
  })

  it('may print noise before its report', async () => {
    const program = standIn('claude', `say('Warning: {old} configuration\\n'); ${report({ result: answered('walk') })}`)
    expect(await claudeBackend(settings, testSystem([program.folder])).ask('brief', options)).toBe(answered('walk'))
  })

  it.each([
    [
      'an error whose subtype is success',
      { is_error: true, result: 'Credit balance is too low' },
      'ai_failed',
      /: Credit balance is too low$/,
    ],
    ['a login that is missing', { is_error: true, result: 'Not logged in · Please run /login' }, 'ai_unavailable', /not logged in/],
    ['a key that is wrong', { is_error: true, result: 'Invalid API key · Fix external API key' }, 'ai_unavailable', /Invalid API key/],
    ['an end without a text', { subtype: 'error_max_turns' }, 'ai_failed', /error_max_turns/],
  ])('says what failed: %s', async (_, fields, code, message) => {
    const program = standIn('claude', `${report(fields)}; process.exitCode = 1`)
    const error = await claudeBackend(settings, testSystem([program.folder]))
      .ask('brief', options)
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('says where a key in the environment may be the reason', async () => {
    const program = standIn('claude', report({ is_error: true, result: 'Credit balance is too low' }))
    const system = testSystem([program.folder], { ANTHROPIC_API_KEY: 'key-of-the-user' })
    const error = await claudeBackend(settings, system)
      .ask('brief', options)
      .catch((thrown) => thrown)
    expect(error.hint).toContain('ANTHROPIC_API_KEY is set')
    expect(JSON.stringify(error)).not.toContain('key-of-the-user')
  })

  it('repeats no key that a message of its has', async () => {
    const program = standIn('claude', report({ is_error: true, result: 'Refused key sk-test-0123456789abcdef, ending in cdef' }))
    const system = testSystem([program.folder], { MY_GATEWAY_TOKEN: 'sk-test-0123456789abcdef' })
    await expect(claudeBackend(settings, system).ask('brief', options)).rejects.toMatchObject({
      message: 'Claude Code failed: Refused key [key], ending in [key]',
    })
  })

  it('without a report says how it ended, and repeats nothing of the prompt', async () => {
    const program = standIn('claude', `console.error('error: something\\u001b[0m odd\\n' + input); process.exitCode = 3`)
    const error = await claudeBackend(settings, testSystem([program.folder]))
      .ask('Secret wish: to sail', options)
      .catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'ai_failed',
      message: 'Claude Code gave no report and ended with code 3: error: something odd',
    })
  })

  it('that is too old to have its tools turned off is not used', async () => {
    const program = standIn('claude', `console.error("error: unknown option '--tools'"); process.exitCode = 1`)
    await expect(claudeBackend(settings, testSystem([program.folder])).ask('brief', options)).rejects.toMatchObject({
      code: 'ai_unavailable',
      message: 'Claude Code does not know --tools: this version is too old.',
      hint: 'Update Claude Code.',
    })
  })

  it('that is not there is an error which names PATH and what to do', async () => {
    const system = testSystem([], { PATH: '/opt/one:/opt/two' })
    await expect(claudeBackend(settings, system).ask('brief', options)).rejects.toMatchObject({
      code: 'ai_unavailable',
      message: 'claude was not found (PATH=/opt/one:/opt/two).',
      hint: expect.stringContaining('KEEL_AI_PROGRAM'),
    })
    await expect(claudeBackend({ ...settings, program: '/opt/none/claude' }, system).ask('brief', options)).rejects.toMatchObject({
      message: '/opt/none/claude was not found.',
    })
  })

  it('is found by its whole path', async () => {
    const program = standIn('claude', report({ result: answered('walk') }))
    const at = join(program.folder, 'claude')
    expect(await claudeBackend({ ...settings, program: at }, testSystem()).ask('brief', options)).toBe(answered('walk'))
  })

  it('that writes without end is stopped at one MiB', async () => {
    const program = standIn('claude', `const more = () => process.stdout.write('x'.repeat(65536), more); more()`)
    await expect(claudeBackend(settings, testSystem([program.folder])).ask('brief', options)).rejects.toMatchObject({
      code: 'ai_failed',
      message: expect.stringContaining('more than 1 MiB'),
    })
  })

  it('is ended by a cancel with all that it started, also where both ignore being asked', async () => {
    const pids = join(temporaryFolder(), 'pids')
    const program = standIn(
      'claude',
      `process.on('SIGTERM', () => {})
       const deaf = "process.on('SIGTERM', () => {}); process.stdout.write('deaf'); setInterval(() => {}, 1000)"
       const grandchild = require('node:child_process').spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'pipe', 'inherit'] })
       grandchild.stdout.once('data', () => {
         fs.writeFileSync(${JSON.stringify(`${pids}.new`)}, process.pid + ' ' + grandchild.pid)
         fs.renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)})
       })
       setInterval(() => {}, 1000)`,
    )
    const controller = new AbortController()
    const answer = claudeBackend(settings, testSystem([program.folder])).ask('brief', {
      schema: PROPOSAL_SCHEMA,
      signal: controller.signal,
    })
    await until(() => existsSync(pids))
    controller.abort(new Error('dismissed'))
    await expect(answer).rejects.toThrow('dismissed')
    const [parent, child] = readFileSync(pids, 'utf8').split(' ').map(Number)
    await until(() => !isRunning(parent!) && !isRunning(child!))
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** One that has ended and was not fetched by its parent is still listed: its state says so. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/stat`
  return !statSync(status, { throwIfNoEntry: false }) || !/\) Z /.test(readFileSync(status, 'utf8'))
}
