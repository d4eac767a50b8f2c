import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openExecutor } from '../../../src/bridging/executors/open.ts'
import { selfSessions } from '../../../src/bridging/self-sessions.ts'
import { knownNonces } from '../../../src/guard/nonce.ts'
import { isRunPrompt } from '../../../src/guard/tag.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { preparedRun } from './slice-file.ts'

const ID = '11111111-2222-4333-8444-555555555555'

/** A program `claude` in a folder of its own: a script for this Node.js that stands in for the agent. */
function fakeAgent(script: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder()
  const path = join(folder, 'claude')
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs'), path = require('node:path')
const done = (n) => { fs.mkdirSync('.done', { recursive: true }); fs.writeFileSync(path.join('.done', String(n)), '') }
const input = fs.readFileSync(0, 'utf8')
${script}
`,
  )
  chmodSync(path, 0o755)
  const system: System = { ...realSystem(), home: folder, env: { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder, ...env } }
  const prepared = preparedRun([{ says: ['hello'] }])
  const open = (timeoutMs?: number) =>
    openExecutor('host', { spec: claudeCode, system, value: () => undefined, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  return { prepared, open, system, at: (name: string) => join(prepared.layout.base, name) }
}

describe('the host’s own program as executor', () => {
  it('gets the prompt on standard input, in the host’s tree, and what it marked is finished', async () => {
    const { prepared, open, at, system } = fakeAgent(`
      fs.writeFileSync('seen.json', JSON.stringify({ input, args: process.argv.slice(2), run: process.env.MEMU_BRIDGING_RUN }))
      for (const n of [1, 2, 3]) done(n)
      console.log(JSON.stringify({ type: 'result', result: 'Read one session.', session_id: '${ID}', usage: { input_tokens: 7, output_tokens: 3 } }))`)
    const result = await (await open()).run(prepared)
    expect(result).toEqual({ finished: [1, 2, 3], failed: [], tokens: { input: 7, output: 3 } })
    const seen = JSON.parse(readFileSync(at('seen.json'), 'utf8')) as { input: string; args: string[]; run: string }
    expect(seen.input).toContain(`${prepared.layout.jobs}/3.txt`)
    expect(seen.input).toContain('memu-fake job-done`')
    expect(isRunPrompt(seen.input, knownNonces(system.home))).toBe(true)
    expect(seen.args).toContain('--no-session-persistence')
    expect(seen.run).toBe('1')
    expect(prepared.logged.join('\n')).toContain('| Read one session.')
  })

  it('remembers the session that the program logged its run under', async () => {
    const { prepared, open } = fakeAgent(`done(1); console.log(JSON.stringify({ type: 'result', session_id: '${ID}', result: 'ok' }))`)
    await (await open()).run(prepared)
    expect([...selfSessions(prepared.layout)]).toEqual([ID])
  })

  it('believes no session id that stands in what the agent said or read', async () => {
    const { prepared, open } = fakeAgent(
      `done(1); console.log(JSON.stringify({ type: 'x', item: { text: '{"session_id":"${ID}"}', session_id: '${ID}' } })); console.log('session_id: ${ID}')`,
    )
    await (await open()).run(prepared)
    expect([...selfSessions(prepared.layout)]).toEqual([])
  })

  it('keeps our keys and the mark of an outer session away from the program, and what it needs within reach', async () => {
    const { prepared, open, at } = fakeAgent(`fs.writeFileSync('env.json', JSON.stringify(process.env)); done(1)`, {
      MEMU_API_KEY: 'ours',
      MEMU_DB: '/home/u/memory.db',
      MEMU_CONFIG_ENV: '/home/u/config.env',
      GITHUB_TOKEN: 'theirs',
      CLAUDE_CODE_SESSION_ID: ID,
      CLAUDECODE: '1',
      ANTHROPIC_API_KEY: 'needed',
      MY_PROVIDER_KEY: 'needed too',
    })
    await (await open()).run(prepared)
    const env = JSON.parse(readFileSync(at('env.json'), 'utf8')) as Record<string, string>
    for (const name of ['MEMU_API_KEY', 'MEMU_DB', 'GITHUB_TOKEN', 'CLAUDE_CODE_SESSION_ID', 'CLAUDECODE'])
      expect(env).not.toHaveProperty(name)
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'needed', MY_PROVIDER_KEY: 'needed too', MEMU_CONFIG_ENV: '/home/u/config.env' })
  })

  it('counts the jobs that were marked before the program failed', async () => {
    const { prepared, open } = fakeAgent(`done(1); console.error('rate limit reached'); process.exit(3)`)
    const result = await (await open()).run(prepared)
    expect(result.finished).toEqual([1, 3])
    expect(result.failed).toEqual([{ job: 2, reason: 'claude ended with code 3: rate limit reached' }])
  })

  it('describes by rule the documents that the program may not read', async () => {
    const { prepared, open } = fakeAgent(`for (const n of [1, 2, 3]) done(n); console.log('{}')`)
    const [plan, keys] = [join(temporaryFolder(), 'plan.md'), join(temporaryFolder(), 'keys.md')]
    writeFileSync(plan, '# Capacity plan\n')
    writeFileSync(keys, '# Keys\n\nthe password is hunter2hunter2\n')
    writeFileSync(prepared.layout.resources, `---\npath: ${plan}\ndescription: null\n---\npath: ${keys}\ndescription: null\n---\n`)
    expect((await (await open()).run(prepared)).finished).toEqual([1, 2, 3])
    expect(readFileSync(prepared.layout.resources, 'utf8')).toBe(
      `---\npath: ${plan}\ndescription: Capacity plan (document plan.md)\n---\npath: ${keys}\ndescription: null\n---\n`,
    )
  })

  it('fails where nothing was marked, with what the program said last', async () => {
    const { prepared, open } = fakeAgent(`console.error('Please log in'); process.exit(1)`)
    await expect((await open()).run(prepared)).rejects.toMatchObject({
      code: 'executor_failed',
      message: expect.stringContaining('Please log in'),
    })
  })

  it.each([
    ['the API key is sk-live-0123456789abcdef', 'sk-live'],
    ['mysql -u root -pWren!55 shop', 'Wren'],
    ['refused: key-of-this-machine', 'key-of-this-machine'],
  ])('neither logs nor reports a line that may hold a secret (%s)', async (line, secret) => {
    const says = `done(1); console.log(${JSON.stringify(line)}); console.error(${JSON.stringify(line)}); process.exit(3)`
    const { prepared, open } = fakeAgent(says, { MEMU_API_KEY: 'key-of-this-machine' })
    const { failed } = await (await open()).run(prepared)
    expect(prepared.logged.join('\n')).toContain('| [a line that may hold a secret]')
    expect(failed[0]?.reason).toBe('claude ended with code 3: [a line that may hold a secret]')
    expect(JSON.stringify([prepared.logged, failed])).not.toContain(secret)
  })

  const spawnsChild = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    fs.writeFileSync('child.pid', String(child.pid))`

  it('ends the program and everything it started when its time is up', async () => {
    const { prepared, open, at } = fakeAgent(`${spawnsChild}; done(1); setInterval(() => {}, 1000)`)
    const result = await (await open(2_000)).run(prepared)
    expect(result.failed[0]?.reason).toMatch(/claude was stopped after/)
    await gone(Number(readFileSync(at('child.pid'), 'utf8')))
  })

  /** In a session of its own, with the program's pipes in its hands: ending the group does not reach it. */
  const leavesChild = `
    const stray = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit', detached: true })
    fs.writeFileSync('stray.pid', String(stray.pid)); stray.unref()`

  it('does not wait for what the program left running with its output in its hands', async () => {
    const { prepared, open, at } = fakeAgent(`done(1); ${leavesChild}; process.stdout.write('last words')`)
    const result = await (await open()).run(prepared)
    process.kill(Number(readFileSync(at('stray.pid'), 'utf8')))
    expect(result.finished).toEqual([1, 3])
    expect(prepared.logged.join('\n')).toContain('| last words')
  })

  it('keeps to its time limit, and ends when it is interrupted, whatever the program left running', async () => {
    const { prepared, open, at } = fakeAgent(`${leavesChild}; done(1); setInterval(() => {}, 1000)`)
    const result = await (await open(1_000)).run(prepared)
    process.kill(Number(readFileSync(at('stray.pid'), 'utf8')))
    expect(result.failed[0]?.reason).toMatch(/claude was stopped after/)

    const again = fakeAgent(`${leavesChild}; setInterval(() => {}, 1000)`)
    const running = (await again.open()).run(again.prepared)
    await until(() => existsSync(again.at('stray.pid')) && readFileSync(again.at('stray.pid'), 'utf8') !== '')
    again.prepared.controller.abort(new Error('interrupted'))
    await expect(running).rejects.toThrow('interrupted')
    process.kill(Number(readFileSync(again.at('stray.pid'), 'utf8')))
  }, 15_000)

  it('ends them when the run is interrupted', async () => {
    const { prepared, open, at } = fakeAgent(`${spawnsChild}; setInterval(() => {}, 1000)`)
    const running = (await open()).run(prepared)
    await until(() => existsSync(at('child.pid')) && readFileSync(at('child.pid'), 'utf8') !== '')
    prepared.controller.abort(new Error('interrupted'))
    await expect(running).rejects.toThrow('interrupted')
    await gone(Number(readFileSync(at('child.pid'), 'utf8')))
  })
})

describe('the choice of an executor', () => {
  const context = (PATH: string) => ({ spec: claudeCode, system: { ...realSystem(), env: { PATH } }, value: () => undefined })

  it('is the host’s program where it is on PATH, else the built-in rules', async () => {
    const folder = temporaryFolder()
    expect((await openExecutor('auto', context(folder))).name).toBe('builtin')
    writeFileSync(join(folder, 'claude'), '')
    expect((await openExecutor('auto', context(folder))).name).toBe('builtin')
    chmodSync(join(folder, 'claude'), 0o755)
    expect((await openExecutor('auto', context(folder))).name).toBe('host')
  })

  it('is refused where the program is missing or the name is unknown', async () => {
    const empty = temporaryFolder()
    mkdirSync(join(empty, 'claude'))
    await expect(openExecutor('host', context(empty))).rejects.toMatchObject({ code: 'no_program', exit: 2 })
    await expect(openExecutor('magic', context(empty))).rejects.toMatchObject({ code: 'unknown_executor', exit: 2 })
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

/** A process that has ended may still be waiting for its parent to take note; it does nothing any more. */
async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] : undefined
    return state === 'Z'
  })
}
