/** What people are told of a session that is longer than a run may read. */
import { afterEach, expect, it } from 'vitest'
import { bridgeText } from '../../src/host-cli/bridge-text.ts'
import { commitText } from '../../src/host-cli/verbs/commit.ts'
import { type World, world } from '../bridging/world.ts'

let w: World
afterEach(() => w.end())

it('a session of which a part was read does not count as done until its rest is', async () => {
  w = await world()
  w.session(
    'long',
    Array.from({ length: 15 }, (_, n) => `${n} ${'word '.repeat(4_000)}`),
  )
  w.session('short', ['hello'])
  const first = await w.cycle()
  expect(commitText(first.committed)).toContain('Sessions done: 1. Sessions that go on in a later run: 1.')
  const report = { outcome: 'done', changes: [], notices: [], milliseconds: 0 } as const
  const said = bridgeText({ ...report, ...first })
  expect(said).toContain('Sessions finished: 1 of 2, 1 read in part and gone on with in a later run.\n')
  const second = await w.cycle()
  expect(commitText(second.committed)).toMatch(/Sessions done: 1\.\n/)
  expect(bridgeText({ ...report, ...second })).toContain('Sessions finished: 1 of 1.\n')
})

it('what the built-in rules did not understand is told from what was known before', async () => {
  w = await world()
  w.session('a', ['hello'])
  const report = { outcome: 'done', executor: 'builtin', changes: [], notices: [], milliseconds: 0, ...(await w.cycle()) } as const
  const said = (learned: { track: 'memory'; file: string; text: string }[]) =>
    bridgeText({ ...report, worked: { finished: [1], failed: [], learned } })
  expect(said([])).toContain('The built-in rules understood no statement in 1 message;')
  expect(said([{ track: 'memory', file: 'n', text: 'x' }])).toContain('Learned: nothing that was not known.')
})
