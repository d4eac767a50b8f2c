import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeLease } from '../../../src/keel/daemon/lease.ts'
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

  it('fails on what is no such file, and leaves it as it is', () => {
    const file = join(temporaryFolder(), 'keeld.lock')
    fs.writeFileSync(file, 'something of somebody else’s, longer than the header of a database is'.repeat(20))
    const before = fs.readFileSync(file, 'utf8')
    expect(() => takeLease(file, holder(1))).toThrow(/not a database/)
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    expect(() => takeLease(temporaryFolder(), holder(1))).toThrow()
  })
})
