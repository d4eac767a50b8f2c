import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { trackPrograms } from '../../../src/keel/daemon/programs.ts'
import { realSystem } from '../../../src/util/system.ts'
import { isGone } from './built-keeld.ts'

const STUBBORN = 'process.on("SIGTERM", () => {}); console.log(process.pid); setTimeout(() => {}, 60000)'

async function start(
  spawner: typeof spawn,
  code: string,
  detached: boolean,
): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawner(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'], detached })
  const [said] = await once(child.stdout!.setEncoding('utf8'), 'data')
  return { child, said }
}

describe('the programs of a daemon', () => {
  it('are all ended at once, with what they started in their groups; what was not started through it is left alone', async () => {
    const { system, ended, kill } = trackPrograms(realSystem())
    const parent = `const { spawn } = require("node:child_process"); spawn(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { stdio: "inherit" })`
    const leader = await start(system.processes().spawn, `${parent}; setTimeout(() => {}, 60000)`, true)
    const plain = await start(system.processes().spawn, STUBBORN, false)
    const { child: other } = await start(spawn, STUBBORN, false)
    kill()
    await ended()
    expect([leader.child.signalCode, plain.child.signalCode]).toEqual(['SIGKILL', 'SIGKILL'])
    await expect.poll(() => isGone(Number(leader.said))).toBe(true)
    expect(isGone(other.pid!)).toBe(false)
    kill() // There is nobody left.
    other.kill('SIGKILL')
    await once(other, 'close')
  })

  it('that could not even start are not waited for', async () => {
    const { system, ended, kill } = trackPrograms(realSystem())
    system
      .processes()
      .spawn('/nowhere/program', [])
      .on('error', () => {})
    kill()
    await ended()
  })
})
