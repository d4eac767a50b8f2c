import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeLease } from '../../../src/keel/daemon/lease.ts'
import { leaseOf } from '../../../src/keel/daemon/only-one.ts'
import { defaultStoreFile } from '../../../src/keel/memory/place.ts'
import { realSystem } from '../../../src/util/system.ts'
import { program, run } from '../../helpers/programs.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const holder = (port: number) => ({ pid: process.pid, url: `http://localhost:${port}`, since: '2026-06-05T10:00:00.000Z' })

/** Another process that locks the file as SQLite does, by the packaged binding or the runtime's own, until it is killed. */
async function inAnotherProcess(file: string): Promise<ChildProcess> {
  const script = `
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.exec('begin immediate')
    console.log('held')
    setInterval(() => database.exec('select 1'), 60000)`
  const child = spawn(process.execPath, ['--no-warnings', '-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout!, 'data')
  return child
}

describe('the lease of a data folder', () => {
  it('is held by one, tells the next who that is, and is free again once it is released', () => {
    const file = join(temporaryFolder(), 'keel', 'keeld.lock')
    const first = takeLease(file, holder(1))
    expect(first.heldBy).toBeUndefined()
    const second = takeLease(file, holder(2))
    expect(second.heldBy).toEqual(holder(1))
    second.release()
    expect(takeLease(file, holder(2)).heldBy).toEqual(holder(1))
    first.release()
    first.release()
    const third = takeLease(file, holder(3))
    expect(third.heldBy).toBeUndefined()
    expect(takeLease(file, holder(2)).heldBy).toEqual(holder(3))
    third.release()
    if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(fs.readdirSync(join(file, '..'))).toEqual(['keeld.lock'])
  })

  it('is free as soon as the process is gone that held it, however it ended', async () => {
    const file = join(temporaryFolder(), 'keeld.lock')
    takeLease(file, holder(1)).release()
    const other = await inAnotherProcess(file)
    const gone = once(other, 'close')
    try {
      expect(takeLease(file, holder(2)).heldBy).toEqual(holder(1))
    } finally {
      other.kill('SIGKILL')
      await gone
    }
    const lease = takeLease(file, holder(2))
    expect(lease.heldBy).toBeUndefined()
    lease.release()
  })

  it('says that another one has it, though it cannot say who', async () => {
    const file = join(temporaryFolder(), 'keeld.lock')
    const other = await inAnotherProcess(file)
    const gone = once(other, 'close')
    try {
      expect(takeLease(file, holder(1)).heldBy).toBe('unknown')
    } finally {
      other.kill('SIGKILL')
      await gone
    }
  })

  it('is held also where another sort of lock has to do, as the file is none of ours, which stays as it is', async () => {
    const file = join(temporaryFolder(), 'keeld.lock')
    fs.writeFileSync(file, 'something of somebody else’s, longer than the header of a database is'.repeat(20))
    const before = fs.readFileSync(file, 'utf8')
    const lease = takeLease(file, holder(1))
    expect(lease.heldBy).toBeUndefined()
    expect(takeLease(file, holder(2)).heldBy).toBe('unknown')
    lease.release()
    const next = takeLease(file, holder(2))
    expect(next.heldBy).toBeUndefined()
    next.release()
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    expect(() => takeLease(temporaryFolder(), holder(1))).toThrow()
  })

  it.skipIf(process.platform === 'win32')('is held by one alone where there is no room to say by whom', async () => {
    const file = join(temporaryFolder(), 'keeld.lock')
    const lease = await program('keel-lease-program')
    const begin = () => run('/bin/sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, lease, file])
    const first = begin()
    await first.printed('held\n')
    const second = begin()
    await second.printed('held by "unknown"')
    for (const { child, ended } of [first, second]) {
      child.kill('SIGKILL')
      await ended
    }
    const free = takeLease(file, holder(1))
    expect(free.heldBy).toBeUndefined()
    free.release()
  })

  it.each(['removed', 'replaced'])('knows when its file was %s', (how) => {
    const file = join(temporaryFolder(), 'keeld.lock')
    const lease = takeLease(file, holder(1))
    expect(lease.isThere()).toBe(true)
    fs.renameSync(file, `${file}.old`)
    if (how === 'replaced') fs.writeFileSync(file, '')
    expect(lease.isThere()).toBe(false)
    lease.release()
  })
})

describe('the lease of a running daemon', () => {
  const world = () => {
    const home = temporaryFolder()
    const system = { ...realSystem(), home, env: { XDG_DATA_HOME: join(home, 'data'), LOCALAPPDATA: join(home, 'data') } }
    const lines: string[] = []
    const taken: string[] = []
    const open = (port: number) => {
      const url = `http://localhost:${port}`
      const lease = leaseOf({ system, url, log: (line) => lines.push(line), onTaken: (error) => taken.push(error.message), everyMs: 5 })
      onTestFinished(() => lease?.release())
    }
    const file = join(dirname(defaultStoreFile(system)), 'keeld.lock')
    return { file, lines, taken, open }
  }

  it('is taken anew where somebody takes it away, with its folder', async () => {
    const { file, lines, taken, open } = world()
    open(1)
    fs.rmSync(dirname(file), { recursive: true })
    await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('was taken away; it is made and held anew')]))
    expect(takeLease(file, holder(2)).heldBy).toMatchObject({ url: 'http://localhost:1' })
    expect(taken).toEqual([])
  })

  it('ends the daemon where another one has it by then', async () => {
    const { file, taken, open } = world()
    open(1)
    fs.rmSync(file)
    const other = takeLease(file, holder(2))
    onTestFinished(() => other.release())
    await vi.waitFor(() => expect(taken).toEqual([expect.stringContaining('keeld already runs at http://localhost:2')]))
  })
})
