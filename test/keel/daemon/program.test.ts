import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import type { History } from '../../../src/keel/server/app.ts'
import { builtKeeld, proposed } from './built-keeld.ts'

const keeld = builtKeeld()

describe('the program keeld', () => {
  it('shows the whole flow in the demo, touches nothing of the user’s, and takes its own folder away again', async () => {
    const daemon = await keeld.start(['--demo'])
    const { id, nextAction } = await proposed(daemon)
    expect(await daemon.command('confirm', { proposal_id: 'ffffffffffffffff' })).toBe(409)
    expect(await daemon.command('confirm', { proposal_id: id })).toBe(200)
    expect((await daemon.state()).offscreen).toMatchObject({ status: 'done', outcome: 'confirmed' })
    const history = (await (await fetch(`${daemon.url}/api/history`)).json()) as History
    expect(history.entries[0]).toMatchObject({ id, nextAction, outcome: 'confirmed' })
    expect(history.entries.length).toBeGreaterThan(5)
    const [folder] = fs.readdirSync(keeld.temporary).filter((name) => name.startsWith('keel-demo-'))
    expect(fs.readFileSync(join(keeld.temporary, folder!, 'todo.txt'), 'utf8')).toContain(nextAction)
    for (const path of ['/', '/history', '/settings', '/brief']) expect((await fetch(`${daemon.url}${path}`)).status, path).toBe(200)

    expect(await daemon.stop('SIGINT')).toBe(0)
    expect(fs.readdirSync(keeld.temporary)).toEqual([])
    expect(fs.readdirSync(keeld.home)).toEqual(['tmp'])
  })

  it('remembers across a stop what was dismissed a moment before it', async () => {
    const env = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }
    const first = await keeld.start([], env)
    const { id } = await proposed(first)
    expect(await first.command('dismiss', { proposal_id: id, args: { reason: 'raining' } })).toBe(200)
    expect(await first.stop()).toBe(0)

    const second = await keeld.start([], env)
    const history = (await (await fetch(`${second.url}/api/history`)).json()) as History
    expect(history.entries).toMatchObject([{ id, outcome: 'dismissed', reason: 'raining' }])
    expect(await second.stop()).toBe(0)
  })

  it('answers at once while ActivityWatch hangs, and makes a proposal all the same', async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    try {
      const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`
      const daemon = await keeld.start([], { KEEL_AW_URL: url, KEEL_TASKS: 'none' })
      await proposed(daemon)
      expect((await daemon.state()).memory.where).toBe('embedded')
      expect(await daemon.stop()).toBe(0)
    } finally {
      deaf.close()
    }
  })

  it('says what is wrong with a setting, and exits with 2', async () => {
    const ran = await keeld.run(['--port', '0'], { KEEL_AI_BACKEND: 'oracle' })
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^error: .*oracle/m)
    expect(ran.stderr).toContain('KEEL_AI_BACKEND')
    expect(ran.stderr).not.toContain('ready')
  })

  it('says in one line that it runs already, and exits with 1', async () => {
    const daemon = await keeld.start(['--demo'])
    const ran = await keeld.run(['--port', new URL(daemon.url).port])
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(`^error: keeld already runs at ${daemon.url}\n`) })
    expect(await daemon.stop()).toBe(0)
  })

  it('does not run twice for one user on two ports, and runs again as soon as the first one is gone, however it ended', async () => {
    const env = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }
    const first = await keeld.start([], env)
    const second = await keeld.run(['--port', '0'], env)
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/^error: keeld already runs at .+ \(process \d+, since .+\)\n {2}Open it .+ stop it first;.*\n$/)
    expect(second.stderr).toContain(`${first.url} (process ${first.child.pid},`)
    expect(await first.stop('SIGKILL')).toBeNull()
    const third = await keeld.start([], env)
    expect(third.stderr()).toMatch(/ready at/)
    expect(await third.stop()).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')('with --open opens the page of the one that runs, whatever its port, and is done', async () => {
    const opened = join(keeld.home, 'opened')
    fs.writeFileSync(join(keeld.home, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 })
    const env = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none', PATH: `${keeld.home}:${process.env.PATH}` }
    const daemon = await keeld.start([], env)
    const found = async (times: number): Promise<void> =>
      void (await expect.poll(() => fs.existsSync(opened) && fs.readFileSync(opened, 'utf8')).toBe(`${daemon.url}\n`.repeat(times)))
    for (const [times, port] of [
      [1, '0'],
      [2, new URL(daemon.url).port],
    ] as const) {
      const ran = await keeld.run(['--open', '--port', port], env)
      expect(ran).toMatchObject({ code: 0, stdout: '' })
      expect(ran.stderr).toMatch(new RegExp(`^keeld: already runs at ${daemon.url}.*; its page is opened\n$`))
      await found(times)
    }
    fs.rmSync(join(keeld.home, 'xdg-open'))
    const failed = await keeld.run(['--open', '--port', '0'], { ...env, PATH: keeld.home })
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^keeld: cannot open a browser .*\nerror: keeld already runs at/),
    })
    expect(await daemon.stop()).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('says of one that was stopped (Ctrl-Z) that it runs, and how it goes on', async () => {
    const env = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }
    const daemon = await keeld.start([], env)
    daemon.child.kill('SIGSTOP')
    const ran = await keeld.run(['--port', new URL(daemon.url).port], env)
    daemon.child.kill('SIGCONT')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(
      new RegExp(`^error: keeld already runs at ${daemon.url} .*does not answer\n.*kill -CONT ${daemon.child.pid}`),
    )
    expect(await daemon.stop()).toBe(0)
  })

  it('runs once where several are started at the same moment', async () => {
    const became = Array.from({ length: 4 }, async () => {
      const options = {
        env: { ...keeld.env, KEEL_MEMORY: 'local', KEEL_TASKS: 'none' },
        stdio: ['ignore', 'ignore', 'pipe'] as ('ignore' | 'pipe')[],
      }
      const child = keeld.own(spawn(process.execPath, [keeld.program, '--port', '0'], options))
      for await (const line of createInterface({ input: child.stderr! })) return line
    })
    const lines = (await Promise.all(became)).map((line) => /^keeld: ready at|^error: keeld already runs/.exec(line ?? '')?.[0])
    expect(lines.toSorted()).toEqual([...Array.from({ length: 3 }, () => 'error: keeld already runs'), 'keeld: ready at'])
  })

  it.skipIf(process.platform !== 'linux')('runs where its data can never be stored, and says so', async () => {
    const daemon = await keeld.start([], { XDG_DATA_HOME: '/proc/nope', KEEL_TASKS: 'none' })
    await proposed(daemon)
    expect(daemon.stderr()).toContain('/proc/nope')
    expect(await daemon.stop()).toBe(0)
  })
})
