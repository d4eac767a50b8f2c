/** The bytecode that `retrieve` keeps is a convenience: whatever happens to it, the answer is the same. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPrograms, type Programs } from '../helpers/built-programs.ts'

describe('the cache of compiled code', () => {
  let programs: Programs
  let home: string
  let cache: string
  beforeAll(async () => {
    programs = await buildPrograms()
    home = fs.mkdtempSync(join(tmpdir(), 'memu-compile-'))
    cache = join(home, '.memu', 'cache')
    fs.mkdirSync(join(home, '.memu'))
    fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_DB=~/.memu/memory.db\n')
    const stdin = JSON.stringify({ recall_files: [{ name: 'deploys', content: 'Deploys go to staging first.' }] })
    expect((await programs.run('memu', ['commit'], { home, stdin })).code).toBe(0)
  })
  afterAll(() => {
    programs.remove()
    fs.rmSync(home, { recursive: true, force: true })
  })

  const retrieve = async (env: Record<string, string> = {}): Promise<string> => {
    const { code, stdout, stderr } = await programs.run('memu-codex', ['retrieve', 'where do deploys go?'], { home, env })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('staging')
    return stdout
  }
  const kept = (): string[] => (fs.existsSync(cache) ? fs.readdirSync(cache, { recursive: true, encoding: 'utf8' }) : [])

  it('is not made where Node.js was told to keep none', async () => {
    await retrieve({ NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(kept()).toEqual([])
  })

  it('is made by the first run, private to the user, and changes no answer', async () => {
    const first = await retrieve()
    expect(kept().length).toBeGreaterThan(0)
    expect(fs.statSync(cache).mode & 0o077).toBe(0)
    expect(await retrieve()).toBe(first)
  })

  it('may be cut short or replaced by anything', async () => {
    const files = kept()
      .map((name) => join(cache, name))
      .filter((path) => fs.statSync(path).isFile())
    for (const damage of [
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      () => Buffer.alloc(0),
      () => Buffer.from('not bytecode'),
    ]) {
      for (const path of files) fs.writeFileSync(path, damage(fs.readFileSync(path)))
      await retrieve()
    }
  })

  it('may lie where nothing can be written', async () => {
    fs.rmSync(cache, { recursive: true })
    fs.writeFileSync(cache, 'a file in the way')
    await retrieve()
    fs.rmSync(cache)
  })
})
