import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildServices } from '../../../src/keel/harness/build-services.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { seedFromEnv } from '../../../src/keel/settings/seed.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { newFake } from '../fake-memory.ts'
import { settingsWorld } from '../settings/world.ts'

function context() {
  const { system } = settingsWorld()
  const memory: KeelMemory = {
    ...newFake(),
    state: () => ({ where: 'embedded', url: '', since: new Date(0), waiting: 0, unsaved: 0 }),
    flush: async () => {},
    close: async () => {},
  }
  const opened: string[] = []
  const openMemory = ({ url }: { readonly url: string }): KeelMemory => {
    opened.push(url)
    return memory
  }
  return { system, memory, opened, openMemory, log: (_line: string): void => {}, notify: () => {} }
}

const { signal } = new AbortController()
const build = (env: Record<string, string>, parts = context()) => buildServices(seedFromEnv({ KEEL_TASKS: 'none', ...env }), parts)

describe('services', () => {
  it('are built from settings, with nothing asked or started', async () => {
    const parts = context()
    writeFileSync(join(parts.system.home, 'goals.md'), '# Run\n')
    const { services, aw } = await build({ KEEL_KNOWLEDGE_FILE: '~/goals.md', KEEL_AW_URL: 'http://localhost:1/api/0/' }, parts)
    expect(services.ai.name).toBe('builtin')
    expect(services.tasks.name).toBe('none')
    expect(services.memory).toBe(parts.memory)
    expect(await services.knowledge!.text(signal)).toContain('Run')
    expect(services.known).toBeDefined()
    expect(services.screenTime).toBeDefined()
    expect(aw.url).toBe('http://localhost:1')
    expect(parts.opened).toEqual(['http://localhost:1'])
  })

  it.skipIf(process.platform === 'win32')(
    'show a file behind a link out of the home where the environment names it, and not where the settings do',
    async () => {
      const parts = context()
      const elsewhere = join(temporaryFolder(), 'goals.md')
      writeFileSync(elsewhere, 'run')
      symlinkSync(elsewhere, join(parts.system.home, 'goals.md'))
      const settings = seedFromEnv({ KEEL_TASKS: 'none', KEEL_KNOWLEDGE_FILE: '~/goals.md' })
      expect(await (await buildServices(settings, parts)).services.knowledge!.text(signal)).toBe('')
      const system = { ...parts.system, env: { ...parts.system.env, KEEL_KNOWLEDGE_FILE: '~/goals.md' } }
      expect(await (await buildServices(settings, { ...parts, system })).services.knowledge!.text(signal)).toBe('run')
    },
  )

  it('tell the log, and who asks, where a part of the tasks is missing', async () => {
    const parts = context()
    const lines: string[] = []
    const script = join(parts.system.home, 'tasks.mjs')
    const write = (due: string) => writeFileSync(script, `process.argv[2] === 'today' ? console.log('Walk') : ${due}`)
    write('process.exit(3)')
    const { services } = await build(
      { KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: `'${process.execPath}' '${script}'` },
      {
        ...parts,
        log: (line: string) => lines.push(line),
      },
    )
    const missing: string[] = []
    const list = () => services.tasks.list({ limit: 5, signal, onMissing: (why) => missing.push(why) })
    expect(await list()).toEqual([{ title: 'Walk' }])
    expect(await list()).toEqual([{ title: 'Walk' }])
    expect(missing).toHaveLength(2)
    expect(lines).toEqual([expect.stringMatching(/^tasks: a part is missing \(node .* code 3\.\); going on with the others$/)])
  })

  it('have neither screen time nor what memU knows where these are off', async () => {
    const { services } = await build({ KEEL_SCREEN_TIME: 'off', KEEL_MEMU: '0' })
    expect(services.screenTime).toBeUndefined()
    expect(services.known).toBeUndefined()
    expect((await build({ KEEL_MEMORY: 'local' })).services.screenTime, 'ActivityWatch is never asked').toBeUndefined()
  })

  it('have the chosen proposer', async () => {
    for (const name of ['claude', 'codex', 'ollama', 'openai']) {
      const { services } = await build({ KEEL_AI_BACKEND: name, KEEL_AI_URL: 'http://127.0.0.1:1', KEEL_AI_MODEL: 'm' })
      expect(services.ai.name).toBe(name)
    }
  })

  it.each([
    [{ KEEL_AI_BACKEND: 'gpt', KEEL_AW_URL: 'nonsense', KEEL_TASKS: 'paper' }, 'invalid_backend', 'ai_backend'],
    [{ KEEL_AI_BACKEND: 'openai', KEEL_AI_URL: 'ftp://x' }, 'invalid_setting', 'ai_url'],
    [{ KEEL_AW_URL: 'http://me:secret@host' }, 'invalid_setting', 'aw_url'],
    [{ KEEL_TASKS: 'paper' }, 'invalid_setting', 'tasks'],
    [{ KEEL_TASKS: 'todoist' }, 'invalid_setting', 'tasks'],
    [{ KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: '"unclosed' }, 'invalid_setting', 'marvin_cmd'],
    [{ KEEL_TASKS: 'auto', KEEL_MARVIN_CMD: '""' }, 'invalid_setting', 'marvin_cmd'],
    [{ KEEL_MEMORY: 'cloud' }, 'invalid_setting', 'memory'],
    [{ KEEL_SCREEN_TIME: 'maybe' }, 'invalid_setting', 'screen_time'],
    [{ KEEL_MEMU: 'maybe' }, 'invalid_setting', 'memu'],
  ])('of %j are refused with %s about %s, before anything is opened; the proposer is looked at first', async (env, code, key) => {
    const parts = context()
    await expect(build(env, parts)).rejects.toMatchObject({ code, key, exit: 2 })
    await expect(build(env, parts)).rejects.not.toThrow(/secret/)
    expect(parts.opened).toEqual([])
  })
})
