/** What a host's sessions become in whole runs: each word once, and never those of a run of ours. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { BridgingDeps } from '../../../src/bridging/bridging-deps.ts'
import { commit } from '../../../src/bridging/commit.ts'
import { markDone } from '../../../src/bridging/done.ts'
import { layout } from '../../../src/bridging/layout.ts'
import { type PrepareReport, prepare } from '../../../src/bridging/prepare.ts'
import { selfSessions } from '../../../src/bridging/self-sessions.ts'
import { openLocal } from '../../../src/memory/open.ts'
import { fakeEmbedder } from '../../helpers/fake-embedder.ts'
import { unprivileged } from '../../helpers/unprivileged.ts'
import type { HostLogFixture } from '../host-log.ts'
import { REWRITES } from './growing.ts'
import { type HostWorld, hostWorld, said, talk } from './world.ts'

interface Mine {
  /** The tree of the runs. */
  readonly base: string
  /** The session of number 1 in the environment makes a run its own. */
  prepare(env?: BridgingDeps['system']['env']): Promise<PrepareReport>
  /** Prepares and commits; what each session's slice said, in the order of the jobs. */
  run(): Promise<{ readonly report: PrepareReport; readonly said: readonly (readonly string[])[] }>
}

async function mineOf(fixture: HostLogFixture, w: HostWorld): Promise<Mine> {
  const base = join(w.scratch, 'tree')
  const backend = await openLocal({ db: ':memory:', embedder: fakeEmbedder() })
  onTestFinished(() => backend.close())
  const deps = (env: BridgingDeps['system']['env'] = {}): BridgingDeps => ({
    system: { ...w.system, env },
    spec: { ...fixture.spec, baseDir: () => base },
    backend: async () => backend,
  })
  const options = { sessionDir: w.log.sessionDir }
  const tree = layout(fixture.spec.host, base)
  return {
    base,
    prepare: async (env) => await prepare(options, deps(env)),
    async run() {
      const report = await prepare(options, deps())
      const slices = report.sessions.map(({ number }) => sliceTexts(join(tree.sessions, `${number}.jsonl`)))
      for (const job of report.jobs) markDone(tree, job.number)
      await commit({ onlyMarked: true }, deps())
      return { report, said: slices }
    },
  }
}

function sliceTexts(path: string): string[] {
  const [, ...lines] = fs.readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { text: string }).text)
}

export function miningContract(fixture: HostLogFixture): void {
  const named = fixture.spec.sessionIdEnv
  const bridging = (session: string, launched = '2000-01-01T00:00:00Z') => ({ MEMU_BRIDGING_RUN: launched, [named ?? '']: session })

  it('mines what is said once: all at first, then what is new, then nothing', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 4))
    expect((await mine.run()).said).toEqual([said(talk(1, 4)), said(talk(1, 4))])
    expect((await mine.run()).report).toMatchObject({ sessions: [], skipped: { unchanged: 2 }, problems: [], bad: [] })
    w.log.append(w.id(2), talk(5, 2))
    expect((await mine.run()).said).toEqual([said(talk(5, 2))])
  })

  it('loses nothing of a run that was not committed', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    w.log.append(w.first, talk(1, 2))
    await mine.prepare()
    w.log.append(w.first, talk(3, 2))
    expect((await mine.run()).said).toEqual([said(talk(1, 4))])
  })

  it.each(REWRITES)('mines of a session that %s only what was said since', async (_, change) => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    w.log.append(w.first, talk(1, 9))
    await mine.run()
    w.log.rewrite(w.first, [...change(talk(1, 9)), ...talk(21, 2)])
    expect((await mine.run()).said).toEqual([said(talk(21, 2))])
    expect((await mine.run()).report.sessions).toEqual([])
  })

  it('goes on past a bad record and says how many there were', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    w.log.append(w.first, talk(1, 2))
    w.log.appendBroken(w.first)
    w.log.append(w.first, talk(3, 2))
    const { report, said: texts } = await mine.run()
    expect(texts).toEqual([said(talk(1, 4))])
    expect(report.bad).toMatchObject([{ count: 1 }])
    expect(report.problems).toEqual([])
  })

  // The contract of databases has its own.
  const hasFiles = process.platform !== 'win32' && fixture.databases !== 'one'
  it.runIf(hasFiles)('passes over a session that it may not read, says so, and mines it when it may', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 2))
    const { path } = w.ref(w.first)
    fs.chmodSync(path, 0)
    fs.mkdirSync(mine.base)
    fs.chmodSync(mine.base, 0o777)
    const { report } = await unprivileged(w.scratch, () => mine.run())
    expect(report.sessions).toHaveLength(1)
    expect(report.problems.map(({ on }) => on)).toEqual([path])
    fs.chmodSync(path, 0o600)
    expect((await mine.run()).report).toMatchObject({ sessions: [{}], problems: [] })
  })

  it.skipIf(named === undefined)('leaves out the session of a bridging run, and remembers it', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 2))
    const report = await mine.prepare(bridging(w.first))
    expect(report).toMatchObject({ self: { id: w.first }, skipped: { self: 1 }, sessions: [{}] })
    expect(report.sessions[0]?.id).toBe(w.ref(w.id(2)).owner)
    expect([...selfSessions(layout(fixture.spec.host, mine.base))]).toEqual([w.first])
    w.log.append(w.first, talk(3, 2))
    expect((await mine.prepare()).sessions).toHaveLength(1)
  })

  it.skipIf(named === undefined)('mines the session of a person, and one that only an inherited variable names', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    w.log.append(w.first, talk(1, 2))
    const environments = [
      { [named ?? '']: w.first },
      bridging(''),
      bridging(w.id(7)),
      bridging(w.first, '2100-01-01T00:00:00Z'),
      { MEMU_BRIDGING_RUN: '1', ANOTHER_HOSTS_SESSION: w.first },
    ]
    for (const env of environments) {
      const report = await mine.prepare(env)
      expect(report, JSON.stringify(env)).toMatchObject({ sessions: [{}], skipped: { self: 0 } })
      expect(report).not.toHaveProperty('self')
    }
  })

  it('writes nothing where the host keeps its log', async () => {
    const w = await hostWorld(fixture)
    const mine = await mineOf(fixture, w)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 6))
    w.log.appendBroken(w.first)
    const open = snapshot(w.root)
    await mine.run()
    expect(snapshot(w.root)).toEqual(open)
    w.log.close()
    const closed = snapshot(w.root)
    await mine.run()
    await w.read(w.first)
    expect(snapshot(w.root)).toEqual(closed)
  })
}

/**
 * Every file below a folder: what it holds, when it was written, who may read it. Of the index that the readers and writers of a
 * SQLite database share, which is no data, only that it is there.
 */
function snapshot(folder: string): Record<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name))
  const state = (path: string): string => {
    const { mode, mtimeMs, size } = fs.lstatSync(path)
    if (path.endsWith('-shm')) return 'shared'
    const content = fs.lstatSync(path).isFile() ? fs.readFileSync(path, 'base64') : ''
    return [mode, mtimeMs, size, content].join(' ')
  }
  return Object.fromEntries(files.sort().map((path) => [path, state(path)]))
}
