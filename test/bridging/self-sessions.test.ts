import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { prepare } from '../../src/bridging/prepare.ts'
import { rememberSelfSession, selfSessions } from '../../src/bridging/self-sessions.ts'
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
    await w.commit()
    expect(await other()).toMatchObject({ sessions: [] })
  })
})

describe('the list of own sessions', () => {
  it('holds each id once, the latest thousand', async () => {
    w = await world()
    for (let n = 0; n < 1001; n++) rememberSelfSession(w.tree, `s${n}`)
    rememberSelfSession(w.tree, 's1000')
    const known = JSON.parse(fs.readFileSync(w.tree.selfSessions, 'utf8')) as string[]
    expect(known).toHaveLength(1000)
    expect([known[0], known.at(-1)]).toEqual(['s1', 's1000'])
  })

  it('is kept aside where it is damaged, and nothing is passed over for it', async () => {
    w = await world()
    w.session('a', ['one'])
    fs.mkdirSync(w.tree.base, { recursive: true })
    fs.writeFileSync(w.tree.selfSessions, '["a"')
    expect(await ids()).toEqual(['a'])
    rememberSelfSession(w.tree, 'b')
    expect([...selfSessions(w.tree)]).toEqual(['b'])
    expect(fs.readFileSync(`${w.tree.selfSessions}.bad-1`, 'utf8')).toBe('["a"')
  })
})
