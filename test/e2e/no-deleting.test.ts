/** Whole runs inside WorkBuddy, where Node.js programs may not delete files. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPrograms, type Programs } from '../helpers/built-programs.ts'
import { noDeleting } from '../helpers/no-deleting.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { assistant, SLUG, sessionId, user } from '../hosts-unit/workbuddy-log.ts'

let programs: Programs
beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.remove())

it('runs mine and remember again and again, and leave nothing that piles up', async () => {
  const home = temporaryFolder()
  const log = join(home, '.workbuddy', 'projects', SLUG)
  mkdirSync(log, { recursive: true })
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(noDeleting(home))}`, MEMU_DB: join(home, 'memory.db') }
  const run = (...args: string[]) => programs.run('memu-workbuddy', args, { home, env })
  const [session, left]: [string, number[]] = [sessionId(1), []]
  const tree = join(home, '.memu', 'hosts', 'workbuddy')

  for (let round = 1; round <= 5; round++) {
    const said = [
      user(session, 2 * round, `Remember: the port of service ${round} is ${8000 + round}.`),
      assistant(session, 2 * round + 1, 'Noted.'),
    ]
    writeFileSync(join(log, `${session}.jsonl`), said.map((line) => `${line}\n`).join(''), { flag: 'a' })
    const bridged = await run('bridge', '--executor', 'builtin')
    expect(bridged, `round ${round}`).toMatchObject({ code: 0, stderr: '' })
    expect((await run('retrieve', `port of service ${round}`)).stdout).toContain(String(8000 + round))
    left.push(readdirSync(tree, { recursive: true }).length)
  }
  expect(left.at(-1)).toBe(left.at(-2))
}, 120_000)
