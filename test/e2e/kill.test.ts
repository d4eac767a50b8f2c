import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assistant, sessionId, user } from '../hosts-unit/claude-code-lines.ts'

/** Inside the project, so that the bundle finds the installed SQLite. */
let bundle: string
let scratch: string
let program: string

beforeAll(async () => {
  fs.mkdirSync('node_modules/.cache', { recursive: true })
  bundle = fs.mkdtempSync('node_modules/.cache/memu-kill-')
  scratch = fs.mkdtempSync(join(tmpdir(), 'memu-kill-'))
  program = join(bundle, 'program.mjs')
  const input = join(import.meta.dirname, 'kill/program.ts')
  await build({
    input,
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    output: { dir: bundle, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  })
})
afterAll(() => {
  for (const path of [bundle, scratch]) fs.rmSync(path, { recursive: true, force: true })
})

interface Ended {
  readonly killed: boolean
  readonly result: unknown
}

/** Runs a verb in a home, killed at its `killAt`-th write. Anything but success or that kill is a failure of the test. */
async function run(home: string, verb: string, killAt = 0): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: home, KILL_AT: String(killAt), KILL_COUNT: join(home, 'writes.json') }
  const hook = join(import.meta.dirname, 'kill/kill-hook.cjs')
  const child = spawn(process.execPath, ['--require', hook, program, verb], { env })
  const [out, err, [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const killed = signal === 'SIGKILL'
  if (!killed && (status !== 0 || killAt > 0)) throw new Error(`${verb} ended with ${status}: ${err}`)
  return { killed, result: killed ? undefined : JSON.parse(out) }
}

function writesOf(home: string): string[] {
  return JSON.parse(fs.readFileSync(join(home, 'writes.json'), 'utf8')) as string[]
}

function log(home: string, session: number, lines: readonly string[]): void {
  const directory = join(home, '.claude', 'projects', '-home-u-shop')
  fs.mkdirSync(directory, { recursive: true })
  fs.appendFileSync(join(directory, `${sessionId(session)}.jsonl`), lines.map((line) => `${line}\n`).join(''))
}

function said(session: number, ...numbers: number[]): string[] {
  return numbers.map((number) => (number % 2 === 1 ? user : assistant)(sessionId(session), number, `line ${session}.${number}`))
}

/** A home in the middle of its life: something is mined, something new came, and a file waits to be deleted. */
async function lived(name: string): Promise<string> {
  const home = join(scratch, name)
  fs.mkdirSync(home)
  log(home, 1, said(1, 1, 2))
  log(home, 2, said(2, 1, 2))
  await run(home, 'rerun')
  await run(home, 'seed')
  log(home, 1, said(1, 3, 4))
  log(home, 3, said(3, 1, 2, 3))
  return home
}

function copyOf(home: string, name: string): string {
  const copy = join(scratch, name)
  fs.cpSync(home, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

const everyLine = [...[1, 2, 3, 4].map((n) => `- line 1.${n}`), '- line 2.1', '- line 2.2', ...[1, 2, 3].map((n) => `- line 3.${n}`)]

/** Every line once, what the other host wrote too, what was deleted gone, and nothing left to do. */
const whole = {
  left: 0,
  problems: [],
  stored: {
    said: [...everyLine, '- from another host', '- uncommitted'].sort(),
    other: ['- its own'],
    ...Object.fromEntries(['b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, [`- ${name}`]])),
  },
}

async function killEverywhere(home: string, verb: string, check: (home: string, at: string) => Promise<void>): Promise<void> {
  const counted = copyOf(home, `${verb}-counted`)
  await run(counted, verb)
  const writes = writesOf(counted)
  expect(writes.length).toBeGreaterThan(50)
  console.log(`kill -9 at each of the ${writes.length} writes of ${verb}`)
  let next = 1
  const worker = async (): Promise<void> => {
    for (let at = next++; at <= writes.length; at = next++) {
      const copy = copyOf(home, `${verb}-${at}`)
      expect((await run(copy, verb, at)).killed, `write ${at} of ${verb}`).toBe(true)
      await check(copy, `${verb}, killed at write ${at}: ${writes[at - 1]}`)
      fs.rmSync(copy, { recursive: true })
    }
  }
  await Promise.all([worker(), worker()])
}

/** The agent had written this before the run that is killed, and nobody had committed it. */
function editMirror(home: string): void {
  fs.appendFileSync(join(home, '.memu/hosts/claude-code/memory/said.md'), '- uncommitted\n')
}

describe('kill -9 at every write', () => {
  it('of prepare loses nothing: the next run mines every line once', { timeout: 600_000 }, async () => {
    const home = await lived('prepare')
    await run(home, 'elsewhere')
    editMirror(home)
    await killEverywhere(home, 'prepare', async (copy, at) => {
      expect((await run(copy, 'rerun')).result, at).toMatchObject({ ...whole, repeated: 2 })
    })
  })

  it('of commit loses nothing and repeats at most the run that was interrupted', { timeout: 600_000 }, async () => {
    const home = await lived('commit')
    await run(home, 'work')
    await run(home, 'elsewhere')
    editMirror(home)
    const repeated = new Set<number>()
    await killEverywhere(home, 'commit', async (copy, at) => {
      const retried = copyOf(copy, `${copy.split('/').at(-1)}-retried`)
      expect((await run(retried, 'retry')).result, `${at}, commit again`).toMatchObject({ ...whole, repeated: 0 })
      fs.rmSync(retried, { recursive: true })
      const { result } = await run(copy, 'rerun')
      expect(result, `${at}, a whole run again`).toMatchObject(whole)
      repeated.add((result as { repeated: number }).repeated)
    })
    expect([...repeated].sort()).toEqual([0, 2]) // Before the cursors moved the interrupted run's two sessions, after that none.
  })
})
