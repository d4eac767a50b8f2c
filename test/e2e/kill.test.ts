import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
function run(home: string, verb: string, killAt = 0): Ended {
  const env = { PATH: process.env.PATH, HOME: home, KILL_AT: String(killAt), KILL_COUNT: join(home, 'writes.json') }
  const hook = join(import.meta.dirname, 'kill/kill-hook.cjs')
  const child = spawnSync(process.execPath, ['--require', hook, program, verb], { env, encoding: 'utf8' })
  const killed = child.signal === 'SIGKILL'
  if (!killed && (child.status !== 0 || killAt > 0)) throw new Error(`${verb} ended with ${child.status}: ${child.stderr}`)
  return { killed, result: killed ? undefined : JSON.parse(child.stdout) }
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

/** A home in the middle of its life: something is mined, something new came, another host has written, an edit waits. */
function lived(name: string): string {
  const home = join(scratch, name)
  fs.mkdirSync(home)
  log(home, 1, said(1, 1, 2))
  log(home, 2, said(2, 1, 2))
  run(home, 'seed')
  run(home, 'rerun')
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

function killEverywhere(home: string, verb: string, check: (home: string, at: string) => void): void {
  const counted = copyOf(home, `${verb}-counted`)
  run(counted, verb)
  const writes = writesOf(counted)
  expect(writes.length).toBeGreaterThan(20)
  console.log(`kill -9 at each of the ${writes.length} writes of ${verb}`)
  for (let at = 1; at <= writes.length; at++) {
    const copy = copyOf(home, `${verb}-${at}`)
    expect(run(copy, verb, at).killed, `write ${at} of ${verb}`).toBe(true)
    check(copy, `${verb}, killed at write ${at}: ${writes[at - 1]}`)
    fs.rmSync(copy, { recursive: true })
  }
}

describe('kill -9 at every write', () => {
  it('of prepare loses nothing: the next run mines every line once', { timeout: 600_000 }, () => {
    const home = lived('prepare')
    run(home, 'elsewhere')
    fs.appendFileSync(join(home, '.memu/hosts/claude-code/memory/said.md'), '- uncommitted\n')
    killEverywhere(home, 'prepare', (copy, at) => expect(run(copy, 'rerun').result, at).toMatchObject({ ...whole, repeated: 2 }))
  })

  it('of commit loses nothing and repeats at most the run that was interrupted', { timeout: 600_000 }, () => {
    const home = lived('commit')
    run(home, 'work')
    run(home, 'elsewhere')
    fs.appendFileSync(join(home, '.memu/hosts/claude-code/memory/said.md'), '- uncommitted\n')
    const repeated = new Set<number>()
    killEverywhere(home, 'commit', (copy, at) => {
      const retried = copyOf(copy, 'retried')
      expect(run(retried, 'retry').result, `${at}, commit again`).toMatchObject({ ...whole, repeated: 0 })
      fs.rmSync(retried, { recursive: true })
      const { result } = run(copy, 'rerun')
      expect(result, `${at}, a whole run again`).toMatchObject(whole)
      repeated.add((result as { repeated: number }).repeated)
    })
    expect([...repeated].sort()).toEqual([0, 2]) // Before the cursors moved the interrupted run's two sessions, after that none.
  })
})
