/** The built daemon as a user runs it: bundled, a process of its own, in a scratch home. Call `builtKeeld` at the top of a test file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { AppState } from '../../../src/keel/server/app.ts'
import { buildPrograms, type Programs, type Ran } from '../../helpers/built-programs.ts'

export interface Daemon {
  readonly child: ChildProcess
  readonly url: string
  stderr(): string
  state(): Promise<AppState>
  command(name: string, args?: Record<string, unknown>): Promise<number>
  /** The exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface BuiltKeeld {
  /** The daemon's own, empty before each test; `temporary` lies in it. */
  readonly home: string
  readonly temporary: string
  /** On any port, once it has said where it is. */
  start(args: readonly string[], env?: Record<string, string>): Promise<Daemon>
  /** To its end. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>
  /** What `start` starts, for those that start it otherwise. */
  readonly program: string
  readonly env: Record<string, string>
  /** Killed after the test, where it still runs. */
  own(child: ChildProcess): ChildProcess
  /** A program for Unix that writes its process id, and ignores the wish to end once it runs; `when` is a line of shell before that. */
  stubborn(name: string, when?: string): { readonly path: string; started(): Promise<number> }
}

export function builtKeeld(): BuiltKeeld {
  let programs: Programs
  let home = ''
  let temporary = ''
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
    const ended = [...running].map((child) => once(child, 'close'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(ended)
    fs.rmSync(home, { recursive: true, force: true })
  })

  function own(child: ChildProcess): ChildProcess {
    running.add(child)
    child.once('close', () => running.delete(child))
    return child
  }

  const built: BuiltKeeld = {
    get home() {
      return home
    },
    get temporary() {
      return temporary
    },
    get program() {
      return join(programs.bin, 'keeld.cjs')
    },
    get env() {
      return { PATH: process.env.PATH ?? '', HOME: home, USERPROFILE: home, TMPDIR: temporary }
    },
    own,
    run: (args, env = {}) => programs.run('keeld', args, { home, env }),
    async start(args, env = {}) {
      const child = spawn(process.execPath, [built.program, '--port', '0', ...args], {
        cwd: home,
        env: { ...built.env, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      own(child)
      let stderr = ''
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        stderr += text
      })
      const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
      await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(/ at http:\/\/localhost:\d+ /)
      return daemonAt(/ at (http:\/\/localhost:\d+) /.exec(stderr)![1]!, child, ended, () => stderr)
    },
    stubborn(name, when = ':') {
      const path = join(home, name)
      const pid = join(home, `${name}.pid`)
      fs.writeFileSync(path, `#!/bin/sh\n${when}\ntrap '' TERM\necho $$ > ${pid}\nwhile :; do sleep 0.1; done\n`, { mode: 0o755 })
      return {
        path,
        async started() {
          await expect.poll(() => fs.existsSync(pid) && fs.readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 20_000 }).toBe(true)
          return Number(fs.readFileSync(pid, 'utf8'))
        },
      }
    },
  }
  return built
}

export function daemonAt(url: string, child: ChildProcess, ended: Promise<number | null>, stderr = () => ''): Daemon {
  return {
    child,
    url,
    stderr,
    ended,
    state: async () => (await (await fetch(`${url}/api/state`)).json()) as AppState,
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

export async function proposed(daemon: Daemon): Promise<{ readonly id: string; readonly nextAction: string }> {
  expect(await daemon.command('start')).toBe(202)
  await expect.poll(async () => (await daemon.state()).offscreen.status, { timeout: 20_000 }).toBe('proposed')
  return (await daemon.state()).offscreen.proposal!
}

/** Whether no process of this number runs any more; in a container without an `init` one that has ended stays as a zombie. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform === 'linux' && / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''))
  } catch {
    return true
  }
}
