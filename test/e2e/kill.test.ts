import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledProgram, type Ended, log, type Program, said } from './kill/harness.ts'

let program: Program
beforeAll(async () => {
  program = await bundledProgram()
})
afterAll(() => program.end())

const run = (home: string, verb: string, killAt = 0): Promise<Ended> => program.run(home, verb, { killAt })

/** A home in the middle of its life: something is mined, something new came, and a file waits to be deleted. */
async function lived(name: string): Promise<string> {
  const home = join(program.scratch, name)
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
  const copy = join(program.scratch, name)
  fs.cpSync(home, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

/** The agent had written this before the run that is killed, and nobody had committed it. */
function editMirror(home: string): void {
  fs.appendFileSync(join(home, 'tree/memory/said.md'), '- uncommitted\n')
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

const cursors = (home: string): string => fs.readFileSync(join(home, 'tree/.session_manifest.claude-code.json'), 'utf8')

/** Two at a time: each is mostly waiting for a program to start. */
async function killEverywhere(home: string, verb: string, check: (home: string, at: string) => Promise<void>): Promise<void> {
  const counted = copyOf(home, `${verb}-counted`)
  await run(counted, verb)
  const writes = JSON.parse(fs.readFileSync(join(counted, 'tree-writes.json'), 'utf8')) as string[]
  expect(writes.filter((write) => !write.startsWith('sql')).length).toBeGreaterThan(20)
  expect(writes).toContain('sql commit')
  console.log(`kill -9 at each of the ${writes.length} writes of ${verb}`)
  let next = 1
  const worker = async (): Promise<void> => {
    for (let at = next++; at <= writes.length; at = next++) {
      const copy = copyOf(home, `${verb}-${at}`)
      const place = `${verb}, killed at write ${at}: ${writes[at - 1]}`
      expect((await run(copy, verb, at)).killed, place).toBe(true)
      // Whatever else: a cursor that moved means that the store has what was learned.
      if (cursors(copy) !== cursors(home)) expect((await run(copy, 'stored')).result, place).toEqual(whole.stored)
      await check(copy, place)
      fs.rmSync(copy, { recursive: true })
    }
  }
  await Promise.all([worker(), worker()])
}

const repeatedBy = ({ result }: Ended): number => (result as { repeated: number }).repeated

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
      const ended = await run(copy, 'rerun')
      expect(ended.result, `${at}, a whole run again`).toMatchObject(whole)
      repeated.add(repeatedBy(ended))
    })
    expect([...repeated].sort()).toEqual([0, 2]) // Before the cursors moved the interrupted run's two sessions, after that none.
  })

  it('of bridge loses nothing: the next bridge finishes what was left', { timeout: 600_000 }, async () => {
    const home = await lived('bridge')
    await run(home, 'elsewhere')
    editMirror(home)
    await killEverywhere(home, 'bridge', async (copy, at) => {
      expect((await run(copy, 'bridge-again')).result, at).toMatchObject({ ...whole, repeated: 0 })
    })
  })
})
