import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { logLine, readLastRun, saveLastRun } from '../../src/bridging/last-run.ts'
import { type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
  fs.mkdirSync(w.tree.base)
})
afterEach(() => w.end())

const now = new Date('2026-03-02T00:00:00.000Z')

it('the log and the record of the last run replace a link that an agent left in their place, and nothing is written through it', () => {
  const victim = join(w.root, 'victim')
  fs.writeFileSync(victim, '{"at":"theirs","outcome":"done"}')
  const record = join(w.tree.base, '.last_run.fake.json')
  for (const path of [record, w.tree.log]) fs.symlinkSync(victim, path)
  expect(readLastRun(w.tree)).toBeUndefined()
  saveLastRun(w.tree, { at: now.toISOString(), outcome: 'nothing', executor: 'none' })
  logLine(w.tree, now, 'a line')
  expect(fs.readFileSync(victim, 'utf8')).toBe('{"at":"theirs","outcome":"done"}')
  expect(readLastRun(w.tree)).toMatchObject({ outcome: 'nothing' })
  expect(fs.readFileSync(w.tree.log, 'utf8')).toBe('2026-03-02T00:00:00.000Z a line\n')
  logLine(w.tree, now, 'another')
  expect(fs.readFileSync(w.tree.log, 'utf8')).toMatch(/a line\n.* another\n$/)
})
