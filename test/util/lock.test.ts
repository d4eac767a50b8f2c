import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acquireLock, lockHolder } from '../../src/util/lock.ts'
import { processStart } from '../../src/util/process-identity.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'memu-lock-'))
  path = join(directory, 'the.lock')
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

const files = (): string[] => fs.readdirSync(directory)

describe('a lock', () => {
  it('is held by one, who is named to the other, and free after its release', () => {
    const lock = acquireLock(path, { purpose: 'bridge' })
    expect(lockHolder(path)).toMatchObject({ pid: process.pid, machine: hostname(), purpose: 'bridge' })
    expect(() => acquireLock(path, { purpose: 'prepare' })).toThrow(
      expect.objectContaining({ code: 'locked', message: expect.stringMatching(new RegExp(`bridge \\(process ${process.pid} on `)) }),
    )
    lock.release()
    lock.release()
    expect(files()).toEqual([])
    acquireLock(path, { purpose: 'prepare' }).release()
  })

  it('is entered again with its token, and only the outer release frees it', () => {
    const outer = acquireLock(path, { purpose: 'bridge' })
    acquireLock(path, { purpose: 'prepare', token: outer.token }).release()
    expect(lockHolder(path)?.token).toBe(outer.token)
    expect(() => acquireLock(path, { purpose: 'prepare', token: 'other' })).toThrow(expect.objectContaining({ code: 'locked' }))
    outer.release()
  })

  const owner = (change: object): string =>
    JSON.stringify({ pid: process.pid, machine: hostname(), purpose: 'bridge', since: new Date().toISOString(), token: 't', ...change })

  const started = processStart(process.pid)
  const self = { pid: process.pid, ...(started === undefined ? {} : { started }) }

  it.each([
    ['whose process is gone', owner({ pid: 2 ** 22 + 1 })],
    ['whose process id belongs to another process now', owner({ started: 'before the last boot' })],
    ['whose owner cannot be told from another process, after a day', owner({ since: new Date(Date.now() - 25 * 3600_000).toISOString() })],
    ['of another machine that is from the future', owner({ machine: 'elsewhere', pid: 1, since: '2099-01-01T00:00:00.000Z' })],
    ['of a process whose start is unknown and which is from the future', owner({ pid: process.ppid, since: '2099-01-01T00:00:00.000Z' })],
    ['of another machine after a day', owner({ machine: 'elsewhere', since: new Date(Date.now() - 25 * 3600_000).toISOString() })],
  ])('%s is taken over', (_, text) => {
    fs.writeFileSync(path, text)
    expect(lockHolder(path)).toBeUndefined()
    const lock = acquireLock(path, { purpose: 'prepare' })
    expect(lockHolder(path)?.purpose).toBe('prepare')
    expect(files()).toEqual(['the.lock'])
    lock.release()
  })

  it.each([
    ['of another machine', owner({ machine: 'elsewhere', pid: 2 ** 22 + 1 })],
    ['of another machine whose clock is a little ahead', owner({ machine: 'elsewhere', since: new Date(Date.now() + 5000).toISOString() })],
    ['of a living process, however long it runs', owner({ ...self, since: new Date(Date.now() - 1000 * 3600_000).toISOString() })],
    ['of a living process whose start is unknown', owner({ pid: process.ppid })],
    ['that is being written right now', ''],
  ])('%s is left alone', (_, text) => {
    fs.writeFileSync(path, text)
    expect(() => acquireLock(path, { purpose: 'prepare' })).toThrow(expect.objectContaining({ code: 'locked' }))
    expect(fs.readFileSync(path, 'utf8')).toBe(text)
  })

  it('that nobody can read is taken over once it is old', () => {
    fs.writeFileSync(path, '{"pid":')
    const later = (): Date => new Date(Date.now() + 11_000)
    acquireLock(path, { purpose: 'prepare', now: later }).release()
  })

  it('that nobody can read is taken over where it is from the future, as long as anybody can tell', () => {
    fs.writeFileSync(path, 'garbage')
    fs.utimesSync(path, new Date('2099-01-01'), new Date('2099-01-01'))
    acquireLock(path, { purpose: 'prepare' }).release()
    expect(files()).toEqual([])
  })

  it.skipIf(process.platform === 'win32').each([
    ['pipe', () => spawnSync('mkfifo', [path])],
    ['folder', () => fs.mkdirSync(path)],
  ])('is not opened where a %s lies in its place', (_, make) => {
    make()
    const refusal = expect.objectContaining({ code: 'lock_is_no_file', hint: 'Move it away.' })
    expect(() => acquireLock(path, { purpose: 'prepare' })).toThrow(refusal)
    expect(files()).toEqual(['the.lock'])
  })

  it('is taken over although the one who was taking it over died in the middle', () => {
    fs.writeFileSync(path, owner({ pid: 2 ** 22 + 1 }))
    fs.writeFileSync(`${path}.guard`, owner({ pid: 2 ** 22 + 1 }))
    acquireLock(path, { purpose: 'prepare' }).release()
    expect(files()).toEqual([])
  })
})

describe('between processes', () => {
  let bundle: string
  const children: ChildProcess[] = []
  beforeAll(async () => {
    bundle = fs.mkdtempSync(join(tmpdir(), 'memu-lock-bundle-'))
    const input = join(bundle, 'entry.mjs')
    // Counts up a number in a file under the lock; without mutual exclusion counts get lost.
    fs.writeFileSync(
      input,
      `import * as fs from 'node:fs'
       import { acquireLock } from ${JSON.stringify(join(import.meta.dirname, '../../src/util/lock.ts'))}
       const [path, counter, rounds, mode] = process.argv.slice(2)
       for (let round = 0; round < Number(rounds); ) {
         let lock
         try { lock = acquireLock(path, { purpose: 'count' }) } catch (error) { if (error.code !== 'locked') throw error; continue }
         const value = Number(fs.readFileSync(counter, 'utf8'))
         if (mode === 'die') process.kill(process.pid, 'SIGKILL')
         fs.writeFileSync(counter, String(value + 1))
         if (mode === 'exit') process.exit(0)
         lock.release()
         round++
       }`,
    )
    await build({ input, platform: 'node', output: { file: join(bundle, 'count.mjs'), format: 'esm' }, logLevel: 'silent' })
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    fs.rmSync(bundle, { recursive: true, force: true })
  })

  const counting = async (counter: string, rounds: number, mode = ''): Promise<unknown> => {
    const child = spawn(process.execPath, [join(bundle, 'count.mjs'), path, counter, String(rounds), mode], { stdio: 'inherit' })
    children.push(child)
    const [code, signal] = await once(child, 'exit')
    return signal ?? code
  }

  it('excludes, also when several find the lock of a killed one at the same time', async () => {
    const counter = join(directory, 'counter')
    fs.writeFileSync(counter, '0')
    for (let n = 0; n < 5; n++) {
      expect(await counting(counter, 1, 'die')).toBe('SIGKILL')
      expect(files()).toContain('the.lock')
      expect(await Promise.all([counting(counter, 40), counting(counter, 40), counting(counter, 40)])).toEqual([0, 0, 0])
    }
    expect(fs.readFileSync(counter, 'utf8')).toBe('600')
    expect(files()).toEqual(['counter'])
  })

  it('is released by a process that ends without releasing it', async () => {
    const counter = join(directory, 'counter')
    fs.writeFileSync(counter, '0')
    expect(await counting(counter, 1, 'exit')).toBe(0)
    expect(files()).toEqual(['counter'])
  })
})
