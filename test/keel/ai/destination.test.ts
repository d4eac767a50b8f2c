import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serverDestination } from '../../../src/keel/ai/destination.ts'
import { openProposer } from '../../../src/keel/ai/open.ts'
import type { AiSettings } from '../../../src/keel/ai/settings.ts'
import { jsonServer } from '../../helpers/json-server.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { standIn } from './backends/stand-in.ts'
import { answered } from './fake-backend.ts'
import { testSystem } from './system.ts'

const { signal } = new AbortController()

describe('where a brief goes', () => {
  it.each([
    ['http://localhost:7793/v1', 'here', 'http://localhost:7793/v1'],
    ['http://127.0.0.1:11434', 'here', 'http://127.0.0.1:11434'],
    ['http://[::1]:1/', 'here', 'http://[::1]:1'],
    ['https://api.openai.com/v1/', 'elsewhere', 'https://api.openai.com/v1'],
    ['http://192.168.1.7:11434', 'elsewhere', 'http://192.168.1.7:11434'],
    ['http://models.localhost:80', 'elsewhere', 'http://models.localhost'],
    ['http://me:word@models.example/v1?key=secret#more', 'elsewhere', 'http://models.example/v1'],
  ])('%s is %s, and is named without what may be secret', (url, kind, name) => {
    expect(serverDestination(new URL(url))).toEqual({ kind, name })
  })

  it.each<[AiSettings, object | undefined]>([
    [{ backend: 'builtin' }, undefined],
    [{ backend: 'claude' }, { kind: 'program', name: 'Claude Code' }],
    [{ backend: 'codex' }, { kind: 'program', name: 'Codex' }],
    [{ backend: 'ollama' }, { kind: 'here', name: 'http://127.0.0.1:11434' }],
    [
      { backend: 'ollama', model: 'gpt-oss:120b-cloud' },
      { kind: 'elsewhere', name: 'http://127.0.0.1:11434' },
    ],
    [
      { backend: 'openai', key: 'k' },
      { kind: 'elsewhere', name: 'https://api.openai.com/v1' },
    ],
    [
      { backend: 'openai', url: 'http://localhost:1234' },
      { kind: 'here', name: 'http://localhost:1234/v1' },
    ],
  ])('is known before anything is asked: %j', async (settings, destination) => {
    expect((await openProposer(settings, testSystem())).destination).toEqual(destination)
  })

  it('openai alone does not say which server is meant, and is refused with what to do', async () => {
    await expect(openProposer({ backend: 'openai' }, testSystem())).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid_setting',
        message: expect.stringContaining('api.openai.com'),
        hint: expect.stringContaining('KEEL_AI_KEY'),
      }),
    )
    expect((await openProposer({ backend: 'openai' }, testSystem([], { OPENAI_API_KEY: 'k' }))).name).toBe('openai')
  })
})

describe('what was given away', () => {
  async function sentBy(settings: AiSettings, folders: string[] = []): Promise<string[]> {
    const sent: string[] = []
    const proposer = await openProposer(settings, testSystem(folders))
    await proposer.propose('My brief', { exclude: ['Sail'], signal, onSent: (text) => sent.push(text) }).catch(() => {})
    return sent
  }

  it('is the whole text: what is asked, the brief, and what is not wanted', async () => {
    const server = await jsonServer(() => ({ body: { message: { content: answered('walk') } } }))
    onTestFinished(() => server.close())
    const sent = await sentBy({ backend: 'ollama', url: server.url, model: 'm' })
    expect(sent).toEqual([(server.asked[0]!.body as { messages: { content: string }[] }).messages[0]!.content])
    for (const part of ['My brief', '"Sail"', 'next_action']) expect(sent[0]).toContain(part)
  })

  it('is a second text where the first answer could not be used', async () => {
    const server = await jsonServer(() => ({ body: { message: { content: 'no idea' } } }))
    onTestFinished(() => server.close())
    const sent = await sentBy({ backend: 'ollama', url: server.url, model: 'm' })
    expect(sent).toHaveLength(2)
    expect(sent[1]).toContain('no idea')
  })

  it('is nothing where no server is there', async () => {
    const server = await jsonServer(() => ({ body: {} }))
    await server.close()
    expect(await sentBy({ backend: 'ollama', url: server.url, model: 'm' })).toEqual([])
    expect(await sentBy({ backend: 'openai', url: server.url, model: 'm' })).toEqual([])
  })

  it('is nothing where the server has no model to ask, as it is not told why it is asked for them', async () => {
    const server = await jsonServer(() => ({ body: { models: [] } }))
    onTestFinished(() => server.close())
    expect(await sentBy({ backend: 'ollama', url: server.url })).toEqual([])
  })

  it('is nothing where the program is not there, or cannot be started', async () => {
    expect(await sentBy({ backend: 'claude' })).toEqual([])
    expect(await sentBy({ backend: 'codex' })).toEqual([])
    const program = join(temporaryFolder(), 'claude')
    writeFileSync(program, '#!/nowhere/at/all\n')
    chmodSync(program, 0o755)
    expect(await sentBy({ backend: 'claude', program })).toEqual([])
  })

  it('is the text that a program was started with, whatever became of it', async () => {
    const claude = standIn('claude', 'process.exit(3)')
    const sent = await sentBy({ backend: 'claude' }, [claude.folder])
    expect(sent).toEqual(claude.runs().map(({ input }) => input))
    expect(sent[0]).toContain('My brief')
  })

  it('is with Codex what it is asked, and not that it was asked for its servers', async () => {
    const codex = standIn('codex', `if (args[0] === 'mcp') say('[]\\n'); else process.exit(3)`)
    const sent = await sentBy({ backend: 'codex' }, [codex.folder])
    expect(sent).toHaveLength(1)
    expect(sent[0]).toContain('My brief')
  })

  it('is nothing with rules of our own', async () => {
    expect(await sentBy({ backend: 'builtin' })).toEqual([])
  })
})
