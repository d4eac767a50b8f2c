import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundledProgram, log, type Program, said } from './kill/harness.ts'

let program: Program
beforeAll(async () => {
  program = await bundledProgram()
})
afterAll(() => program.end())

function newHome(name: string): string {
  const home = join(program.scratch, name)
  fs.mkdirSync(home)
  return home
}

const linesOf = (session: number): string[] => [1, 2, 3].map((n) => `- line ${session}.${n}`)

describe('real processes at once', () => {
  it('of two hosts share one store without a lock error, and keep each other’s lines of one file', async () => {
    const home = newHome('two-hosts')
    for (let round = 1; round <= 5; round++) {
      log(home, round, said(round, 1, 2, 3), 'one')
      log(home, 100 + round, said(100 + round, 1, 2, 3), 'two')
      await Promise.all([
        program.run(home, 'rerun', { tree: 'tree-one', sessions: 'one' }),
        program.run(home, 'rerun', { tree: 'tree-two', sessions: 'two' }),
        program.run(home, 'stored', { tree: 'reader' }),
      ])
      const { result } = await program.run(home, 'stored')
      const expected = Array.from({ length: round }, (_, n) => [...linesOf(n + 1), ...linesOf(101 + n)]).flat()
      expect(result).toEqual({ said: expected.sort() })
    }
  })

  it('of one host exclude each other: one bridge runs, the other says who does and ends well', async () => {
    const home = newHome('one-host')
    for (let session = 1; session <= 10; session++) log(home, session, said(session, 1, 2, 3))
    const ended = await Promise.all([program.run(home, 'bridge'), program.run(home, 'bridge'), program.run(home, 'bridge')])
    const outcomes = ended.map(({ result }) => result as { outcome: string; reason?: string })
    expect(outcomes.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    for (const { outcome, reason } of outcomes) if (outcome === 'running') expect(reason).toMatch(/bridge \(process \d+ on .+, since /)
    const { result } = await program.run(home, 'stored')
    expect(result).toEqual({
      said: Array.from({ length: 10 }, (_, n) => linesOf(n + 1))
        .flat()
        .sort(),
    })
  })
})
