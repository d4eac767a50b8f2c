import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { prepare } from '../../src/bridging/prepare.ts'
import { rememberSelfSession, saveSelfSessions, selfSessions } from '../../src/bridging/self-sessions.ts'
import type { System } from '../../src/util/system.ts'
import { type World, world } from './world.ts'

let w: World
afterEach(() => w.end())

const now = (): Date => new Date('2026-05-01T12:00:00Z')

async function running(env: System['env'], change: Partial<System> = {}): Promise<World> {
  w = await world({ system: { env, now, ...change } })
  w.session('users', [{ text: 'hello', at: '2026-05-01T08:00:00.000Z' }], 1)
  w.session('own', [{ text: 'run the bridging task', at: '2026-05-01T11:59:00.000Z' }], 2)
  w.session('own+sub', [{ text: 'helping', at: '2026-05-01T11:59:30.000Z' }], 3)
  return w
}

const ids = async (): Promise<string[]> => (await w.prepare()).sessions.map((session) => session.id)

describe('the session in which the run is carried out', () => {
  it('is not mined, nor are its subagents, now and later; the report says how to undo that', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    const report = await w.prepare()
    expect(report.sessions.map((session) => session.id)).toEqual(['users'])
    expect(report.skipped.self).toBe(2)
    expect(report.self).toEqual({ id: 'own', undo: expect.stringContaining(w.tree.selfSessions) })
    expect([...selfSessions(w.tree)]).toEqual(['own'])
  })

  it('is passed over and does not end the scan', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    await w.cycle()
    w.session('own', ['more'], 10)
    w.session('users', ['news'], 4)
    expect(await ids()).toEqual(['users'])
  })

  it('is known by the working directory too', async () => {
    await running({ FAKE_SESSION: 'own' })
    fs.mkdirSync(w.tree.base, { recursive: true })
    const inside = { ...w.deps, system: { ...w.deps.system, cwd: w.tree.base } }
    expect((await prepare({}, inside)).self?.id).toBe('own')
  })

  it.each([
    ['a person runs prepare in it', { FAKE_SESSION: 'own' }],
    ['the gate is empty', { MEMU_BRIDGING_RUN: '', FAKE_SESSION: 'own' }],
    ['the id is empty', { MEMU_BRIDGING_RUN: '1', FAKE_SESSION: '' }],
    ['the id names no session of this host', { MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'other' }],
    ['another host set the variable', { MEMU_BRIDGING_RUN: '1', OTHER_SESSION: 'own' }],
    ['the launch was later than its beginning', { MEMU_BRIDGING_RUN: '2026-05-01T11:59:30Z', FAKE_SESSION: 'own' }],
  ])('is mined when %s', async (_, env) => {
    await running(env)
    expect(await ids()).toEqual(['users', 'own', 'own'])
  })

  it('is not a session of the user that was inherited by the run', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'users' })
    expect(await w.prepare()).toMatchObject({ skipped: { self: 0 } })
    expect(selfSessions(w.tree).size).toBe(0)
  })

  it('is believed where it began after the launch, however long ago that was', async () => {
    await running({ MEMU_BRIDGING_RUN: '2026-05-01T07:00:00.000Z', FAKE_SESSION: 'users' })
    expect((await w.prepare()).self?.id).toBe('users')
  })
})

describe('a run between prepare and commit', () => {
  const other = async (): Promise<unknown> => {
    const system = { ...w.deps.system, env: { MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'second' } }
    return await prepare({}, { ...w.deps, system })
  }
  const alive = (minutesAgo: number): void => {
    const time = new Date(now().getTime() - minutesAgo * 60_000)
    fs.utimesSync(join(w.log, 'own.jsonl'), time, time)
  }

  it('is not disturbed by another one while its session is being written, and is taken over when it has gone quiet', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    await w.prepare()
    w.session('second', [{ text: 'run the bridging task', at: '2026-05-01T11:59:59.000Z' }], 3)
    alive(1)
    await expect(other()).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining('session own') })
    expect(w.said('1')).toEqual(['hello'])
    expect(await w.prepare()).toMatchObject({ sessions: [{ id: 'users' }] })
    alive(6)
    expect(await other()).toMatchObject({ sessions: [{ id: 'users' }] })
  })

  it('is taken over also where its session is from the future: a wrong clock must not hold others up until then', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    await w.prepare()
    w.session('second', ['hello again'], 3)
    alive(-1_000_000)
    expect(await other()).not.toMatchObject({ sessions: [] })
  })

  it('is over with its commit', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    await w.prepare()
    alive(0)
    w.finish(1, 2, 3)
    await w.commit()
    expect(await other()).toMatchObject({ sessions: [] })
  })
})

describe('the list of own sessions', () => {
  it('holds each id once', async () => {
    w = await world()
    for (const id of ['a', 'b', 'a']) rememberSelfSession(w.tree, id)
    expect(fs.readFileSync(w.tree.selfSessions, 'utf8')).toBe('[\n  "a",\n  "b"\n]\n')
  })

  it('keeps every id whose session is there or was there in the last year, and of all others the latest thousand', async () => {
    let today = new Date('2026-05-01T12:00:00Z')
    w = await world({ system: { now: () => today } })
    const path = join(w.log, 'own.jsonl')
    w.session('own', ['run the task'], 1)
    const others = (from: number): string[] => Array.from({ length: 1500 }, (_, n) => `s${from + n}`)
    const elsewhere = join(w.root, 'elsewhere')
    fs.mkdirSync(elsewhere)
    rememberSelfSession(w.tree, 'own')
    await w.prepare()
    saveSelfSessions(w.tree, ['own', ...others(0)])
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { self: 1 } })
    expect([...selfSessions(w.tree)]).toEqual(['own', ...others(0).slice(500)])

    // In another log, and gone for half a year: it may come back.
    saveSelfSessions(w.tree, ['own', ...others(1500)])
    await w.prepare({ sessionDir: elsewhere })
    fs.renameSync(path, join(w.root, 'away'))
    await w.prepare()
    today = new Date('2026-11-01T12:00:00Z')
    saveSelfSessions(w.tree, ['own', ...others(3000)])
    await w.prepare()
    fs.renameSync(join(w.root, 'away'), path)
    expect(await w.prepare()).toMatchObject({ sessions: [], skipped: { self: 1 } })

    fs.rmSync(path)
    await w.prepare()
    today = new Date('2028-01-01T12:00:00Z')
    await w.prepare()
    saveSelfSessions(w.tree, ['own', ...others(4500)])
    await w.prepare()
    expect(selfSessions(w.tree)).not.toContain('own')
  })

  it('is kept aside where it is damaged, which is said once, and what was passed over before still is', async () => {
    w = await world()
    w.session('own', ['run the task'], 1)
    w.session('a', ['one'], 2)
    rememberSelfSession(w.tree, 'own')
    expect(await ids()).toEqual(['a'])
    fs.writeFileSync(w.tree.selfSessions, '["own"')
    const report = await w.prepare()
    expect(report).toMatchObject({ sessions: [{ id: 'a' }], skipped: { self: 1 } })
    expect(report.notices).toEqual([expect.stringMatching(/self_sessions\.fake\.json, .* was damaged and is kept as .*bad-1/)])
    expect(fs.readFileSync(`${w.tree.selfSessions}.bad-1`, 'utf8')).toBe('["own"')
    expect(await w.prepare()).toMatchObject({ sessions: [{ id: 'a' }], notices: [] })
  })

  it('gives back the session that a user takes out of it: all that is in it is mined', async () => {
    await running({ MEMU_BRIDGING_RUN: '1', FAKE_SESSION: 'own' })
    await w.cycle()
    saveSelfSessions(w.tree, [])
    const person = { ...w.deps, system: { ...w.deps.system, env: {} } }
    expect((await prepare({}, person)).sessions.map(({ id }) => id)).toEqual(['own', 'own'])
    expect(w.said('1')).toEqual(['run the bridging task'])
  })
})
