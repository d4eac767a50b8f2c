/** `retrieve` runs on every prompt: what it may load is a contract. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../../rolldown.config.ts'
import { buildPrograms, type Programs } from '../helpers/built-programs.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

/** Loaded on the way of a local retrieve by dynamic import; everything below them is static. */
const DOORS = [
  'src/cli/retrieve.ts',
  'src/memory/open.ts',
  'src/embedding/open.ts',
  'src/embedding/local/embedder.ts',
  'src/store/open.ts',
  'src/store/sqlite/open.ts',
]
/** What a prompt may load of this package. A new folder or file is another command's until it is named here. */
const ALLOWED = [
  /^(?:bin|util|text|markdown|store|embedding\/local|cli\/retrieve)\//,
  /^cli\/(?:compile-cache|main|run|retrieve)\.ts$/,
  /^host-cli\/main\.ts$/,
  /^config\/(?:dotenv|keys|load|read|settings|store-address)\.ts$/,
  /^embedding\/open\.ts$/,
  /^guard\/(?:nonce|tag)\.ts$/,
  /^memory\/(?:cursor|local|open|pool|ranking|retrieve)\.ts$/,
  /^records\.ts$/,
]
/** What the bundler itself adds. */
const BUNDLER = '\0rolldown/runtime.js'
const FORBIDDEN_BUILT_IN = /^(?:node:)?(?:http|https|http2|net|tls|child_process|worker_threads|zlib|readline|dns)$/

/** Modules in the chunks that are reachable from the program and the doors without another dynamic import. */
async function reachable(program: string): Promise<string[]> {
  const [programs] = Array.isArray(config) ? config : [config]
  const bundle = await rolldown({ ...programs, output: undefined, input: `src/bin/${program}.ts` } as Parameters<typeof rolldown>[0])
  const { output } = await bundle.generate(programs!.output as object)
  await bundle.close()
  const chunks = output.filter((item): item is OutputChunk => item.type === 'chunk')
  const holds = (chunk: OutputChunk, door: string): boolean => chunk.moduleIds.some((id) => id.endsWith(`/${door}`))
  const open = chunks.filter((chunk) => chunk.isEntry || DOORS.some((door) => holds(chunk, door)))
  for (const door of DOORS)
    expect(
      open.some((chunk) => holds(chunk, door)),
      `${door} is in the bundle`,
    ).toBe(true)
  const seen = new Set(open)
  for (const chunk of seen) for (const name of chunk.imports) for (const next of chunks) if (next.fileName === name) seen.add(next)
  return [...seen].flatMap((chunk) => chunk.moduleIds)
}

describe.each(['memu', 'memu-claude-code', 'memu-codex'])('the hot path of %s', (program) => {
  it('reaches nothing that only other commands need', async () => {
    const modules = (await reachable(program)).filter((id) => id !== BUNDLER).map((id) => relative(SOURCE, id).replaceAll('\\', '/'))
    expect(modules).toContain('memory/retrieve.ts')
    expect(modules.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)))).toEqual([])
  })
})

describe('a retrieve that runs', () => {
  let programs: Programs
  let home: string
  beforeAll(async () => {
    programs = await buildPrograms()
    home = fs.mkdtempSync(join(tmpdir(), 'memu-hot-'))
    fs.mkdirSync(join(home, '.memu'))
    fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_DB=~/.memu/memory.db\n')
    const stdin = JSON.stringify({ recall_files: [{ name: 'deploys', content: 'Deploys go to staging first.' }] })
    expect((await programs.run('memu', ['commit'], { home, stdin })).code).toBe(0)
  })
  afterAll(() => {
    programs.remove()
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('loads no network, no child processes and no package but SQLite', () => {
    const hook = join(home, 'hook.cjs')
    const log = join(home, 'loaded.txt')
    fs.writeFileSync(
      hook,
      `const Module = require('node:module'); const { appendFileSync } = require('node:fs'); const load = Module._load
      Module._load = function (request, ...rest) { appendFileSync(${JSON.stringify(log)}, request + '\\n'); return load.call(this, request, ...rest) }`,
    )
    const args = ['-r', hook, join(programs.bin, 'memu-claude-code.cjs'), 'retrieve', 'deploy']
    const stdout = execFileSync(process.execPath, args, { env: { HOME: home, USERPROFILE: home }, encoding: 'utf8' })
    expect(stdout).toContain('staging')
    const loaded = fs.readFileSync(log, 'utf8').split('\n')
    expect(loaded.filter((request) => FORBIDDEN_BUILT_IN.test(request))).toEqual([])
    const packages = loaded.filter((request) => /^[@a-z]/.test(request) && !request.startsWith('node:') && !isBuiltin(request))
    expect(packages.map((request) => basename(request)).filter((name) => !['sqlite', 'node-gyp-build'].includes(name))).toEqual([])
  })
})
