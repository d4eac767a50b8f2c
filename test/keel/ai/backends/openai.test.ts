import { describe, expect, it, onTestFinished } from 'vitest'
import { openAiBackend } from '../../../../src/keel/ai/backends/openai.ts'
import { PROPOSAL_SCHEMA } from '../../../../src/keel/ai/proposal.ts'
import { type Asked, type JsonServer, jsonServer } from '../../../helpers/json-server.ts'
import { answered } from '../fake-backend.ts'
import { fakeNetwork } from '../fake-network.ts'
import { testSystem } from '../system.ts'

const KEY = 'sk-test-0123456789abcdefghij'
const { signal } = new AbortController()
const options = { schema: PROPOSAL_SCHEMA, signal }

async function serving(...reply: Parameters<typeof jsonServer>): Promise<JsonServer> {
  const server = await jsonServer(...reply)
  onTestFinished(() => server.close())
  return server
}

const says = (message: object, finish_reason: string | null = 'stop') => ({ body: { choices: [{ index: 0, finish_reason, message }] } })
const walk = says({ role: 'assistant', content: answered('walk') })
const backend = (
  url: string,
  { model = 'small', sleep = async () => {} }: { model?: string; sleep?: (ms: number) => Promise<void> } = {},
) => openAiBackend({ backend: 'openai', url, key: KEY, ...(model ? { model } : {}) }, testSystem(), { sleep })
const formatOf = ({ body }: Asked) => (body.response_format as { type: string } | undefined)?.type

describe('a server that speaks as OpenAI does', () => {
  it.each(['', '/', '/v1', '/v1/', '/v1/chat/completions'])('is reached with the address that ends in "%s"', async (path) => {
    const server = await serving(() => walk)
    expect(await backend(server.url + path).ask('my brief', options)).toBe(answered('walk'))
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: {
        model: 'small',
        messages: [{ role: 'user', content: 'my brief' }],
        stream: false,
        response_format: { type: 'json_schema', json_schema: { name: 'proposal', strict: true, schema: PROPOSAL_SCHEMA } },
      },
    })
  })

  it.each([
    ['/v1beta/openai', '/v1beta/openai/chat/completions'],
    ['/api', '/api/v1/chat/completions'],
    ['/deployments/x?api-version=2', '/deployments/x/chat/completions?api-version=2'],
  ])('is reached below a path of its own: %s', async (path, asked) => {
    const server = await serving(() => walk)
    await backend(server.url + path).ask('brief', options)
    expect(server.asked[0]!.path).toBe(asked)
  })

  it('that knows no schema is asked for an object, then for text, and is not asked for more again', async () => {
    const server = await serving((asked) =>
      formatOf(asked) === undefined ? walk : { status: 400, body: { error: { message: `no ${formatOf(asked)}` } } },
    )
    const both = backend(server.url)
    expect(await both.ask('brief', options)).toBe(answered('walk'))
    await both.ask('brief', options)
    expect(server.asked.map(formatOf)).toEqual(['json_schema', 'json_object', undefined, undefined])
  })

  it('that has no room for the prompt is not asked in other formats', async () => {
    const message = "This model's maximum context length is 4096 tokens"
    const server = await serving(() => ({ status: 400, body: { error: { message, code: 'context_length_exceeded' } } }))
    await expect(backend(server.url).ask('brief', options)).rejects.toMatchObject({
      code: 'ai_failed',
      message: expect.stringContaining(message),
    })
    expect(server.asked).toHaveLength(1)
  })

  it('is waited for as long as it asks', async () => {
    const waits: number[] = []
    const server = await serving((_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '7' } } : walk))
    const sleep = async (milliseconds: number) => void waits.push(milliseconds)
    expect(await backend(server.url, { sleep }).ask('brief', options)).toBe(answered('walk'))
    expect(waits).toEqual([7_000])
  })

  it('answers with its one model where none is named', async () => {
    const data = [{ id: 'text-embedding-3-small' }, { id: 'only' }, {}]
    const server = await serving(({ path }) => (path === '/v1/models' ? { body: { data } } : walk))
    await backend(server.url, { model: '' }).ask('brief', options)
    expect(server.asked.map(({ method, path, body }) => [method, path, body.model])).toEqual([
      ['GET', '/v1/models', undefined],
      ['POST', '/v1/chat/completions', 'only'],
    ])
  })

  it('that has several models, or none, wants one named', async () => {
    const server = await serving((_, count) => ({ body: { data: count === 1 ? [{ id: 'a' }, { id: 'b\n' }] : [] } }))
    const [many, none] = [await failing(server.url, ''), await failing(server.url, '')]
    expect(many).toMatchObject({ code: 'ai_unavailable', hint: 'Name one in KEEL_AI_MODEL, for example a, b.' })
    expect(none).toMatchObject({ code: 'ai_unavailable', hint: 'Name one in KEEL_AI_MODEL.' })
  })

  it.each([
    [
      'in parts',
      says({
        content: [
          { type: 'text', text: '{"next_action":"walk",' },
          { type: 'text', text: '"rationale":"because"}' },
        ],
      }),
    ],
    ['in its reasoning alone', says({ content: null, reasoning_content: answered('walk') })],
    ['without a reason to end', says({ content: answered('walk') }, null)],
  ])('may answer %s', async (_, reply) => {
    const server = await serving(() => reply)
    expect(JSON.parse(await backend(server.url).ask('brief', options))).toMatchObject({ next_action: 'walk' })
  })

  it.each([
    [
      'wants another key',
      { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY.slice(0, 10)}***ghij` } } },
      'ai_unavailable',
      /refused.*\[key\]/,
    ],
    [
      'does not know the model',
      { status: 404, body: { error: { message: 'The model `small` does not exist' } } },
      'ai_failed',
      /404.*does not exist/,
    ],
    ['stays at its limit', { status: 429, body: { error: { message: 'You exceeded your current quota' } } }, 'ai_failed', /429.*quota/],
    ['is loading', { status: 503, body: { error: { message: 'Loading model' } } }, 'ai_unavailable', /Loading model/],
    ['refuses', says({ content: null, refusal: 'I cannot help\nwith that' }), 'ai_failed', /declined: I cannot help with that/],
    ['filters', says({ content: '' }, 'content_filter'), 'ai_failed', /filter/],
    ['stops in the middle', says({ content: '{"next_action":"wa' }, 'length'), 'ai_failed', /limit of tokens/],
    ['says nothing', says({ content: '' }), 'ai_failed', /empty answer/],
    ['has no choices', { body: { choices: [] } }, 'ai_failed', /empty answer/],
    ['answers with a page', { body: '<!doctype html>' }, 'ai_failed', /cannot be read/],
    ['answers with nothing', { body: '' }, 'ai_failed', /cannot be read/],
    ['drops the connection', { trouble: 'drop' as const }, 'ai_unavailable', /no answer/],
  ])('that %s says so, and never the key', async (_, reply, code, message) => {
    const server = await serving(() => reply)
    const error = await failing(server.url)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(`${error.message} ${error.hint}`).not.toMatch(/sk-test|ghij/)
  })

  it.each([
    ['ftp://host', 'is not an http'],
    ['host:8080/v1', 'is not an http'],
    ['http://me:secret@host', 'user name or password'],
  ])('needs an address that is one: %s', (url, message) => {
    const open = () => openAiBackend({ backend: 'openai', url }, testSystem())
    expect(open).toThrow(expect.objectContaining({ code: 'invalid_setting', message: expect.stringContaining(message) }))
    expect(open).not.toThrow(/secret/)
  })

  it('is OpenAI where no address is set, with its own variable for the key, which neither another server gets nor one without encryption', async () => {
    const network = fakeNetwork(walk.body)
    const system = { ...testSystem([], { OPENAI_API_KEY: KEY }), fetch: network.fetch }
    await openAiBackend({ backend: 'openai', model: 'm' }, system, network).ask('brief', options)
    await openAiBackend({ backend: 'openai', model: 'm', url: 'https://models.example' }, system, network).ask('brief', options)
    await openAiBackend({ backend: 'openai', model: 'm', key: 'own' }, system, network).ask('brief', options)
    await openAiBackend({ backend: 'openai', model: 'm', url: 'http://api.openai.com/v1' }, system, network).ask('brief', options)
    await openAiBackend({ backend: 'openai', model: 'm', url: 'https://api.openai.com:8443' }, system, network).ask('brief', options)
    await openAiBackend({ backend: 'openai', model: 'm', url: 'https://API.openai.com:443/v1/' }, system, network).ask('brief', options)
    expect(network.sent).toEqual([
      ['https://api.openai.com/v1/chat/completions', `Bearer ${KEY}`],
      ['https://models.example/v1/chat/completions', null],
      ['https://api.openai.com/v1/chat/completions', 'Bearer own'],
      ['http://api.openai.com/v1/chat/completions', null],
      ['https://api.openai.com:8443/v1/chat/completions', null],
      ['https://api.openai.com/v1/chat/completions', `Bearer ${KEY}`],
    ])
  })
})

function failing(url: string, model = 'small') {
  return backend(url, { model })
    .ask('brief', options)
    .catch((thrown) => thrown)
}
