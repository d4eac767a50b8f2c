import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BridgeDeps, type BridgeOptions, bridge, bridgeExit, bridgeProblems } from '../../src/bridging/bridge.ts'
import { openRun } from '../../src/bridging/bridging-run.ts'
import type { Executor, ExecutorRun } from '../../src/bridging/executor.ts'
import { readLastRun } from '../../src/bridging/last-run.ts'
import { acquireLock, lockHolder } from '../../src/util/lock.ts'
import { memoryFile, type World, world } from '../bridging/world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

const log = (): string => readFileSync(w.tree.log, 'utf8')

function run(options: BridgeOptions = {}, executor?: Executor, deps: Partial<BridgeDeps> = {}) {
  return bridge(options, {
    ...w.deps,
    value: () => undefined,
    ...(executor === undefined ? {} : { openExecutor: async () => executor }),
    ...deps,
  })
}

/** An executor that does with each run what `work` says. */
function executor(work: (run: ExecutorRun) => Promise<readonly number[]> | readonly number[]): Executor {
  return {
    name: 'test',
    async run(given) {
      const finished = await work(given)
      for (const job of finished) given.done(job)
      return {
        finished,
        failed: given.jobs.filter((job) => !finished.includes(job.number)).map((job) => ({ job: job.number, reason: 'no time' })),
      }
    },
  }
}

const allJobs = ({ jobs }: ExecutorRun): number[] => jobs.map((job) => job.number)

describe('bridge', () => {
  it('refuses a folder that is somebody else’s, and leaves no lock, log or record in it', async () => {
    const baseDir = join(w.root, 'theirs')
    mkdirSync(baseDir)
    writeFileSync(join(baseDir, 'thesis.tex'), 'x')
    w.session('a', ['one'])
    await expect(run({ baseDir, executor: 'builtin' })).rejects.toMatchObject({ code: 'not_our_folder', exit: 2 })
    expect(readdirSync(baseDir)).toEqual(['thesis.tex'])
  })

  it('takes what was said to the store with the built-in rules, and has nothing to do the second time', async () => {
    w.session('a', [{ text: 'Please never push to main directly.', at: '2026-03-04T09:00:00.000Z' }])
    const report = await run({ executor: 'builtin' })
    expect(report).toMatchObject({ outcome: 'done', executor: 'builtin', committed: { advanced: ['a'], unfinished: 0 } })
    expect(bridgeExit(report)).toBe(0)
    expect(await w.stored('memory', 'preferences')).toContain('- Never push to main directly. (2026-03-04)')
    expect(log()).toMatch(/done executor=builtin sessions=1\/1/)

    expect(await run({ executor: 'builtin' })).toMatchObject({ outcome: 'nothing' })
    expect(readLastRun(w.tree)).toMatchObject({ outcome: 'nothing', lastSuccess: expect.any(String) })
    expect(lockHolder(w.tree.lock)).toBeUndefined()
  })

  it('replaces what a session said by what a later one says, over several runs', async () => {
    w.session('a', [{ text: 'We use npm.', at: '2026-03-04T09:00:00.000Z' }])
    await run({ executor: 'builtin' })
    w.session('b', [{ text: 'From now on use pnpm instead of npm.', at: '2026-03-09T09:00:00.000Z' }], 5)
    await run({ executor: 'builtin' })
    expect(await w.stored('memory', 'preferences')).toMatch(
      /^- From now on use pnpm instead of npm\. \(2026-03-09; before: .*We use npm\)$/m,
    )
    expect((await w.stored('memory', 'shop-facts')) ?? '').not.toContain('npm')
  })

  it('leaves the sessions of a failing executor for the next run, says why and exits with 1', async () => {
    w.session('a', ['Never push to main.'])
    const broken: Executor = { name: 'test', run: () => Promise.reject(new Error('the model is asleep')) }
    const report = await run({}, broken)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'the model is asleep', committed: { advanced: [], unfinished: 1 } })
    expect(bridgeExit(report)).toBe(1)
    expect(readLastRun(w.tree)).toMatchObject({ outcome: 'failed', reason: 'the model is asleep' })
    expect(log()).toContain('failed executor=test')

    expect(await run({ executor: 'builtin' })).toMatchObject({ outcome: 'done', committed: { advanced: ['a'] } })
    expect(await w.stored('memory', 'preferences')).toContain('Never push to main.')
  })

  it('counts the sessions whose jobs were all finished, and offers the others again', async () => {
    w.session('a', ['first'], 1)
    w.session('b', ['second'], 2)
    const report = await run(
      {},
      executor(() => [1, 3]),
    )
    expect(report).toMatchObject({ outcome: 'failed', committed: { advanced: ['a'], unfinished: 1 } })
    const seen: string[] = []
    await run(
      {},
      executor((given) => {
        seen.push(...w.said('1'))
        return allJobs(given)
      }),
    )
    expect(seen).toEqual(['second'])
  })

  it('does not take a run in which nothing was marked for a finished one', async () => {
    w.session('a', ['first'])
    expect(
      await run(
        {},
        executor(() => []),
      ),
    ).toMatchObject({ outcome: 'failed', committed: { advanced: [] } })
    expect(await run({}, executor(allJobs))).toMatchObject({ outcome: 'done', committed: { advanced: ['a'] } })
  })

  it('first takes up what an interrupted run left in the mirror', async () => {
    w.session('a', ['first'])
    const controller = new AbortController()
    const stopped = executor((given) => {
      w.write('memory/kept.md', memoryFile('kept', '- written before the interruption'))
      given.done(1)
      given.done(2)
      controller.abort(new Error('interrupted'))
      given.signal.throwIfAborted()
      return []
    })
    await expect(run({ signal: controller.signal }, stopped)).rejects.toThrow('interrupted')
    expect(readLastRun(w.tree)?.outcome).toBe('interrupted')
    expect(lockHolder(w.tree.lock)).toBeUndefined()
    expect(await w.stored('memory', 'kept')).toBeUndefined()

    const report = await run({ executor: 'builtin' })
    expect(report).toMatchObject({ outcome: 'nothing', leftovers: { created: [{ track: 'memory', name: 'kept' }], advanced: ['a'] } })
    expect(await w.stored('memory', 'kept')).toBe('- written before the interruption')
  })

  it('does nothing while another run works, says who it is and exits with 0', async () => {
    w.session('a', ['first'])
    const lock = acquireLock(w.tree.lock, { purpose: 'bridge' })
    const report = await run({ executor: 'builtin' })
    expect(report).toMatchObject({ outcome: 'running', reason: expect.stringContaining(String(process.pid)) })
    expect(bridgeExit(report)).toBe(0)
    lock.release()
    expect((await run({ executor: 'builtin' })).outcome).toBe('done')
  })

  it('leaves a run alone that an agent of the host works through by itself', async () => {
    const now = (Date.now() - Date.UTC(2026, 0, 1)) / 60_000
    w.session('agent', ['memu prepare'], now)
    w.session('a', ['Never push to main.'])
    openRun(w.tree, { run: 'r', started: w.deps.system.now().toISOString(), session: 'agent' })
    const report = await run({ executor: 'builtin' })
    expect(report).toMatchObject({ outcome: 'running', reason: expect.stringContaining('session agent') })
    expect(bridgeExit(report)).toBe(0)
  })

  it('tells what the run before it left also where another run is at work', async () => {
    w.session('a', ['first'])
    await w.prepare()
    w.write('memory/kept.md', memoryFile('kept', '- written before'))
    w.session('agent', ['memu prepare'], (Date.now() - Date.UTC(2026, 0, 1)) / 60_000)
    openRun(w.tree, { run: 'r', started: w.deps.system.now().toISOString(), session: 'agent' })
    expect(await run({ executor: 'builtin' })).toMatchObject({
      outcome: 'running',
      leftovers: { created: [{ track: 'memory', name: 'kept' }] },
    })
  })

  it('tells what could not be handled, once, and exits with 1; of a file that is no memory it tells once and exits with 0', async () => {
    w.session('a', ['Never push to main.'])
    w.write('memory/notes.txt', 'no markdown')
    const report = await run({ executor: 'builtin' })
    expect(report).toMatchObject({ outcome: 'done', notices: [expect.stringContaining('memory/notes.txt')] })
    expect(report).not.toHaveProperty('leftovers')
    expect(bridgeExit(report)).toBe(0)
    w.session('b', ['Never force-push to main.'])
    w.write('memory/junk.md', 'a\0b')
    const second = await run({ executor: 'builtin' })
    expect(second.outcome).toBe('done')
    expect(bridgeProblems(second)).toEqual([{ on: expect.stringContaining('junk.md'), reason: expect.stringContaining('NUL') }])
    expect(bridgeExit(second)).toBe(1)
  })

  it('says which lines it added and which it replaced, in which file', async () => {
    w.session('a', [{ text: 'We use npm.', at: '2026-03-04T09:00:00.000Z' }])
    expect((await run({ executor: 'builtin' })).changes).toEqual([
      {
        track: 'memory',
        name: 'shop-facts',
        isNew: true,
        description: expect.any(String),
        added: [expect.stringContaining('npm')],
        removed: [],
      },
    ])
    w.session('b', ['second'], 5)
    const rewriting = executor((given) => {
      w.write('memory/shop-facts.md', memoryFile('shop-facts', '- shop: we use pnpm'))
      return allJobs(given)
    })
    expect((await run({}, rewriting)).changes).toMatchObject([
      { name: 'shop-facts', isNew: false, added: ['- shop: we use pnpm'], removed: [expect.stringContaining('npm')] },
    ])
  })

  it('of two at once lets one work', async () => {
    w.session('a', ['Never push to main.'])
    const reports = await Promise.all([run({ executor: 'builtin' }), run({ executor: 'builtin' })])
    expect(reports.map(({ outcome }) => outcome).sort()).toEqual(['done', 'running'])
  })

  it('leaves everything for the next run where the store cannot be opened', async () => {
    w.session('a', ['Never push to main.'])
    const failing = run({ executor: 'builtin' }, undefined, { backend: () => Promise.reject(new Error('the disk is full')) })
    await expect(failing).rejects.toThrow('the disk is full')
    expect(readLastRun(w.tree)).toMatchObject({ outcome: 'failed', reason: 'the disk is full' })
    expect(await run({ executor: 'builtin' })).toMatchObject({ outcome: 'done', committed: { advanced: ['a'] } })
  })

  it('refuses an executor that there is not before anything is lost', async () => {
    w.session('a', ['Never push to main.'])
    await expect(run({ executor: 'magic' })).rejects.toMatchObject({ code: 'unknown_executor', exit: 2 })
    expect(await run({ executor: 'builtin' })).toMatchObject({ outcome: 'done' })
    // Also while nothing is new.
    await expect(run({ executor: 'magic' })).rejects.toMatchObject({ code: 'unknown_executor' })
    await expect(run({ executor: 'openai' })).rejects.toMatchObject({ code: 'invalid_config', exit: 2 })
  })

  it('keeps one line in the log whatever the reason holds', async () => {
    w.session('a', ['first'])
    await run({}, { name: 'test', run: () => Promise.reject(new Error('one\ntwo\u001b[31m')) })
    expect(log().trim().split('\n')).toHaveLength(1)
    expect(log()).not.toContain('\u001b')
  })
})
