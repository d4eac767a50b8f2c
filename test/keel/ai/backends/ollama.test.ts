import { describe, expect, it, onTestFinished } from 'vitest'
import { ollamaBackend } from '../../../../src/keel/ai/backends/ollama.ts'
import { PROPOSAL_SCHEMA } from '../../../../src/keel/ai/proposal.ts'
import { newService } from '../../../../src/keel/ai/service.ts'
import { type JsonServer, jsonServer } from '../../../helpers/json-server.ts'
import { answered } from '../fake-backend.ts'
import { fakeNetwork } from '../fake-network.ts'
import { testSystem } from '../system.ts'

const { signal } = new AbortController()
const options = { schema: PROPOSAL_SCHEMA, signal }

async function serving(...reply: Parameters<typeof jsonServer>): Promise<JsonServer> {
  const server = await jsonServer(...reply)
  onTestFinished(() => server.close())
  return server
}

const says = (content: string, more: object = {}) => ({
  body: { message: { role: 'assistant', content, ...more }, done: true, done_reason: 'stop' },
})
const backend = (url: string, model = 'qwen3:4b') =>
  ollamaBackend({ backend: 'ollama', url, ...(model ? { model } : {}) }, testSystem(), { sleep: async () => {} })
const failing = (url: string, model?: string) =>
  backend(url, model)
    .ask('brief', options)
    .catch((thrown) => thrown)

describe('Ollama', () => {
  it('is asked once, for JSON of the schema, without thoughts, and with room for the whole brief', async () => {
    const server = await serving(() => says(answered('walk')))
    expect(await backend(`${server.url}/`).ask('my brief', options)).toBe(answered('walk'))
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]).toMatchObject({
      path: '/api/chat',
      body: {
        model: 'qwen3:4b',
        messages: [{ role: 'user', content: 'my brief' }],
        format: PROPOSAL_SCHEMA,
        think: false,
        stream: false,
        options: { num_ctx: 8192 },
      },
    })
    await backend(server.url).ask('x'.repeat(32_000), options)
    await backend(server.url).ask('x'.repeat(64_000), options)
    expect(server.asked.slice(1).map(({ body }) => (body.options as { num_ctx: number }).num_ctx)).toEqual([16_384, 32_768])
  })

  it('answers with the newest model that talks and runs here, where none is named', async () => {
    const models = [
      { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert' } },
      { name: 'gpt-oss:120b-cloud', remote_host: 'https://ollama.com' },
      { name: 'glm:cloud' },
      { name: 7 },
      null,
      { name: 'llama3.2:3b', details: { family: 'llama' } },
      { name: 'qwen3:4b' },
    ]
    const server = await serving(({ path }) => (path === '/api/tags' ? { body: { models } } : says(answered('walk'))))
    await backend(server.url, '').ask('brief', options)
    expect(server.asked.map(({ path, body }) => [path, body.model])).toEqual([
      ['/api/tags', undefined],
      ['/api/chat', 'llama3.2:3b'],
    ])
  })

  it.each([[{ models: [] }], [{ models: null }], [{ models: [{ name: 'x-cloud' }] }], [[]]])(
    'without such a model says how to get one: %j',
    async (body) => {
      const server = await serving(() => ({ body }))
      expect(await failing(server.url, '')).toMatchObject({ code: 'ai_unavailable', hint: expect.stringContaining('ollama pull') })
    },
  )

  it('that puts its answer into its thoughts is understood', async () => {
    const server = await serving(() => says('', { thinking: answered('walk') }))
    expect(await backend(server.url).ask('brief', options)).toBe(answered('walk'))
  })

  it('that does not keep to the schema is asked again by the service', async () => {
    const server = await serving((_, count) => says(count === 1 ? 'A walk would be nice.' : answered('walk')))
    expect(await newService(backend(server.url)).propose('brief', { signal })).toMatchObject({ nextAction: 'walk' })
    expect(server.asked).toHaveLength(2)
  })

  it('that is busy is asked again', async () => {
    const server = await serving((_, count) =>
      count === 1 ? { status: 503, body: { error: 'server busy, please try again' } } : says(answered('walk')),
    )
    expect(await backend(server.url).ask('brief', options)).toBe(answered('walk'))
  })

  it.each([
    [
      'lacks the model',
      { status: 404, body: { error: "model 'qwen3:4b' not found" } },
      'ai_unavailable',
      /does not have the model "qwen3:4b"/,
    ],
    ['stays busy', { status: 503, body: { error: 'maximum pending requests exceeded' } }, 'ai_unavailable', /busy.*maximum pending/],
    ['refuses the host', { status: 403 }, 'ai_unavailable', /refused/],
    ['fails', { status: 500, body: { error: 'llama runner process has terminated' } }, 'ai_failed', /500.*runner process/],
    ['fails with a 200', { body: { error: 'out of memory' } }, 'ai_failed', /out of memory/],
    ['is another server', { body: '<html>hello</html>' }, 'ai_failed', /cannot be read/],
    ['says nothing', says(' \n'), 'ai_failed', /empty/],
    ['runs out of context', { body: { message: { content: '' }, done_reason: 'length' } }, 'ai_failed', /used up its context/],
    ['answers null', { body: null }, 'ai_failed', /empty|cannot be read/],
    ['answers more than a MiB', { body: { message: { content: 'x'.repeat(1_100_000) } } }, 'ai_failed', /larger than 1 MiB/],
    ['sends elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'ai_failed', /elsewhere/],
    ['ends the connection', { trouble: 'drop' as const }, 'ai_unavailable', /no answer/],
    ['ends in the middle', { ...says(answered('walk')), trouble: 'half' as const }, 'ai_unavailable', /no answer/],
  ])('that %s says so', async (_, reply, code, message) => {
    const server = await serving(() => reply)
    const error = await failing(server.url)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(error.message).not.toContain('\n')
  })

  it('that does not run says how to start it', async () => {
    const server = await jsonServer(() => ({}))
    await server.close()
    expect(await failing(server.url)).toMatchObject({
      code: 'ai_unavailable',
      message: `Ollama cannot be reached at ${new URL(server.url).host}: ECONNREFUSED.`,
      hint: expect.stringContaining('ollama serve'),
    })
  })

  it('that hangs ends with the signal', async () => {
    const controller = new AbortController()
    const server = await serving(() => {
      queueMicrotask(() => controller.abort(new Error('dismissed')))
      return { trouble: 'hang' }
    })
    const answer = backend(server.url).ask('brief', { schema: PROPOSAL_SCHEMA, signal: controller.signal })
    await expect(answer).rejects.toThrow('dismissed')
  })

  it('on this machine is not sent a key that was meant for another server', async () => {
    const network = fakeNetwork(says(answered('walk')).body)
    const system = { ...testSystem(), fetch: network.fetch }
    const settings = { backend: 'ollama', model: 'm', key: 'a-key' }
    await ollamaBackend(settings, system, network).ask('brief', options)
    await ollamaBackend({ ...settings, url: 'https://ollama.example/api' }, system, network).ask('brief', options)
    expect(network.sent).toEqual([
      ['http://127.0.0.1:11434/api/chat', null],
      ['https://ollama.example/api/chat', 'Bearer a-key'],
    ])
  })
})
