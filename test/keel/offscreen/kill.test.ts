/** The built program, ended while a task tool is at work: what it did by then, nobody can know. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OffscreenView } from '../../../src/keel/offscreen/view.ts'
import type { AppState, History } from '../../../src/keel/server/app.ts'
import { buildPrograms, type Programs } from '../../helpers/built-programs.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

let programs: Programs
let home: string
const running = new Set<ChildProcess>()
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.remove())
beforeEach(() => {
  home = temporaryFolder()
  fs.writeFileSync(join(home, 'tool'), TOOL, { mode: 0o755 })
})
afterEach(async () => {
  // A tool whose daemon is gone waits for nobody else.
  fs.writeFileSync(at('go'), '')
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => once(child, 'close')))
})

const at = (name: string): string => join(home, name)

/** Adds at once, and ends only when it may. */
const TOOL = `#!/bin/sh
[ "$1" = add ] || exit 0
echo "$3" >> "$HOME/added"
until [ -e "$HOME/go" ]; do sleep 0.05; done
`

async function start() {
  const child = spawn(process.execPath, [join(programs.bin, 'keeld.cjs'), '--port', '0'], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: at('tool'), KEEL_MEMORY: 'local' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  const closed = once(child, 'close').finally(() => running.delete(child))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const found = (): string | undefined => /http:\/\/localhost:\d+(?= )/.exec(stderr)?.[0]
  await expect.poll(found, { timeout: 20_000 }).toBeDefined()
  const url = found()!
  return {
    stderr: () => stderr,
    async offscreen(): Promise<OffscreenView> {
      return ((await (await fetch(`${url}/api/state`)).json()) as AppState).offscreen
    },
    async outcomes(): Promise<string[]> {
      return ((await (await fetch(`${url}/api/history`)).json()) as History).entries.map(({ outcome }) => outcome)
    },
    async command(name: string): Promise<number | 'cut'> {
      const body = JSON.stringify({ name })
      const headers = { 'content-type': 'application/json' }
      return fetch(`${url}/api/command`, { method: 'POST', headers, body }).then(
        ({ status }) => status,
        () => 'cut',
      )
    },
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal)
      return (await closed)[0] as number | null
    },
  }
}

const added = (): string[] => (fs.existsSync(at('added')) ? fs.readFileSync(at('added'), 'utf8').trim().split('\n') : [])

/** A daemon in the middle of adding a task. */
async function confirming() {
  const daemon = await start()
  expect(await daemon.command('start')).toBe(202)
  await expect.poll(async () => (await daemon.offscreen()).status, { timeout: 20_000 }).toBe('proposed')
  const answer = daemon.command('confirm')
  await expect.poll(added, { timeout: 20_000 }).toHaveLength(1)
  return { daemon, answer }
}

describe.skipIf(process.platform === 'win32')('keeld, ended while a task is being added,', () => {
  it('warns of it when it was killed, and adds it again only for who confirms all the same', async () => {
    const { daemon, answer } = await confirming()
    await daemon.end('SIGKILL')
    expect(await answer).toBe('cut')

    const next = await start()
    await expect.poll(async () => (await next.offscreen()).status, { timeout: 20_000 }).toBe('proposed')
    expect((await next.offscreen()).error).toMatchObject({ code: 'task_create_unknown' })
    expect(await next.outcomes()).toEqual(['unknown'])
    expect(added()).toHaveLength(1)
    fs.writeFileSync(at('go'), '')
    expect(await next.command('confirm')).toBe(200)
    expect(added()).toHaveLength(2)
    expect(await next.outcomes()).toEqual(['confirmed'])
    expect(await next.end('SIGTERM')).toBe(0)
  })

  it('waits for it when it is asked to stop, and remembers that it was confirmed', async () => {
    const { daemon, answer } = await confirming()
    const code = daemon.end('SIGTERM')
    await expect.poll(daemon.stderr, { timeout: 20_000 }).toContain('a task is being added; waiting for it, 10 s at most')
    fs.writeFileSync(at('go'), '')
    expect(await code).toBe(0)
    await answer

    const next = await start()
    expect(await next.outcomes()).toEqual(['confirmed'])
    expect((await next.offscreen()).status).toBe('pending')
    expect(added()).toHaveLength(1)
    expect(await next.end('SIGTERM')).toBe(0)
  })
})
