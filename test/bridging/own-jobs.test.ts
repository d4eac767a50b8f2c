import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { forgetJob, jobSessions, registeredJobs, registerJob } from '../../src/bridging/own-jobs.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import { hermes } from '../../src/hosts/hermes/spec.ts'
import { openclaw } from '../../src/hosts/openclaw/spec.ts'
import type { SessionRef } from '../../src/hosts/transcript-source.ts'
import { runHost } from '../helpers/host-run.ts'
import { hermesDatabase, START } from '../hosts-unit/hermes-log.ts'
import { agentDatabase } from '../hosts-unit/openclaw-database.ts'
import { call, header, message, sessionId } from '../hosts-unit/pi-lines.ts'
import { fakeSource } from './fake-source.ts'
import { type World, world } from './world.ts'

let w: World
afterEach(() => w.end())

/** The scheduler of the fake host notes the job of a session in front of its name, `<job>@<session>`, and nothing of its subagents. */
async function scheduled(): Promise<World> {
  const withJobs = (session: SessionRef): SessionRef =>
    /^[^+]+@[^+]+$/.test(session.id) ? { ...session, job: session.id.split('@')[0] as string } : session
  w = await world({
    spec: {
      source: async (directory) => {
        const source = fakeSource(directory)
        return { ...source, discover: (report) => source.discover(report).map(withJobs) }
      },
    },
  })
  w.session('users', ['hello'], 1)
  w.session('memu@1', ['run the bridging task'], 2)
  w.session('memu@1+sub', ['helping'], 3)
  w.session('rent@2', ['remind me about rent'], 4)
  return w
}

const ids = async (): Promise<string[]> => (await w.prepare()).sessions.map((session) => session.id).sort()

describe('the runs of a registered job', () => {
  it('are not mined, nor are their subagents; what the user scheduled is', async () => {
    await scheduled()
    expect(await ids()).toEqual(['memu@1', 'memu@1', 'rent@2', 'users'])
    registerJob(w.tree, 'memu')
    const report = await w.prepare()
    expect(report.sessions.map(({ id }) => id).sort()).toEqual(['rent@2', 'users'])
    expect(report.skipped.self).toBe(2)
    expect(report.notices).toEqual([
      'memu@1 is a run of the registered job memu and not mined. To undo that: memu-fake register-cron-job --job-id memu --undo',
    ])
  })

  it('are remembered when the host no longer says what they were, and are told of once', async () => {
    await scheduled()
    registerJob(w.tree, 'memu')
    await w.prepare()
    expect(await w.prepare()).toMatchObject({ notices: [], skipped: { self: 2 } })
    const forgetful = { ...w.deps, spec: { ...w.deps.spec, source: async (directory: string) => fakeSource(directory) } }
    expect((await prepare({}, forgetful)).sessions.map(({ id }) => id).sort()).toEqual(['rent@2', 'users'])
  })

  it('are mined when the job is taken back', async () => {
    await scheduled()
    registerJob(w.tree, 'memu')
    await w.prepare()
    expect(forgetJob(w.tree, 'other')).toBe(false)
    expect(forgetJob(w.tree, 'MEMU')).toBe(true)
    expect(await ids()).toEqual(['memu@1', 'memu@1', 'rent@2', 'users'])
  })

  it('are told of once and written once however many are found; of those that are gone the newest thousand are remembered', async () => {
    await scheduled()
    registerJob(w.tree, 'memu')
    const run = (n: number): SessionRef => ({ id: `s${n}`, owner: `s${n}`, path: '', size: 1, modified: 1, job: 'memu' })
    const found = Array.from({ length: 1500 }, (_, n) => run(n))
    const ours = (sessions: readonly SessionRef[]) => {
      const there = new Set(sessions.map(({ id }) => id))
      return jobSessions(w.tree, sessions, (id) => there.has(id), { binary: 'memu-fake', suffix: '' })
    }
    expect(ours(found)).toMatchObject({ ids: { size: 1500 }, notice: expect.stringContaining('1500 sessions') })
    const written = fs.statSync(w.tree.ownJobs, { bigint: true })
    expect(ours(found)).toEqual({ ids: new Set(found.map(({ id }) => id)) })
    expect(fs.statSync(w.tree.ownJobs, { bigint: true }).ino).toBe(written.ino)
    expect(ours([run(1500)]).ids?.size).toBe(1501)
    const { ids: remembered } = ours([])
    expect(remembered?.size).toBe(1001)
    expect(remembered).toContain('s500')
    expect(remembered).not.toContain('s499')
  })
})

describe('the list of registered jobs', () => {
  it('holds each once, in the order of registration, for this user alone to read', async () => {
    await scheduled()
    for (const job of ['b', 'a', 'B']) registerJob(w.tree, job)
    expect(registeredJobs(w.tree)).toEqual(['b', 'a'])
    if (process.platform !== 'win32') expect(fs.statSync(w.tree.ownJobs).mode & 0o777).toBe(0o600)
  })

  it.each(['', ' ', 'a b', 'agent:main:cron:x', 'a\nb', 'x'.repeat(201)])('refuses %j as an id', async (job) => {
    await scheduled()
    expect(() => registerJob(w.tree, job)).toThrow(expect.objectContaining({ code: 'invalid_job_id', exit: 2 }) as Error)
    expect(fs.existsSync(w.tree.ownJobs)).toBe(false)
  })

  it.each(['{"memu": ["memu@1"', '["memu"]', 'null', '7'])(
    'that is damaged (%s) costs no session, and is kept aside by the next registration',
    async (text) => {
      await scheduled()
      w.write('.own_jobs.fake.json', text)
      const report = await w.prepare()
      expect(report.sessions).toHaveLength(4)
      expect(report.notices).toEqual([
        expect.stringMatching(/own_jobs\.fake\.json, .* is damaged.* memu-fake register-cron-job --job-id <id>$/),
      ])
      expect(w.read('.own_jobs.fake.json')).toBe(text)
      expect((await w.prepare()).sessions).toHaveLength(4)
      for (const look of [() => registeredJobs(w.tree), () => forgetJob(w.tree, 'memu')]) {
        expect(look).toThrow(expect.objectContaining({ code: 'jobs_unreadable' }) as Error)
      }
      expect(registerJob(w.tree, 'memu')).toEqual({ aside: `${w.tree.ownJobs}.bad-1` })
      expect(registeredJobs(w.tree)).toEqual(['memu'])
      expect(w.read('.own_jobs.fake.json.bad-1')).toBe(text)
    },
  )

  it('that was damaged later loses no run that was passed over before', async () => {
    await scheduled()
    registerJob(w.tree, 'memu')
    expect(await ids()).toEqual(['rent@2', 'users'])
    w.write('.own_jobs.fake.json', '{"memu": ["memu@1"')
    expect(await ids()).toEqual(['rent@2', 'users'])
  })

  it('survives entries of another kind', async () => {
    await scheduled()
    w.write('.own_jobs.fake.json', '{"memu": [1, "memu@1", null], "odd": 7, "__proto__": ["x"]}')
    expect(await ids()).toEqual(['rent@2', 'users'])
  })
})

describe('register-cron-job', () => {
  const run = (host: string, ...args: string[]) => runHost(host, { ...w.deps.system, home: w.root }, ['register-cron-job', ...args])
  const path = (): string => join(w.root, '.memu', 'hosts', 'openclaw', '.own_jobs.openclaw.json')

  it('registers a job, lists it, says how to undo that, and undoes it', async () => {
    await scheduled()
    expect((await run('openclaw')).out).toBe(
      'No job is registered. To register the one that runs memU: memu-openclaw register-cron-job --job-id <id>\n',
    )
    const { code, out } = await run('openclaw', '--job-id', '4F2-aa')
    expect(code).toBe(0)
    expect(out).toBe(
      `Sessions of the job 4F2-aa are not mined from now on. To undo that: memu-openclaw register-cron-job --job-id 4F2-aa --undo\nRegistered jobs, kept in ${path()}:\n  4f2-aa\n`,
    )
    expect(JSON.parse((await run('openclaw', '--json')).out)).toEqual({ jobs: ['4f2-aa'], path: path() })
    expect((await run('openclaw', '--job-id', '4f2-aa', '--undo')).out).toContain('No job is registered.')
    await expect(run('openclaw', '--job-id', '4f2-aa', '--undo')).rejects.toMatchObject({ code: 'job_not_registered' })
    await expect(run('openclaw', '--undo')).rejects.toMatchObject({
      code: 'usage',
      exit: 2,
      hint: expect.stringContaining('register-cron-job'),
    })
  })

  it('waits with the list while a run reads and writes it: it is told that a run is on', async () => {
    await scheduled()
    await run('openclaw', '--job-id', 'j1')
    const { acquireLock } = await import('../../src/util/lock.ts')
    const lock = acquireLock(join(path(), '..', '.bridging.openclaw.lock'), { purpose: 'prepare' })
    await expect(run('openclaw', '--job-id', 'j2')).rejects.toMatchObject({ code: 'locked' })
    await expect(run('openclaw', '--job-id', 'j1', '--undo')).rejects.toMatchObject({ code: 'locked' })
    lock.release()
    expect((await run('openclaw', '--json')).out).toContain('["j1"]')
  })

  it('is no verb of another host', async () => {
    await scheduled()
    await expect(run('pi', '--job-id', 'x')).rejects.toMatchObject({ code: 'usage' })
  })

  it('is a verb of Hermes too, whose sessions are named after their job', async () => {
    w = await world({})
    const path = join(w.root, 'state.db')
    const database = hermesDatabase(path)
    for (const id of ['cron_memu_run_20260901_100000', 'cron_morning_mail_20260901_110000']) {
      database.session(id, { source: 'cron' })
      database.message(id, { role: 'user', content: `words of ${id}`, timestamp: START })
    }
    database.close()
    const deps = { ...w.deps, spec: hermes, system: { ...w.deps.system, home: w.root, now: () => new Date('2026-10-01T00:00:00Z') } }
    expect((await run('hermes', '--job-id', 'memu_run')).out).toContain('memu-hermes register-cron-job --job-id memu_run --undo')
    const report = await prepare({ sessionDir: path }, deps)
    expect(report.sessions.map(({ id }) => id)).toEqual(['cron_morning_mail_20260901_110000'])
    expect(report.notices).toEqual([expect.stringContaining('memu-hermes register-cron-job --job-id memu_run --undo')])
  })

  it('keeps the runs of that job, and what their subagents did, out of the next prepare', async () => {
    w = await world({})
    const agents = join(w.root, '.openclaw', 'agents')
    const database = agentDatabase(agents)
    const [users, ours, helper, rent] = [1, 2, 3, 4].map(sessionId) as [string, string, string, string]
    const rows = [
      [users, 'agent:main:main', undefined],
      [ours, `agent:main:cron:j1:run:${ours}`, undefined],
      [helper, 'agent:main:subagent:7', `agent:main:cron:j1:run:${ours}`],
      [rent, `agent:main:cron:j2:run:${rent}`, undefined],
    ] as const
    for (const [id, key, spawnedBy] of rows) {
      database.session(id, { key, ...(spawnedBy && { spawnedBy }) })
      database.append(id, [header(id), message(1, 'user', `words of ${key}`), call(2, 'ls'), message(3, 'assistant', 'Done.')])
    }
    database.close()
    const deps = { ...w.deps, spec: openclaw, system: { ...w.deps.system, now: () => new Date('2026-10-01T00:00:00Z') } }
    await run('openclaw', '--job-id', 'j1')
    const report = await prepare({}, deps)
    expect(report.problems).toEqual([])
    expect(report.sessions.map(({ id }) => id).sort()).toEqual([`main/${users}`, `main/${rent}`])
    expect(report.skipped.self).toBe(2)
  })
})
