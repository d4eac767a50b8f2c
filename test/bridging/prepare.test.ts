import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prepareExit } from '../../src/bridging/prepare.ts'
import type { TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { acquireLock } from '../../src/util/lock.ts'
import { fakeSource } from './fake-source.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

describe('choosing sessions', () => {
  it('drains a backlog of 25 sessions while new ones come in, and mines each exactly once', async () => {
    for (let n = 0; n < 25; n++) w.session(`old-${n}`, [`word ${n}`], n)
    const mined: string[] = []
    let runs = 0
    for (; runs < 20; runs++) {
      if (runs < 5) w.session(`new-${runs}`, [`news ${runs}`], 1000 + runs)
      const { prepared } = await w.cycle()
      expect(prepared.sessions.length).toBeLessThanOrEqual(10)
      if (runs < 2) expect(prepared.sessions.map((session) => session.id)).toContain(`new-${runs}`)
      if (prepared.sessions.length === 0 && runs >= 5) break
      mined.push(...prepared.sessions.map((session) => session.id))
    }
    expect(mined).toHaveLength(30)
    expect(new Set(mined).size).toBe(30)
    expect(runs).toBeLessThanOrEqual(6)
  })

  it('takes the newest with three places for the oldest, numbered oldest first', async () => {
    for (let n = 0; n < 25; n++) w.session(`s${n}`, ['x'], n)
    const { sessions, waiting, jobs } = await w.prepare()
    expect(sessions.map((session) => session.id)).toEqual(['s0', 's1', 's2', 's18', 's19', 's20', 's21', 's22', 's23', 's24'])
    expect(waiting).toBe(15)
    expect(jobs).toHaveLength(21)
    expect(jobs.map((job) => job.kind)).toEqual([...Array(10).fill('memory'), ...Array(10).fill('skill'), 'resource'])
  })

  it('drains with one place a run too', async () => {
    for (let n = 0; n < 3; n++) w.session(`s${n}`, ['x'], n)
    const order: (string | undefined)[] = []
    for (let run = 0; run < 3; run++) order.push((await w.cycle({ maxJobs: 1 })).prepared.sessions[0]?.id)
    expect(order).toEqual(['s0', 's1', 's2'])
  })

  it('refuses a number of jobs that is none', async () => {
    await expect(w.prepare({ maxJobs: 0 })).rejects.toMatchObject({ code: 'invalid_max_jobs', exit: 2 })
  })

  it('gives the place of a session without conversation to another one', async () => {
    w.session('talk', ['hello'], 1)
    w.session('tools', [{ tool: 'Bash', text: 'ls' }], 2)
    expect((await w.prepare({ maxJobs: 1 })).sessions.map((session) => session.id)).toEqual(['talk'])
  })

  it('passes over sessions that the host keeps for itself, and looks at them once', async () => {
    w.session('own', [{ text: 'consolidate', internal: true }])
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { internal: 1 } })
    expect(await w.prepare()).toMatchObject({ skipped: { internal: 0, unchanged: 1 } })
  })

  it('says with exit code 2 that the host has no log', async () => {
    await expect(w.prepare({ sessionDir: join(w.root, 'nowhere') })).rejects.toMatchObject({ code: 'no_session_log', exit: 2 })
  })
})

describe('what is new in a session', () => {
  it('is what came since the last committed run, and nothing before a commit counts', async () => {
    w.session('a', ['one'], 1)
    await w.prepare()
    w.session('a', ['two'], 2)
    await w.prepare()
    expect(w.said('1')).toEqual(['one', 'two'])
    w.finish(1, 2, 3)
    await w.commit()
    w.session('a', ['three'], 3)
    await w.prepare()
    expect(w.said('1')).toEqual(['three'])
  })

  it('leaves a line that is still being written to the next run', async () => {
    w.session('a', ['one'], 1)
    fs.appendFileSync(join(w.log, 'a.jsonl'), '{"text":"tw')
    await w.cycle()
    fs.appendFileSync(join(w.log, 'a.jsonl'), 'o"}\n')
    await w.prepare()
    expect(w.said('1')).toEqual(['two'])
  })

  it('costs a bad line alone, with its place in the report', async () => {
    w.session('a', ['one'], 1)
    fs.appendFileSync(join(w.log, 'a.jsonl'), 'garbage\n{"text":"two"}\n')
    const report = await w.prepare()
    expect(w.said('1')).toEqual(['one', 'two'])
    expect(report.bad).toEqual([{ path: join(w.log, 'a.jsonl'), session: 'a', count: 1, firstOffset: 15, reason: 'not JSON' }])
    expect([prepareExit(report, false), prepareExit(report, true)]).toEqual([0, 1])
  })

  it('leaves out what was mined before a session was rewritten, and counts equal messages', async () => {
    w.session('a', ['yes', 'one', 'yes'], 1)
    await w.cycle()
    fs.rmSync(join(w.log, 'a.jsonl'))
    w.session('a', ['summary', 'yes', 'yes', 'yes', 'two'], 2)
    const prepared = await w.prepare()
    expect(w.said('1')).toEqual(['summary', 'yes', 'two'])
    w.finish(1, 2, 3)
    await w.commit()
    expect(prepared.sessions[0]).toMatchObject({ restarted: true, messages: 3 })
    fs.rmSync(join(w.log, 'a.jsonl'))
    w.session('a', ['one', 'two', 'three'], 3)
    await w.prepare()
    expect(w.said('1')).toEqual(['three'])
  })

  it('leaves out what the host wrote once more at the end of the log', async () => {
    const logged = ['one', 'two'].map((text) => ({ text, key: `id of ${text}` }))
    w.session('a', logged, 1)
    await w.cycle()
    w.session('a', [...logged, 'three'], 2)
    await w.prepare()
    expect(w.said('1')).toEqual(['three'])
  })

  it('holds what was said a second time in the same words', async () => {
    w.session('a', ['yes', 'one'], 1)
    await w.cycle()
    w.session('a', ['yes', 'two'], 2)
    await w.prepare()
    expect(w.said('1')).toEqual(['yes', 'two'])
  })

  it('advances over the tools of a subagent, whose transcript never has words', async () => {
    w.session('a+sub', [{ tool: 'Bash', text: 'ls' }], 1)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { nothingToMine: 1 } })
    const [entry] = Object.values(
      (JSON.parse(w.read('.session_manifest.fake.json')) as { sessions: Record<string, { cursor: object }> }).sessions,
    )
    expect(entry?.cursor).toMatchObject({ offset: fs.statSync(join(w.log, 'a+sub.jsonl')).size })
  })

  it('advances without a job where a rewritten session holds nothing new', async () => {
    w.session('a', ['one', 'two'], 1)
    await w.cycle()
    fs.rmSync(join(w.log, 'a.jsonl'))
    w.session('a', ['two'], 2)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { nothingToMine: 1 } })
    expect(await w.prepare()).toMatchObject({ skipped: { unchanged: 1 } })
  })

  it('keeps tool records without words for the words that follow, and does not open the file again until they do', async () => {
    w.session('a', ['build it'], 1)
    await w.cycle()
    w.session('a', [{ tool: 'Bash', text: 'make' }], 2)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { nothingToMine: 1 } })
    expect(await w.prepare()).toMatchObject({ skipped: { nothingToMine: 0, unchanged: 1 } })
    w.session('a', [{ role: 'assistant', text: 'built' }], 3)
    await w.prepare()
    expect(w.said('1')).toEqual(['built'])
    expect(w.said('1_full')).toEqual(['make', 'built'])
  })

  it('includes what an agent did after the last words of a session that never went on, some days later', async () => {
    let now = new Date('2026-01-02T00:00:00Z')
    const later = await world({ system: { now: () => now } })
    try {
      later.session('a', ['build it'], 1)
      await later.cycle()
      later.session('a', [{ tool: 'Bash', text: 'make' }], 2)
      expect(await later.prepare()).toMatchObject({ sessions: [], skipped: { nothingToMine: 1 } })
      now = new Date('2026-01-04T00:00:00Z')
      expect(await later.prepare()).toMatchObject({ sessions: [], skipped: { unchanged: 1 } })
      now = new Date('2026-01-06T00:00:00Z')
      const { prepared } = await later.cycle()
      expect(prepared.sessions).toMatchObject([{ id: 'a', messages: 0, tools: 1 }])
      expect(await later.prepare()).toMatchObject({ sessions: [], skipped: { unchanged: 1 } })
      later.session('a', ['go on'], 3)
      await later.prepare()
      expect(later.said('1_full')).toEqual(['go on'])
    } finally {
      await later.end()
    }
  })

  it('is handed out whole where no commit followed, however often', async () => {
    w.session('a', ['one'], 1)
    for (let run = 0; run < 3; run++) {
      await w.prepare()
      expect(w.said('1')).toEqual(['one'])
    }
  })

  it('waits where a session cannot be read, and the others go on', async () => {
    w.session('a', ['one'], 1)
    fs.mkdirSync(join(w.log, 'b.jsonl'))
    const report = await w.prepare()
    expect(report.sessions.map((session) => session.id)).toEqual(['a'])
    expect(report.problems).toMatchObject([{ on: join(w.log, 'b.jsonl') }])
    expect(prepareExit(report, false)).toBe(1)
    expect(fs.readdirSync(w.tree.sessions).sort()).toEqual(['1.jsonl', '1_full.jsonl'])
  })
})

describe('slices and jobs', () => {
  it('begin with what is known of the session', async () => {
    w.session('a+sub', ['one'], 1)
    await w.prepare()
    expect(w.slice('1')[0]).toMatchObject({ host: 'fake', session: 'a', project: '/home/u/shop', title: 'about a+sub' })
  })

  it('keep head and tail of a long tool text', async () => {
    w.session('a', ['x', { tool: 'Read', text: `begin${'.'.repeat(50_000)}end` }], 1)
    await w.prepare()
    const [, text = ''] = w.said('1_full')
    expect(text.length).toBeLessThan(17_000)
    expect(text).toMatch(/^begin\.+\n\[… 34008 characters left out …\]\n\.+end$/)
  })

  it('hold a session that is larger than what is kept in memory', async () => {
    const long = Array.from({ length: 500 }, (_, n) => `${n} ${'ä'.repeat(15_000)}`)
    w.session('a', ['hello', ...long.map((text) => ({ tool: 'Read', text }))])
    await w.prepare()
    expect(w.said('1_full').map((text) => text.split(' ')[0])).toEqual(['hello', ...long.map((_, n) => `${n}`)])
    expect(fs.readdirSync(w.tree.sessions).sort()).toEqual(['1.jsonl', '1_full.jsonl'])
  })

  it('name the tree where it was moved', async () => {
    w.session('a', ['one'])
    const { run } = await w.prepare({ baseDir: join(w.root, "it's here") })
    const job = fs.readFileSync(join(w.root, "it's here", 'jobs', '3.txt'), 'utf8')
    expect(job).toContain(`memu-fake verify-resources --base-dir '${w.root}/it'\\''s here'`)
    expect(job).toContain(`memu-fake job-done 3 --run ${run} --base-dir '${w.root}/it'\\''s here'`)
  })

  it('are private to the user', async () => {
    w.session('a', ['one'])
    await w.prepare()
    for (const path of [w.tree.sessions, w.tree.jobs]) expect(fs.statSync(path).mode & 0o077).toBe(0)
    for (const path of ['sessions/1.jsonl', 'sessions/1_full.jsonl', 'jobs/1.txt'])
      expect(fs.statSync(join(w.tree.base, path)).mode & 0o077).toBe(0)
  })
})

describe('a run that was never committed', () => {
  it('loses nothing of what its agent wrote in the mirror', async () => {
    await w.store('memory', 'build', '- make')
    w.session('a', ['one'], 1)
    await w.prepare()
    w.write('memory/build.md', memoryFile('build', '- make', '- make ship'))
    w.write('memory/new.md', memoryFile('new', '- found'))
    await w.store('memory', 'build', '- make\n- make dock')
    const report = await w.prepare()
    expect(report.mirror?.kept).toEqual(['memory/build.md'])
    expect(w.said('1')).toEqual(['one'])
    await w.commit()
    expect(await w.stored('memory', 'build')).toBe('- make\n- make dock\n- make ship')
    expect(await w.stored('memory', 'new')).toBe('- found')
  })

  it('leaves nothing that a later commit would take for finished', async () => {
    w.session('a', ['one'], 1)
    await w.prepare()
    w.finish(1, 2, 3)
    fs.rmSync(join(w.log, 'a.jsonl'))
    expect(await w.prepare()).toMatchObject({ sessions: [] })
    expect(await w.commit()).toMatchObject({ advanced: [] })
    expect(w.has('jobs')).toBe(false)
  })
})

it('refuses to run while another run holds the lock, and says who', async () => {
  const lock = acquireLock(w.tree.lock, { purpose: 'bridge' })
  await expect(w.prepare()).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining(`bridge (process ${process.pid}`) })
  await expect(w.commit()).rejects.toMatchObject({ code: 'locked' })
  expect(await w.prepare({ lockToken: lock.token })).toMatchObject({ sessions: [] })
  lock.release()
  expect(await w.prepare()).toMatchObject({ sessions: [] })
})

it.each(['.session_manifest.fake.json', '.memory_manifest.json'])(
  'leaves a newer version’s %s alone, and mines nothing anew',
  async (name) => {
    w.session('a', ['one'], 1)
    await w.cycle()
    const newer = w.read(name).replace('"version":1', '"version":2')
    w.write(name, newer)
    w.session('a', ['two'], 2)
    await expect(w.prepare()).rejects.toMatchObject({ code: 'manifest_newer', exit: 2, hint: expect.stringContaining('Update memu') })
    expect(w.read(name)).toBe(newer)
    expect(fs.readdirSync(w.tree.base).filter((entry) => entry.includes('.bad-'))).toEqual([])
  },
)

it('keeps a manifest that it cannot read, says so and mines nothing of it twice', async () => {
  w.session('a', ['one'], 1)
  await w.cycle()
  w.session('a', ['two'], 2)
  fs.writeFileSync(w.tree.sessionManifest, '{"version":1,"sess')
  const report = await w.prepare()
  expect(report.notices[0]).toMatch(/could not be read as a session manifest; it was kept as .*bad-1/)
  expect(w.said('1')).toEqual(['two'])
  expect(fs.readFileSync(`${w.tree.sessionManifest}.bad-1`, 'utf8')).toBe('{"version":1,"sess')
})

it('says once of which sessions the manifest could not be read, and mines nothing of them twice', async () => {
  w.session('a', ['one'], 1)
  w.session('b', ['one'], 1)
  await w.cycle()
  const manifest = JSON.parse(w.read('.session_manifest.fake.json')) as { sessions: { a: { openCalls: unknown } } }
  manifest.sessions.a.openCalls = 'x'
  w.write('.session_manifest.fake.json', JSON.stringify(manifest))
  const report = await w.prepare()
  expect(report).toMatchObject({ sessions: [], notices: [expect.stringMatching(/^1 of the sessions in .* could not be read/)] })
  expect(await w.prepare()).toMatchObject({ sessions: [], notices: [], skipped: { unchanged: 2 } })
})

it('misses a session only in the log in which it was, and only where all of that could be looked through', async () => {
  let now = new Date('2026-01-02T00:00:00Z')
  let isReadable = true
  const source = async (directory: string): Promise<TranscriptSource> => {
    const whole = fakeSource(directory)
    const discover: TranscriptSource['discover'] = (report) => {
      if (isReadable) return whole.discover(report)
      report({ path: directory, reason: 'permission denied' })
      return []
    }
    return { ...whole, discover }
  }
  const long = await world({ system: { now: () => now }, spec: { source } })
  try {
    long.session('a', ['one'])
    await long.cycle()
    const elsewhere = join(long.root, 'elsewhere')
    fs.mkdirSync(elsewhere)
    for (const [day, sessionDir] of [
      ['2026-02-01', elsewhere],
      ['2027-03-01', elsewhere],
      ['2027-03-02', undefined],
      ['2027-03-03', undefined],
      ['2029-03-03', undefined],
    ] as const) {
      now = new Date(day)
      isReadable = sessionDir !== undefined
      await long.prepare(sessionDir === undefined ? {} : { sessionDir })
    }
    isReadable = true
    expect(await long.prepare()).toMatchObject({ sessions: [], skipped: { unchanged: 1 } })
  } finally {
    await long.end()
  }
})

it('forgets a session whose log is gone after a year, and not one that comes back in time', async () => {
  let now = new Date('2026-01-02T00:00:00Z')
  const long = await world({ system: { now: () => now } })
  const remembered = (): string[] =>
    Object.keys((JSON.parse(long.read('.session_manifest.fake.json')) as { sessions: Record<string, object> }).sessions).sort()
  try {
    for (const id of ['gone', 'away', 'there']) long.session(id, ['one'])
    await long.cycle()
    fs.rmSync(join(long.log, 'gone.jsonl'))
    fs.renameSync(join(long.log, 'away.jsonl'), join(long.root, 'away.jsonl'))
    await long.prepare()
    now = new Date('2026-12-31T00:00:00Z')
    fs.renameSync(join(long.root, 'away.jsonl'), join(long.log, 'away.jsonl'))
    expect(await long.prepare()).toMatchObject({ sessions: [], skipped: { unchanged: 2 } })
    expect(remembered()).toEqual(['away', 'gone', 'there'])
    expect(fs.readdirSync(long.tree.minedKeys)).toHaveLength(3)
    now = new Date('2027-01-03T00:00:00Z')
    expect(await long.prepare()).toMatchObject({ sessions: [], skipped: { unchanged: 2 } })
    expect(remembered()).toEqual(['away', 'there'])
    expect(fs.readdirSync(long.tree.minedKeys)).toHaveLength(2)
  } finally {
    await long.end()
  }
})
