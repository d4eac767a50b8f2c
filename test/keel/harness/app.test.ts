import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AppOptions, createApp, type RunningApp } from '../../../src/keel/harness/app.ts'
import type { OffscreenView } from '../../../src/keel/offscreen/view.ts'
import type { System } from '../../../src/util/system.ts'
import { jsonServer } from '../../helpers/json-server.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'
import { until } from '../offscreen/world.ts'
import { settingsWorld } from '../settings/world.ts'

const BUCKET = 'keel.events'

interface Daemon {
  readonly app: RunningApp
  readonly lines: string[]
}

async function open(system: System, options: AppOptions = {}): Promise<Daemon> {
  const lines: string[] = []
  const app = await createApp(system, { log: (line) => lines.push(line), storeFile: join(system.home, 'events.db'), ...options })
  onTestFinished(() => app.close(AbortSignal.timeout(2_000)))
  return { app, lines }
}

const status = ({ app }: Daemon, wanted: OffscreenView['status']) => until(() => expect(app.state().offscreen.status).toBe(wanted))
const isIn = ({ app }: Daemon, where: string) => until(() => expect(app.state().memory.where).toBe(where))

async function server() {
  const aw = await fakeAw()
  onTestFinished(() => aw.stop())
  return aw
}

const world = (url: string, env: Record<string, string> = {}) =>
  settingsWorld({ KEEL_AW_URL: url, KEEL_TASKS: 'none', KEEL_MEMU: 'off', ...env })

describe('the acceptance of the seed', () => {
  it('has the bucket, the events of a confirmed proposal with one id, and the history after a restart', async () => {
    const aw = await server()
    const { system } = world(aw.url)
    const first = await open(system)
    await isIn(first, 'activitywatch')
    expect(first.lines).toContain(`memory: keel.events ready at ${aw.url}`)
    expect(aw.has(BUCKET)).toBe(true)
    await first.app.command({ name: 'start' })
    await status(first, 'proposed')
    await first.app.command({ name: 'confirm' })
    await first.app.close(AbortSignal.timeout(5_000))

    const stored = aw.stored(BUCKET)
    expect(stored.map(({ _kind }) => _kind)).toEqual(['proposal_made', 'confirm_begun', 'action_taken'])
    const { proposal_id } = stored[0]!
    expect(proposal_id).toMatch(/^[0-9a-f]{16}$/)
    for (const event of stored) expect(event).toMatchObject({ mode: 'offscreen', proposal_id })

    const second = await open(system)
    await second.app.command({ name: 'start' })
    await status(second, 'proposed')
    expect(second.app.brief()!.text).toContain(`## Recently proposed\n- ${JSON.stringify(stored[0]!.next_action)} (confirmed, just now)\n`)
    expect(second.app.state().offscreen.proposal!.nextAction).not.toBe(stored[0]!.next_action)
  })

  it('without ActivityWatch: a line in the log, every command works, and nothing is lost when it comes', async () => {
    const aw = await server()
    await aw.stop()
    const { system } = world(aw.url)
    const daemon = await open(system)
    await until(() => expect(daemon.lines.join('\n')).toMatch(`memory: AW unavailable at ${aw.url} (`))
    for (const last of ['confirm', 'dismiss'] as const) {
      await daemon.app.command({ name: 'start' })
      await status(daemon, 'proposed')
      await daemon.app.command({ name: last })
    }
    expect(daemon.app.state().memory).toMatchObject({ where: 'embedded', waiting: 5 })
    await daemon.app.close(AbortSignal.timeout(5_000))
    await aw.start()
    const next = await open(system)
    await isIn(next, 'activitywatch')
    await until(() => expect(aw.stored(BUCKET)).toHaveLength(5))
  })

  it('with an ActivityWatch that hangs: a proposal comes all the same, in less than the time of two reads', async () => {
    const aw = await server()
    aw.trouble = () => 'hang'
    const daemon = await open(world(aw.url).system)
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    expect(daemon.app.brief()!.text).not.toContain('Screen time')
  })
})

describe('the object behind the page', () => {
  it('has a version that grows with every change, and tells of it', async () => {
    const daemon = await open(world('http://127.0.0.1:1', { KEEL_MEMORY: 'local' }).system)
    const versions: number[] = []
    const stop = daemon.app.subscribe(() => versions.push(daemon.app.state().version))
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    await daemon.app.command({ name: 'dismiss', reason: 'tired' })
    expect(versions.length).toBeGreaterThanOrEqual(3)
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBe(versions.length)
    stop()
    expect(daemon.app.state()).toMatchObject({ ai: 'builtin', tasks: 'none', demo: false, memory: { where: 'embedded' } })
    const { entries, days } = await daemon.app.history(7, AbortSignal.timeout(5_000))
    expect(entries).toMatchObject([{ outcome: 'dismissed', reason: 'tired' }])
    expect(days.at(-1)).toMatchObject({ proposed: 1, dismissed: 1 })
  })

  it('takes up the open proposal of a run before', async () => {
    const { system } = world('http://127.0.0.1:1', { KEEL_MEMORY: 'local' })
    const first = await open(system)
    await first.app.command({ name: 'start' })
    await status(first, 'proposed')
    const { id } = first.app.state().offscreen.proposal!
    await first.app.close(AbortSignal.timeout(5_000))
    const second = await open(system)
    await status(second, 'proposed')
    expect(second.app.state().offscreen.proposal!.id).toBe(id)
  })

  it('works with a log that cannot be written', async () => {
    const log = () => {
      throw new Error('ENOSPC')
    }
    const made = world('http://127.0.0.1:1', { KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: '/nowhere/claude' })
    made.write('{')
    const daemon = await open(made.system, { log })
    daemon.app.subscribe(log)
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'error')
    await daemon.app.close(AbortSignal.timeout(5_000))
  })

  it('forgets a proposal here, in ActivityWatch and on the page, and everything, so that the next run knows nothing of it', async () => {
    const aw = await server()
    const { system } = world(aw.url)
    const { signal } = new AbortController()
    const first = await open(system)
    await isIn(first, 'activitywatch')
    const ids: string[] = []
    for (const last of ['confirm', 'dismiss'] as const) {
      await first.app.command({ name: 'start' })
      await status(first, 'proposed')
      ids.push(first.app.state().offscreen.proposal!.id)
      await first.app.command({ name: last })
    }
    await until(() => expect(aw.stored(BUCKET)).toHaveLength(5))
    await first.app.forget(ids[0])
    expect((await first.app.history(7, signal)).entries.map(({ id }) => id)).toEqual([ids[1]])
    expect(first.app.state().offscreen).toMatchObject({ status: 'done', outcome: 'dismissed' })
    await until(() => expect(aw.stored(BUCKET).map(({ proposal_id }) => proposal_id)).toEqual([ids[1], ids[1]]))
    await first.app.forget(undefined)
    expect(first.app.state().offscreen).toEqual({ status: 'pending' })
    expect(first.app.brief()).toBeUndefined()
    expect(first.lines.filter((line) => line.includes('forgotten'))).toEqual([
      'memory: a proposal is forgotten, as it was asked for',
      'memory: everything is forgotten, as it was asked for',
    ])
    await until(() => expect(aw.stored(BUCKET)).toEqual([]))
    await first.app.close(AbortSignal.timeout(2_000))
    await expect(first.app.forget(undefined)).rejects.toMatchObject({ code: 'stopping' })
    const second = await open(system)
    expect((await second.app.history(7, signal)).entries).toEqual([])
    await second.app.command({ name: 'start' })
    await status(second, 'proposed')
    expect(second.app.brief()!.text).not.toContain('Recently proposed')
  })

  it('closes once, and takes no command after that', async () => {
    const { app } = await open(world('http://127.0.0.1:1', { KEEL_MEMORY: 'local' }).system)
    await Promise.all([app.close(AbortSignal.timeout(5_000)), app.close(AbortSignal.timeout(5_000))])
    await expect(app.command({ name: 'start' })).rejects.toMatchObject({ code: 'stopping' })
  })

  it('keeps nothing on this machine where that is switched off, and says so in the words of the seed', async () => {
    const aw = await server()
    await aw.stop()
    const { system } = world(aw.url, { KEEL_MEMORY: 'none' })
    const daemon = await open(system)
    await until(() => expect(daemon.lines.join('\n')).toMatch(/; running without memory$/m))
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    await daemon.app.command({ name: 'confirm' })
    expect(daemon.app.state()).toMatchObject({ offscreen: { status: 'done' }, memory: { where: 'none' } })
    expect(existsSync(join(system.home, 'events.db'))).toBe(false)
  })
})

describe('a change of settings', () => {
  const local = (env: Record<string, string> = {}) => settingsWorld({ KEEL_TASKS: 'none', KEEL_MEMU: 'off', ...env })

  it('is written, logged, and serves the next proposal', async () => {
    const made = local({ KEEL_MEMORY: 'local' })
    made.write({ theme: 'dark' })
    const daemon = await open(made.system)
    await daemon.app.changeSettings({ ai_backend: 'claude', ai_model: 'small' })
    expect(daemon.app.state().ai).toBe('claude')
    expect(JSON.parse(readFileSync(made.path, 'utf8'))).toEqual({ theme: 'dark', ai_backend: 'claude', ai_model: 'small' })
    expect(daemon.lines).toContain('settings: changed on the page: ai_backend is claude')
    expect(daemon.app.settings().find(({ key }) => key === 'ai_model')).toMatchObject({ value: 'small', source: 'file' })
  })

  it('that is refused leaves file, settings, services and memory as they were', async () => {
    const aw = await server()
    const made = local()
    made.write({ aw_url: aw.url })
    const daemon = await open(made.system)
    await isIn(daemon, 'activitywatch')
    const before = { text: readFileSync(made.path, 'utf8'), settings: daemon.app.settings(), memory: daemon.app.state().memory }
    for (const [values, key] of [
      [{ ai_backend: 'gpt' }, 'ai_backend'],
      [{ ai_backend: 'openai', ai_url: 'nonsense' }, 'ai_url'],
      [{ aw_url: 'ftp://x' }, 'aw_url'],
      [{ marvin_cmd: 'evil' }, 'marvin_cmd'],
      [{ ai_backend: 'claude', nonsense: '' }, 'nonsense'],
    ] as const) {
      await expect(daemon.app.changeSettings(values)).rejects.toMatchObject({ key })
    }
    expect({ text: readFileSync(made.path, 'utf8'), settings: daemon.app.settings(), memory: daemon.app.state().memory }).toEqual(before)
    expect(daemon.app.state().ai).toBe('builtin')
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
  })

  it('is refused where the file cannot be read, which stays as it is, until it is mended', async () => {
    const made = local({ KEEL_MEMORY: 'local' })
    made.write('{"ai_backend": "cla')
    const daemon = await open(made.system)
    expect(daemon.lines[0]).toMatch(/^settings: cannot read .*it is not valid JSON/)
    await expect(daemon.app.changeSettings({ ai_backend: 'claude' })).rejects.toMatchObject({ code: 'settings_unreadable' })
    expect(readFileSync(made.path, 'utf8')).toBe('{"ai_backend": "cla')
    expect(daemon.app.state().ai).toBe('builtin')
    made.write({ ai_model: 'small' })
    await daemon.app.changeSettings({ ai_backend: 'claude' })
    expect(JSON.parse(readFileSync(made.path, 'utf8'))).toEqual({ ai_model: 'small', ai_backend: 'claude' })
  })

  it('is refused also where it asks for a default, while a file that was read at the start cannot be read any more', async () => {
    const made = settingsWorld({ KEEL_MEMU: 'off' })
    made.write({ ai_backend: 'ollama', memory: 'none', aw_url: 'http://127.0.0.1:1', tasks: 'none' })
    const daemon = await open(made.system)
    made.write('{"ai_backend": "oll')
    for (const values of [{ ai_backend: 'builtin' }, { memory: 'auto' }, {}]) {
      await expect(daemon.app.changeSettings(values)).rejects.toMatchObject({ code: 'settings_unreadable' })
    }
    expect(daemon.app.state()).toMatchObject({ ai: 'ollama', tasks: 'none', memory: { where: 'none', url: 'http://127.0.0.1:1' } })
    expect(existsSync(join(made.system.home, 'events.db'))).toBe(false)
  })

  it('of the address of ActivityWatch goes over to it with what waits, and one of anything else leaves the memory open', async () => {
    const [away, there] = [await server(), await server()]
    await away.stop()
    const made = local()
    made.write({ aw_url: away.url })
    const daemon = await open(made.system)
    await until(() => expect(daemon.app.state().memory.reason).toBeDefined())
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    const { since } = daemon.app.state().memory
    await daemon.app.changeSettings({ ai_model: 'small' })
    expect(daemon.app.state().memory.since).toBe(since)
    await daemon.app.changeSettings({ aw_url: there.url })
    await isIn(daemon, 'activitywatch')
    await until(() => expect(there.stored(BUCKET)).toHaveLength(1))
    await daemon.app.command({ name: 'confirm' })
    await until(() => expect(there.stored(BUCKET).map(({ _kind }) => _kind)).toEqual(['proposal_made', 'confirm_begun', 'action_taken']))
  })

  it('to OpenAI itself by leaving everything out is refused, and asks nobody', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    const made = local({ KEEL_MEMORY: 'local' })
    const daemon = await open({ ...made.system, fetch })
    await expect(daemon.app.changeSettings({ ai_backend: 'openai' })).rejects.toMatchObject({
      key: 'ai_url',
      message: expect.stringContaining('api.openai.com'),
    })
    expect(daemon.app.state()).toMatchObject({ ai: 'builtin' })
    await daemon.app.changeSettings({ ai_backend: 'openai', ai_url: 'localhost:1' })
    expect(daemon.app.state()).toMatchObject({ ai: 'openai', destination: { kind: 'here', name: 'http://localhost:1/v1' } })
    expect(fetch).not.toHaveBeenCalled()
  })

  it('to what is not there (yet) is saved, and said beside the setting', async () => {
    const made = local({ KEEL_MEMORY: 'local', PATH: '/nowhere' })
    const daemon = await open(made.system)
    const note = (key: string) => daemon.app.settings().find((setting) => setting.key === key)!.note
    expect([note('knowledge_path'), note('ai_backend')]).toEqual([undefined, undefined])
    await daemon.app.changeSettings({ knowledge_path: '~/nope.md', ai_backend: 'claude' })
    expect(note('knowledge_path')).toContain(join(made.system.home, 'nope.md'))
    expect(note('ai_backend')).toContain('KEEL_AI_PROGRAM')
    writeFileSync(join(made.system.home, 'nope.md'), 'run')
    expect(note('knowledge_path')).toBeUndefined()
  })

  it('waits for the one before it', async () => {
    const made = local({ KEEL_MEMORY: 'local' })
    const daemon = await open(made.system)
    await Promise.all([
      daemon.app.changeSettings({ ai_model: 'a' }),
      daemon.app.changeSettings({ ai_backend: 'gpt' }).catch(() => {}),
      daemon.app.changeSettings({ todoist_filter: 'today' }),
    ])
    expect(JSON.parse(readFileSync(made.path, 'utf8'))).toEqual({ ai_model: 'a', todoist_filter: 'today' })
  })

  it('at the start that cannot be used is an error that says where it is set', async () => {
    const inFile = local()
    inFile.write({ ai_backend: 'gpt' })
    await expect(createApp(inFile.system)).rejects.toMatchObject({
      code: 'invalid_backend',
      hint: expect.stringContaining(`It is ai_backend in ${inFile.path}.`),
    })
    await expect(createApp(local({ KEEL_AW_URL: 'x' }).system)).rejects.toMatchObject({
      key: 'aw_url',
      hint: expect.stringContaining('It is KEEL_AW_URL in the environment.'),
    })
  })
})

describe('what was sent', () => {
  it('is the whole text that a server got, and where that is', async () => {
    const model = await jsonServer(() => ({ body: { message: { content: '{"next_action": "Walk", "rationale": "Why not"}' } } }))
    onTestFinished(() => model.close())
    const env = { KEEL_MEMORY: 'local', KEEL_AI_BACKEND: 'ollama', KEEL_AI_URL: model.url, KEEL_AI_MODEL: 'm' }
    const daemon = await open(world('http://127.0.0.1:1', env).system)
    expect(daemon.app.brief()).toBeUndefined()
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    const given = model.asked.map(({ body }) => (body.messages as { content: string }[])[0]!.content)
    const brief = daemon.app.brief()!
    expect(brief).toMatchObject({ to: 'ollama', destination: { kind: 'here', name: model.url }, prompts: given })
    expect(given[0]).toContain(brief.text.trim())
    await daemon.app.forget(undefined)
    expect(daemon.app.brief()).toBeUndefined()
  })

  it('is nothing where the proposer could not be asked, or has nobody to send it to', async () => {
    const env = { KEEL_MEMORY: 'local', KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: '/nowhere/claude' }
    const daemon = await open(world('http://127.0.0.1:1', env).system)
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'error')
    expect(daemon.app.brief()).toMatchObject({ to: 'claude', destination: { kind: 'program', name: 'Claude Code' }, prompts: [] })
    const own = await open(world('http://127.0.0.1:1', { KEEL_MEMORY: 'local' }).system)
    await own.app.command({ name: 'start' })
    await status(own, 'proposed')
    expect(own.app.brief()!.prompts).toEqual([])
    expect(own.app.brief()).not.toHaveProperty('destination')
    expect(own.app.state()).not.toHaveProperty('destination')
  })
})

describe('the demo', () => {
  it('shows the whole flow with nothing of the user, and leaves nothing behind', async () => {
    const { system, path } = settingsWorld({ KEEL_AI_BACKEND: 'claude', KEEL_AW_URL: 'http://127.0.0.1:1', KEEL_MARVIN_CMD: 'marvin' })
    const noon = new Date(2026, 5, 5, 12)
    const fetch = vi.fn<typeof globalThis.fetch>()
    const daemon = await open({ ...system, fetch, now: () => noon }, { demo: true, storeFile: undefined })
    expect(daemon.app.state()).toMatchObject({ demo: true, ai: 'builtin', memory: { where: 'embedded' } })
    await daemon.app.command({ name: 'start' })
    await status(daemon, 'proposed')
    const action = daemon.app.state().offscreen.proposal!.nextAction
    const { text } = daemon.app.brief()!
    for (const part of ['## Tasks', '## Recently proposed', '## Goals']) expect(text).toContain(part)
    await daemon.app.command({ name: 'confirm' })
    expect(daemon.app.state().offscreen).toMatchObject({ outcome: 'confirmed' })
    expect(daemon.app.state().offscreen).not.toHaveProperty('existing')
    const { days } = await daemon.app.history(28, AbortSignal.timeout(5_000))
    expect(days.filter(({ proposed }) => proposed > 0).length).toBeGreaterThan(20)

    await daemon.app.changeSettings({ ai_model: 'small' })
    const folder = daemon.app.settings().find(({ key }) => key === 'todo_txt')!.value
    expect(
      readFileSync(folder, 'utf8')
        .split('\n')
        .filter((line) => line.includes(action)),
    ).toHaveLength(1)
    await daemon.app.close(AbortSignal.timeout(5_000))
    expect(existsSync(join(folder, '..'))).toBe(false)
    expect(existsSync(path)).toBe(false)
    expect(existsSync(join(system.home, 'events.db'))).toBe(false)
    expect(fetch).not.toHaveBeenCalled()
  })
})
