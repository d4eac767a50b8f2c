/** The built program, ended while a task tool is at work: what it did by then, nobody can know. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { History } from '../../../src/keel/server/app.ts'
import { builtKeeld, type Daemon, proposed } from '../daemon/built-keeld.ts'

const keeld = builtKeeld()
const at = (name: string): string => join(keeld.home, name)

/** Adds at once, and ends only when it may; or when the test is over. */
const TOOL = `#!/bin/sh
[ "$1" = add ] || exit 0
echo "$3" >> "$HOME/added"
until [ -e "$HOME/go" ] || [ ! -d "$HOME" ]; do sleep 0.05; done
`
beforeEach(() => fs.writeFileSync(at('tool'), TOOL, { mode: 0o755 }))
afterEach(() => fs.writeFileSync(at('go'), ''))

const start = (): Promise<Daemon> => keeld.start([], { KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: at('tool'), KEEL_MEMORY: 'local' })
const added = (): number => (fs.existsSync(at('added')) ? fs.readFileSync(at('added'), 'utf8').trim().split('\n').length : 0)

async function outcomes({ url }: Daemon): Promise<string[]> {
  const { entries } = (await (await fetch(`${url}/api/history`)).json()) as History
  return entries.map(({ outcome }) => outcome)
}

/** A daemon in the middle of adding a task, and what its user gets to hear. */
async function confirming() {
  const daemon = await start()
  await proposed(daemon)
  const answer = daemon.command('confirm').catch(() => 'none')
  await expect.poll(added, { timeout: 20_000 }).toBe(1)
  return { daemon, answer }
}

describe.skipIf(process.platform === 'win32')('keeld, ended while a task is being added,', () => {
  it('warns of it when it was killed, and adds it again only for who confirms all the same', async () => {
    const { daemon, answer } = await confirming()
    await daemon.stop('SIGKILL')
    expect(await answer).toBe('none')

    const next = await start()
    await expect.poll(async () => (await next.state()).offscreen.status, { timeout: 20_000 }).toBe('proposed')
    expect((await next.state()).offscreen.error).toMatchObject({ code: 'task_create_unknown' })
    expect(await outcomes(next)).toEqual(['unknown'])
    expect(added()).toBe(1)
    fs.writeFileSync(at('go'), '')
    expect(await next.command('confirm')).toBe(409)
    expect(added()).toBe(1)
    expect(await next.command('confirm', { args: { again: true } })).toBe(200)
    expect(added()).toBe(2)
    expect(await outcomes(next)).toEqual(['confirmed'])
    expect(await next.stop()).toBe(0)
  })

  it('waits for it when it is asked to stop, answers, and remembers that it was confirmed', async () => {
    const { daemon, answer } = await confirming()
    const code = daemon.stop()
    await expect.poll(daemon.stderr, { timeout: 20_000 }).toContain('a task is being added; waiting for it, 10 s at most')
    fs.writeFileSync(at('go'), '')
    expect(await code).toBe(0)
    expect(await answer).toBe(200)

    const next = await start()
    expect(await outcomes(next)).toEqual(['confirmed'])
    expect((await next.state()).offscreen.status).toBe('pending')
    expect(added()).toBe(1)
    expect(await next.stop()).toBe(0)
  })
})
