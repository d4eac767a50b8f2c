import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listen } from '../../../src/keel/daemon/listen.ts'
import { type DaemonIo, keeld } from '../../../src/keel/daemon.ts'
import type { RunningApp } from '../../../src/keel/harness/app.ts'
import { newKeelServer } from '../../../src/keel/server/http.ts'
import { InvalidSetting } from '../../../src/keel/settings/invalid-setting.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
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

function start(args: readonly string[], create: Partial<RunningApp> | Create = {}, home = temporaryFolder()): Running {
  const stopping = new AbortController()
  const lines: string[] = []
  const out: string[] = []
  const asked: Running['asked'] = []
  const io: DaemonIo = {
    system: { ...realSystem(), env: {}, home },
    args,
    out: (text) => out.push(text),
    log: { isTimed: false, write: (text) => lines.push(text.trimEnd()), waiting: () => 0, drained: async () => {} },
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

/** One that nobody had a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Another program on a port of `::1`, which is free on `127.0.0.1`. */
async function withTakenSecond(): Promise<{ readonly server: Server | undefined; readonly taken: number }> {
  const server = createServer((_, response) => response.end('<html>')).listen(0, '::1')
  try {
    await once(server, 'listening')
  } catch {
    return { server: undefined, taken: 0 }
  }
  return { server, taken: (server.address() as AddressInfo).port }
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

  it('listens before anything else is there, and says that it is ready only then', async () => {
    let open: (app: RunningApp) => void = () => {}
    const port = String(await freePort())
    const running = start(['--port', port, '--demo'], () => new Promise((resolve) => (open = resolve)))
    const url = `http://localhost:${port}`
    await expect.poll(() => running.asked).toMatchObject([{ demo: true }])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const page = fetch(url)
    expect(running.lines).toEqual([])
    open({ ...fakeApp(), close: async () => {} })
    expect((await page).status).toBe(200)
    expect(await running.url()).toBe(url)
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

  it('does not run twice over one data folder, whatever the port: the second one says where the first is, and gives its port back', async () => {
    const home = temporaryFolder()
    const first = start(['--port', '0'], {}, home)
    const url = await first.url()
    const port = String(await freePort())
    const second = start(['--port', port], {}, home)
    await expect(second.code).rejects.toMatchObject({
      code: 'already_running',
      exit: 1,
      message: expect.stringContaining(`keeld already runs at ${url} (process ${process.pid}, since `),
      hint: expect.stringMatching(/stop it first/),
    })
    expect([second.asked, second.lines]).toEqual([[], []])
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
    const demo = start(['--port', '0', '--demo'], {}, home)
    await demo.url()
    for (const one of [first, demo]) {
      one.stop()
      expect(await one.code).toBe(0)
    }
    const third = start(['--port', port], {}, home)
    await third.url()
    third.stop()
    expect(await third.code).toBe(0)
  })

  it('runs where there can be no lock, and says so', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, '.local'), 'no folder')
    writeFileSync(join(home, 'Library'), 'no folder')
    writeFileSync(join(home, 'AppData'), 'no folder')
    const running = start(['--port', '0'], {}, home)
    await running.url()
    expect(running.lines[0]).toMatch(/^keeld: cannot lock .+keeld\.lock, so a second one would not be kept out \(.+\)$/)
    running.stop()
    expect(await running.code).toBe(0)
  })

  it('listens on any port that is free, also where another program has it on the second address', async (test) => {
    const { server, taken } = await withTakenSecond()
    if (server === undefined) return test.skip() // IPv6 is switched off.
    const keel = newKeelServer({ app: Promise.resolve(fakeApp()), assets: new Map(), version: '1', log: () => {} })
    const onePort = {
      ...keel,
      listen: (host: string, port: number) => keel.listen(host, host === '127.0.0.1' && port === 0 ? taken : port),
    }
    try {
      expect(await listen(onePort, ['127.0.0.1', '::1'], 0, realSystem())).toBe(taken)
      expect((await fetch(`http://127.0.0.1:${taken}/healthz`)).status).toBe(200)
      await expect(listen(keel, ['::1', '127.0.0.1'], taken, realSystem())).rejects.toMatchObject({ code: 'port_taken' })
    } finally {
      await keel.close(AbortSignal.abort())
      server.close()
      server.closeAllConnections()
    }
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
    const port = String(await freePort())
    const running = start(['--port', port], () => Promise.reject(wrong))
    await expect(running.code).rejects.toBe(wrong)
    expect(running.lines).toEqual([])
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
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
