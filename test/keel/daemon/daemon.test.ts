import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type DaemonIo, keeld } from '../../../src/keel/daemon.ts'
import type { RunningApp } from '../../../src/keel/harness/app.ts'
import { InvalidSetting } from '../../../src/keel/settings/invalid-setting.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { fakeApp } from '../server/fake-app.ts'

interface Running {
  readonly code: Promise<number>
  readonly lines: string[]
  readonly out: string[]
  readonly asked: { readonly system: System; readonly demo?: boolean | undefined }[]
  url(): Promise<string>
  stop(): void
}

type Create = (system: System, options: { readonly demo?: boolean | undefined }) => Promise<RunningApp>

function start(args: readonly string[], create: Partial<RunningApp> | Create = {}, env: Record<string, string> = {}): Running {
  const stopping = new AbortController()
  const lines: string[] = []
  const out: string[] = []
  const asked: Running['asked'] = []
  const io: DaemonIo = {
    system: { ...realSystem(), env },
    args,
    out: (text) => out.push(text),
    err: (text) => lines.push(text.trimEnd()),
    signal: () => stopping.signal,
  }
  const code = keeld(io, async (system, options = {}) => {
    asked.push({ system, demo: options.demo })
    return typeof create === 'function' ? create(system, options) : { ...fakeApp(), close: async () => {}, ...create }
  })
  code.catch(() => {})
  return {
    code,
    lines,
    out,
    asked,
    async url() {
      const found = (): string | undefined => lines.map((line) => /http:\/\/\S+/.exec(line)?.[0]).find((url) => url !== undefined)
      await expect.poll(found).toBeDefined()
      return found()!
    },
    stop: () => stopping.abort(),
  }
}

describe('keeld', () => {
  it('says where it is and how to stop it, answers there on both loopback addresses, and stops with 0', async () => {
    const running = start(['--port', '0'])
    const url = await running.url()
    expect(running.lines[0]).toBe(`keeld: ready at ${url} (Ctrl-C stops it)`)
    expect(url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ name: 'keeld' })
    expect((await fetch(`${url.replace('localhost', '127.0.0.1')}/api/state`)).status).toBe(200)
    running.stop()
    expect(await running.code).toBe(0)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('listens before anything else is ready', async () => {
    let open: (app: RunningApp) => void = () => {}
    const running = start(['--port', '0', '--demo'], () => new Promise((resolve) => (open = resolve)))
    const url = await running.url()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const page = fetch(url)
    await expect.poll(() => running.asked).toMatchObject([{ demo: true }])
    open({ ...fakeApp(), close: async () => {} })
    expect((await page).status).toBe(200)
    running.stop()
    expect(await running.code).toBe(0)
  })

  it('says that it runs already where another one has the port, and leaves that one alone', async () => {
    const first = start(['--port', '0'])
    const url = await first.url()
    const second = start(['--port', new URL(url).port])
    await expect(second.code).rejects.toMatchObject({ code: 'already_running', exit: 1, message: `keeld already runs at ${url}` })
    expect(second.asked).toEqual([])
    expect((await fetch(`${url}/api/state`)).status).toBe(200)
    first.stop()
    await first.code
  })

  it('says that another program has the port, also where it answers nothing that makes sense', async () => {
    for (const answer of ['{"name":"other"}', 'null', '<html>']) {
      const other = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const port = String((other.address() as AddressInfo).port)
      await expect(start(['--port', port]).code).rejects.toMatchObject({
        code: 'port_taken',
        exit: 1,
        hint: expect.stringContaining('--port'),
      })
      other.close()
      other.closeAllConnections()
    }
  })

  it('does not start with settings that nothing can be started with, and gives the port back', async () => {
    const wrong = new InvalidSetting('ai_backend', 'KEEL_AI_BACKEND cannot be "x".', { code: 'invalid_backend' })
    const running = start(['--port', '0'], () => Promise.reject(wrong))
    await expect(running.code).rejects.toBe(wrong)
    await expect(fetch(`${await running.url()}/healthz`)).rejects.toThrow()
  })

  it('waits until what was recorded is stored, but not for ever', async () => {
    let given: AbortSignal | undefined
    const running = start(['--port', '0'], {
      close: async (signal) => {
        given = signal
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      },
    })
    await running.url()
    running.stop()
    expect(await running.code).toBe(0)
    expect(given!.aborted).toBe(true)
  })

  it('does not end before a program that it started, also one that does not want to', async () => {
    const code = 'process.on("SIGTERM", () => {}); console.log("ready"); setTimeout(() => {}, 60000)'
    let pid = 0
    const running = start(['--port', '0'], async (system) => {
      const child = system.processes().spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
      pid = child.pid!
      await once(child.stdout!, 'data')
      const close = async (): Promise<void> => {
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 100)
      }
      return { ...fakeApp(), close }
    })
    await expect.poll(() => pid).not.toBe(0)
    await expect.poll(async () => (await fetch(`${await running.url()}/api/state`)).status).toBe(200)
    running.stop()
    expect(await running.code).toBe(0)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('prints its help and its version, and refuses what it does not know', async () => {
    const help = start(['--help'])
    expect(await help.code).toBe(0)
    expect(help.out.join('')).toMatch(/^Usage: keeld /)
    const version = start(['-V'])
    await version.code
    expect(version.out.join('')).toMatch(/^\d+\.\d+\.\d+\n$/)
    await expect(start(['serve']).code).rejects.toMatchObject({ code: 'usage', exit: 2 })
    expect([...help.asked, ...version.asked]).toEqual([])
  })
})
