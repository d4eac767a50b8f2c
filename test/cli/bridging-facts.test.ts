import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRun } from '../../src/bridging/bridging-run.ts'
import { saveLastRun } from '../../src/bridging/last-run.ts'
import { type Layout, layout } from '../../src/bridging/layout.ts'
import { bridgingFacts } from '../../src/cli/bridging-facts.ts'
import { claudeCode } from '../../src/hosts/registry.ts'
import { acquireLock } from '../../src/util/lock.ts'
import { realSystem, type System } from '../../src/util/system.ts'

let system: System
let tree: Layout
beforeEach(() => {
  const home = fs.mkdtempSync(join(tmpdir(), 'memu-facts-'))
  system = { ...realSystem(), home, env: {} }
  tree = layout('claude-code', claudeCode.baseDir(system))
  fs.mkdirSync(tree.base, { recursive: true })
})
afterEach(() => fs.rmSync(system.home, { recursive: true, force: true }))

const ENTRY = { size: 1, modified: 1, mined: '2026-03-01T00:00:00.000Z' }
const committedAt = (time: string, sessions: object = { a: ENTRY }): void => {
  fs.writeFileSync(tree.sessionManifest, JSON.stringify({ version: 1, sessions }))
  fs.utimesSync(tree.sessionManifest, new Date(time), new Date(time))
}

describe('what a host’s tree tells doctor', () => {
  it('is nothing where nothing ever ran', () => {
    expect(bridgingFacts(claudeCode, system)).toEqual({})
  })

  it('is the last success, of a bridge or of a commit by hand, whichever was later', () => {
    committedAt('2026-03-01T00:00:00.000Z')
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastSuccess: '2026-03-01T00:00:00.000Z' })
    saveLastRun(tree, { at: '2026-03-02T00:00:00.000Z', outcome: 'nothing', executor: 'none' })
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastSuccess: '2026-03-02T00:00:00.000Z' })
    committedAt('2026-03-03T00:00:00.000Z')
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastSuccess: '2026-03-03T00:00:00.000Z' })
  })

  it('is that nothing was learned yet where runs found no session, or none that was understood', () => {
    saveLastRun(tree, { at: '2026-03-02T00:00:00.000Z', outcome: 'nothing', executor: 'none' })
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastSuccess: '2026-03-02T00:00:00.000Z', isEmpty: true })
    committedAt('2026-03-01T00:00:00.000Z', { a: { ...ENTRY, silent: true } })
    expect(bridgingFacts(claudeCode, system)).toMatchObject({ isEmpty: true })
    committedAt('2026-03-01T00:00:00.000Z')
    expect(bridgingFacts(claudeCode, system)).not.toHaveProperty('isEmpty')
  })

  it('is a failure only until the next success', () => {
    saveLastRun(tree, { at: '2026-03-02T00:00:00.000Z', outcome: 'failed', executor: 'host', reason: 'no model' })
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastFailure: { at: '2026-03-02T00:00:00.000Z', reason: 'no model' } })
    committedAt('2026-03-03T00:00:00.000Z')
    expect(bridgingFacts(claudeCode, system)).toEqual({ lastSuccess: '2026-03-03T00:00:00.000Z' })
  })

  it('is an open run, and who is at work', () => {
    openRun(tree, { run: 'r', started: '2026-03-01T00:00:00.000Z' })
    const lock = acquireLock(tree.lock, { purpose: 'bridge' })
    const facts = bridgingFacts(claudeCode, system)
    lock.release()
    expect(facts).toEqual({ open: { since: '2026-03-01T00:00:00.000Z' }, running: `bridge, process ${process.pid}` })
  })
})
