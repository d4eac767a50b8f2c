/** The program as a user runs it: bundled, a process of its own, in a scratch home. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppState, History } from '../../../src/keel/server/app.ts'
import { buildPrograms, type Programs } from '../../helpers/built-programs.ts'

let programs: Programs
let home: string
let temporary: string
const running = new Set<ChildProcess>()
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.remove())
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'keel-home-'))
  temporary = join(home, 'tmp')
  fs.mkdirSync(temporary)
})
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => once(child, 'close')))
  fs.rmSync(home, { recursive: true, force: true })
})

interface Daemon {
  readonly child: ChildProcess
  readonly url: string
  stderr(): string
  state(): Promise<AppState>
  command(name: string, args?: Record<string, unknown>): Promise<number>
  /** The exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Daemon> {
  const child = spawn(process.execPath, [join(programs.bin, 'keeld.cjs'), '--port', '0', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, USERPROFILE: home, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(/http:\/\/localhost:\d+ /)
  const url = /http:\/\/localhost:\d+/.exec(stderr)![0]
  const state = async (): Promise<AppState> => (await (await fetch(`${url}/api/state`)).json()) as AppState
  return {
    child,
    url,
    stderr: () => stderr,
    state,
    async command(name, rest = {}) {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${url}/api/command`, { method: 'POST', headers, body: JSON.stringify({ name, ...rest }) })).status
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

async function proposed(daemon: Daemon): Promise<{ readonly id: string; readonly nextAction: string }> {
  expect(await daemon.command('start')).toBe(202)
  await expect.poll(async () => (await daemon.state()).offscreen.status, { timeout: 20_000 }).toBe('proposed')
  return (await daemon.state()).offscreen.proposal!
}

describe('the program keeld', () => {
  it('shows the whole flow in the demo, touches nothing of the user’s, and takes its own folder away again', async () => {
    const daemon = await start(['--demo'])
    const { id, nextAction } = await proposed(daemon)
    expect(await daemon.command('confirm', { proposal_id: 'ffffffffffffffff' })).toBe(409)
    expect(await daemon.command('confirm', { proposal_id: id })).toBe(200)
    expect((await daemon.state()).offscreen).toMatchObject({ status: 'done', outcome: 'confirmed' })
    const history = (await (await fetch(`${daemon.url}/api/history`)).json()) as History
    expect(history.entries[0]).toMatchObject({ id, nextAction, outcome: 'confirmed' })
    expect(history.entries.length).toBeGreaterThan(5)
    const [folder] = fs.readdirSync(temporary).filter((name) => name.startsWith('keel-demo-'))
    expect(fs.readFileSync(join(temporary, folder!, 'todo.txt'), 'utf8')).toContain(nextAction)
    for (const path of ['/', '/history', '/settings', '/brief']) expect((await fetch(`${daemon.url}${path}`)).status, path).toBe(200)

    expect(await daemon.stop('SIGINT')).toBe(0)
    expect(fs.readdirSync(temporary)).toEqual([])
    expect(fs.readdirSync(home)).toEqual(['tmp'])
  })

  it('remembers across a stop what was dismissed a moment before it', async () => {
    const env = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }
    const first = await start([], env)
    const { id } = await proposed(first)
    expect(await first.command('dismiss', { proposal_id: id, args: { reason: 'raining' } })).toBe(200)
    expect(await first.stop()).toBe(0)

    const second = await start([], env)
    const history = (await (await fetch(`${second.url}/api/history`)).json()) as History
    expect(history.entries).toMatchObject([{ id, outcome: 'dismissed', reason: 'raining' }])
    expect(await second.stop()).toBe(0)
  })

  it('answers at once while ActivityWatch hangs, and makes a proposal all the same', async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    try {
      const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`
      const daemon = await start([], { KEEL_AW_URL: url, KEEL_TASKS: 'none' })
      await proposed(daemon)
      expect((await daemon.state()).memory.where).toBe('embedded')
      expect(await daemon.stop()).toBe(0)
    } finally {
      deaf.close()
    }
  })

  it.skipIf(process.platform === 'win32')('ends a proposer that ignores the wish to end, before it ends itself', async () => {
    const stubborn = join(home, 'claude')
    const pid = join(home, 'pid')
    fs.writeFileSync(stubborn, `#!/bin/sh\ntrap '' TERM\necho $$ > ${pid}\nwhile :; do sleep 0.1; done\n`, { mode: 0o755 })
    const env = { KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: stubborn, KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }
    const daemon = await start([], env)
    expect(await daemon.command('start')).toBe(202)
    await expect.poll(() => fs.existsSync(pid) && fs.readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 20_000 }).toBe(true)
    expect(await daemon.stop()).toBe(0)
    expect(() => process.kill(Number(fs.readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
    expect(fs.readdirSync(temporary)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'ends a task tool that ignores the wish to end, and never says that it added the task',
    async () => {
      const stubborn = join(home, 'tasks')
      const pid = join(home, 'pid')
      const script = `#!/bin/sh\n[ "$1" = add ] || exit 0\ntrap '' TERM\necho $$ > ${pid}\nwhile :; do sleep 0.1; done\n`
      fs.writeFileSync(stubborn, script, { mode: 0o755 })
      const daemon = await start([], { KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: stubborn, KEEL_MEMORY: 'local' })
      const { id } = await proposed(daemon)
      const confirmed = daemon.command('confirm', { proposal_id: id }).then(
        (status) => status,
        () => 'cut',
      )
      await expect.poll(() => fs.existsSync(pid) && fs.readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 20_000 }).toBe(true)
      expect(await daemon.stop()).toBe(0)
      expect(await confirmed).not.toBe(200)
      expect(() => process.kill(Number(fs.readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
    },
  )

  it('says what is wrong with a setting, and exits with 2', async () => {
    const ran = await programs.run('keeld', ['--port', '0'], { home, env: { KEEL_AI_BACKEND: 'oracle' } })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^error: .*oracle/m)
    expect(ran.stderr).toContain('KEEL_AI_BACKEND')
  })

  it('says in one line that it runs already, and exits with 1', async () => {
    const daemon = await start(['--demo'])
    const ran = await programs.run('keeld', ['--port', new URL(daemon.url).port], { home })
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(`^error: keeld already runs at ${daemon.url}\n`) })
    expect(await daemon.stop()).toBe(0)
  })
})
