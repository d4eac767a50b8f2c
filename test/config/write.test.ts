import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureClientId } from '../../src/config/client-id.ts'
import { CLOUD_BASE_URL, EMBEDDING_BASE_URLS } from '../../src/config/defaults.ts'
import { parseDotenv } from '../../src/config/dotenv.ts'
import { loadSettings } from '../../src/config/load.ts'
import { applyChanges, writeConfig } from '../../src/config/write.ts'
import { realSystem, type System } from '../../src/util/system.ts'

let home: string
let path: string
let system: System

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'memu-config-'))
  path = join(home, '.memu', 'config.env')
  system = { ...realSystem(), env: {}, home, cwd: home }
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

function given(content: string | Uint8Array): void {
  fs.mkdirSync(join(home, '.memu'), { recursive: true })
  fs.writeFileSync(path, content)
}
const stored = (): string => fs.readFileSync(path, 'utf8')

describe('writing config.env', () => {
  it('creates file and directory for their owner alone', async () => {
    const written = await writeConfig(system, { MEMU_DB: '/m.db' })
    expect(written).toEqual({ path, created: true, changed: ['MEMU_DB'], isPrivate: process.platform !== 'win32' })
    expect(stored()).toBe('MEMU_DB=/m.db\n')
    if (process.platform === 'win32') return
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
    expect(fs.statSync(join(home, '.memu')).mode & 0o777).toBe(0o700)
  })

  it.skipIf(process.platform === 'win32')('closes a file and directory that stood open', async () => {
    given('A=1\n')
    fs.chmodSync(path, 0o644)
    fs.chmodSync(join(home, '.memu'), 0o755)
    await writeConfig(system, { B: '2' })
    expect(fs.statSync(path).mode & 0o777).toBe(0o600)
    expect(fs.statSync(join(home, '.memu')).mode & 0o777).toBe(0o700)
  })

  it('says honestly that Windows does not enforce the mode, and uses its line ending for a new file', async () => {
    const written = await writeConfig({ ...system, platform: 'win32' }, { A: '1' })
    expect(written.isPrivate).toBe(false)
    expect(stored()).toBe('A=1\r\n')
  })

  it('keeps order, comments, unknown keys, quoting and what it cannot read', async () => {
    given("# mine\nexport FOO='a b' # why\n\nMEMU_DB=/old.db # the store\nsome words\nLAST=1")
    await writeConfig(system, { MEMU_DB: '/new.db', NEW: 'x', FOO: 'a b' })
    expect(stored()).toBe("# mine\nexport FOO='a b' # why\n\nMEMU_DB=/new.db # the store\nsome words\nLAST=1\nNEW=x\n")
  })

  it('rewrites every duplicate of a rewritten key', async () => {
    given('MEMU_DB=/a\nX=1\nMEMU_DB=/b\n')
    await writeConfig(system, { MEMU_DB: '/c' })
    expect(stored()).toBe('MEMU_DB=/c\nX=1\nMEMU_DB=/c\n')
  })

  it('removes a key whose new value is undefined', async () => {
    given('A=1\nB=2\nA=3\n')
    const written = await writeConfig(system, { A: undefined })
    expect(stored()).toBe('B=2\n')
    expect(written.changed).toEqual(['A'])
  })

  it('keeps the line endings of the file', async () => {
    given('A=1\r\nB=2\r\n')
    await writeConfig(system, { B: '3', C: '4' })
    expect(stored()).toBe('A=1\r\nB=3\r\nC=4\r\n')
  })

  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFA=grün\n', 'utf8')],
    ['UTF-16 little-endian', Buffer.from('\uFEFFA=grün\n', 'utf16le')],
    ['UTF-16 big-endian', Buffer.from('\uFEFFA=grün\n', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('A=grün\n', 'latin1')],
  ])('reads %s and writes UTF-8', async (_name, bytes) => {
    given(bytes)
    await writeConfig(system, { B: '2' })
    expect(stored()).toBe('A=grün\nB=2\n')
  })

  it('never stores a default URL, and takes one out where a change leads back to it', async () => {
    await writeConfig(system, {
      MEMU_CLOUD_BASE_URL: CLOUD_BASE_URL.replace(/\/$/, ''),
      MEMU_EMBED_PROVIDER: 'openai',
      MEMU_BASE_URL: EMBEDDING_BASE_URLS.openai!,
    })
    expect(stored()).toBe('MEMU_EMBED_PROVIDER=openai\n')
    await writeConfig(system, { MEMU_BASE_URL: EMBEDDING_BASE_URLS.jina! })
    expect(stored()).toContain('MEMU_BASE_URL=')
    await writeConfig(system, { MEMU_EMBED_PROVIDER: 'jina', MEMU_BASE_URL: EMBEDDING_BASE_URLS.jina! })
    expect(stored()).toBe('MEMU_EMBED_PROVIDER=jina\n')
  })

  it('stores the mode, which is a decision and no default', async () => {
    await writeConfig(system, { MEMU_MEMORY_MODE: 'local' })
    expect(stored()).toBe('MEMU_MEMORY_MODE=local\n')
  })

  it('decides on what is on disk, never on the environment', async () => {
    given('A=disk\n')
    await writeConfig({ ...system, env: { A: 'env' } }, (onDisk) => ({ B: onDisk.get('A') }))
    expect(stored()).toBe('A=disk\nB=disk\n')
  })

  it('follows MEMU_CONFIG_ENV and leaves the mode of a directory that is not its own', async () => {
    const elsewhere = join(home, 'etc')
    fs.mkdirSync(elsewhere, { mode: 0o755 })
    await writeConfig({ ...system, env: { MEMU_CONFIG_ENV: join(elsewhere, 'm.env') } }, { A: '1' })
    expect(fs.readFileSync(join(elsewhere, 'm.env'), 'utf8')).toBe('A=1\n')
    if (process.platform !== 'win32') expect(fs.statSync(elsewhere).mode & 0o777).toBe(0o755)
  })

  it('names the file when it cannot write, and leaves no temporary file behind', async () => {
    fs.mkdirSync(path, { recursive: true })
    await expect(writeConfig(system, { A: '1' })).rejects.toMatchObject({
      code: 'config_unreadable',
      message: expect.stringContaining(path),
    })
    expect(fs.readdirSync(join(home, '.memu'))).toEqual(['config.env'])
  })

  it('loses nothing when many processes write at once', async () => {
    const script = `
      const { writeConfig } = await import(${JSON.stringify(pathToFileURL('src/config/write.ts').href)})
      const { realSystem } = await import(${JSON.stringify(pathToFileURL('src/util/system.ts').href)})
      const [home, name] = process.argv.slice(2)
      for (let i = 0; i < 5; i++) await writeConfig({ ...realSystem(), env: {}, home }, { ['K_' + name + i]: name })`
    const runner = join(home, 'writer.mjs')
    await bundleForNode(script, runner)
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => promisify(execFile)(process.execPath, [runner, home, name])))
    const values = parseDotenv(stored())
    expect(values.size).toBe(20)
    for (const name of ['a', 'b', 'c', 'd']) for (let i = 0; i < 5; i++) expect(values.get(`K_${name}${i}`)).toBe(name)
  })
})

describe('merging changes into any text', () => {
  const line = fc.oneof(
    fc.constantFrom('# comment', '', 'words', "A='x'", 'export B=1', 'C="a\\nb" # c', 'A=', 'A = 5'),
    fc.string({ unit: fc.constantFrom(...'AB=\' "#\\x'), maxLength: 12 }),
  )
  const text = fc.tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n')).map(([lines, ending]) => lines.join(ending))
  const changes = fc.dictionary(fc.constantFrom('A', 'B', 'C', 'NEW'), fc.option(fc.string(), { nil: undefined }))

  it('gives every changed key its value, keeps the others, and is idempotent', () => {
    fc.assert(
      fc.property(text, changes, (before, wanted) => {
        const after = applyChanges(before, wanted, '\n')
        const expected = parseDotenv(before)
        for (const [key, value] of Object.entries(wanted)) value === undefined ? expected.delete(key) : expected.set(key, value)
        expect(Object.fromEntries(parseDotenv(after))).toEqual(Object.fromEntries(expected))
        expect(applyChanges(after, wanted, '\n')).toBe(after)
      }),
    )
  })

  it('keeps every line of keys that are not changed, in order', () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = applyChanges(before, { UNSEEN: 'x' }, '\n')
        expect(after.startsWith(before)).toBe(true)
      }),
    )
  })
})

describe('the id of the installation', () => {
  it('is made once, stored, and read back', async () => {
    const first = await ensureClientId(system)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ensureClientId(system)).toBe(first)
    expect(loadSettings(system).value('MEMU_CLIENT_ID')).toBe(first)
  })

  it('is the one that the environment declares', async () => {
    expect(await ensureClientId({ ...system, env: { MEMU_CLIENT_ID: 'given' } })).toBe('given')
    expect(fs.existsSync(path)).toBe(false)
  })

  it('is absent where it cannot be stored, without an error', async () => {
    fs.writeFileSync(join(home, '.memu'), 'in the way')
    expect(await ensureClientId(system)).toBeUndefined()
  })
})

/** Bundles a script against our sources, so that plain Node runs it as a process of its own. */
async function bundleForNode(script: string, file: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const entry = `${file}.entry.mjs`
  fs.writeFileSync(entry, script)
  const bundle = await rolldown({ input: entry, platform: 'node', external: [/^node:/] })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
}
