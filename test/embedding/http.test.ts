import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describe as described } from '../../src/cli/failure.ts'
import { resolveSettings } from '../../src/config/settings.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { type HttpEmbedderOptions, httpEmbedder } from '../../src/embedding/http.ts'
import { openEmbedder } from '../../src/embedding/open.ts'
import { PROVIDERS } from '../../src/embedding/providers.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { DIMENSIONS, ollamaReply, openaiReply, vectorOf } from '../helpers/embedding-server.ts'
import { type Asked, type JsonServer, jsonServer, type Reply } from '../helpers/json-server.ts'

const KEY = 'sk-very/secret+key"1234567890'
const NOW = new Date('2026-03-01T12:00:00.000Z')

let home: string
let server: JsonServer | undefined
let waits: number[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'memu-embed-'))
  waits = []
})
afterEach(async () => {
  await server?.close()
  rmSync(home, { recursive: true, force: true })
})

const system = (env: System['env'] = {}): System => ({ ...realSystem(), env, home, now: () => NOW })

/** A provider at a server that replies so; waits are recorded instead of waited for. */
async function embedder(
  reply: (asked: Asked, count: number) => Reply,
  options: Partial<HttpEmbedderOptions> & { name?: string } = {},
): Promise<Embedder> {
  server = await jsonServer(reply)
  const { name = 'openai', ...rest } = options
  return httpEmbedder(
    {
      provider: PROVIDERS.find((row) => row.name === name)!,
      model: 'm',
      baseUrl: server.url,
      apiKey: KEY,
      client: { system: system(), value: () => undefined, sleep: async (ms) => void waits.push(ms) },
      ...rest,
    },
    DIMENSIONS,
  )
}

async function failure(work: Promise<unknown>): Promise<Error & { code?: string; hint?: string }> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  )
}

describe('requests to a provider', () => {
  it('go out in batches of 64, and the answer is put in order by index', async () => {
    const one = await embedder(openaiReply)
    const texts = Array.from({ length: 130 }, (_, index) => `text ${index}`)
    const vectors = await one.embed(texts)
    expect(server!.asked.map(({ body }) => (body.input as string[]).length)).toEqual([64, 64, 2])
    const expected = vectorOf('text 100')
    const norm = Math.hypot(...expected)
    expect([...vectors[100]!].map((value) => value * norm)).toEqual(expected.map((value) => expect.closeTo(value, 4)))
  })

  it('hold no more characters than the strictest provider takes, and no empty text', async () => {
    const one = await embedder(openaiReply)
    const texts = ['', ...Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(4000, 'x')), '  ']
    const vectors = await one.embed(texts)
    expect(server!.asked.map(({ body }) => (body.input as string[]).length)).toEqual([20, 20, 10])
    expect(vectors).toHaveLength(52)
    expect([vectors[0], vectors[51]]).toEqual([new Float32Array(DIMENSIONS), new Float32Array(DIMENSIONS)])
    expect(Math.hypot(...vectors[50]!)).toBeCloseTo(1, 5)
  })

  it.each([
    ['openai', 'document', { model: 'm', input: ['a'], encoding_format: 'float' }, '/embeddings'],
    ['openrouter', 'query', { model: 'm', input: ['a'], encoding_format: 'float' }, '/embeddings'],
    ['doubao', 'query', { model: 'm', input: ['a'], encoding_format: 'float' }, '/embeddings'],
    ['jina', 'document', { model: 'm', input: ['a'], task: 'retrieval.passage', embedding_type: 'float' }, '/embeddings'],
    ['jina', 'query', { model: 'm', input: ['a'], task: 'retrieval.query', embedding_type: 'float' }, '/embeddings'],
    ['voyage', 'document', { model: 'm', input: ['a'], input_type: 'document', truncation: false }, '/embeddings'],
    ['voyage', 'query', { model: 'm', input: ['a'], input_type: 'query', truncation: false }, '/embeddings'],
    ['ollama', 'query', { model: 'm', input: ['a'], truncate: false }, '/api/embed'],
  ])('have the form of %s for a %s', async (name, purpose, body, path) => {
    const one = await embedder(name === 'ollama' ? ollamaReply : openaiReply, { name })
    await (purpose === 'query' ? one.embedQuery('a') : one.embed(['a']))
    expect(server!.asked).toMatchObject([{ path, body, headers: { authorization: `Bearer ${KEY}` } }])
    expect(server!.asked[0]!.body).toEqual(body)
  })

  it('carry the prefix that a model at Ollama wants', async () => {
    const one = await embedder(ollamaReply, { name: 'ollama', model: 'nomic-embed-text:latest' })
    await one.embed(['a'])
    await one.embedQuery('b')
    expect(server!.asked.map(({ body }) => body.input)).toEqual([['search_document: a'], ['search_query: b']])
  })

  it('cut a query at the window of the model', async () => {
    const one = await embedder(openaiReply)
    await one.embedQuery('x'.repeat(100_000))
    expect((server!.asked[0]!.body.input as string[])[0]).toHaveLength(one.maxCharacters)
  })
})

describe('trouble with a provider', () => {
  it.each([408, 429, 500, 502, 503])('tries three times at status %d', async (status) => {
    const one = await embedder((asked, count) => (count < 3 ? { status, body: 'busy' } : openaiReply(asked)))
    expect(await one.embed(['a'])).toHaveLength(1)
    expect(waits).toHaveLength(2)
  })

  it('gives up after the third try and says what was answered', async () => {
    const one = await embedder(() => ({ status: 503, body: { error: { message: 'overloaded' } } }))
    const error = await failure(one.embed(['a']))
    expect(error).toMatchObject({ code: 'embedding_failed', message: 'Embedding with openai (m) failed: HTTP 503: overloaded.' })
    expect(server!.asked).toHaveLength(3)
  })

  it.each([400, 401, 403, 404, 422])('does not try again at status %d', async (status) => {
    const one = await embedder(() => ({ status, body: 'no' }))
    await failure(one.embed(['a']))
    expect(server!.asked).toHaveLength(1)
  })

  it.each([
    ['7', 7000],
    ['900', 30_000],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
  ])('waits as long as Retry-After: %s asks for, at most 30 s', async (header, expected) => {
    const one = await embedder((asked, count) => (count === 1 ? { status: 429, headers: { 'retry-after': header } } : openaiReply(asked)))
    await one.embed(['a'])
    expect(waits).toEqual([expected])
  })

  it.each(['drop', 'half'] as const)('tries again after a broken connection (%s)', async (trouble) => {
    const one = await embedder((asked, count) => (count === 1 ? { ...openaiReply(asked), trouble } : openaiReply(asked)))
    expect(await one.embed(['a'])).toHaveLength(1)
    expect(waits).toHaveLength(1)
  })

  it('stops waiting for an answer in time, tries again, and says so', async () => {
    const provider = { ...PROVIDERS.find((row) => row.name === 'openai')!, timeoutMs: 50 }
    const one = await embedder(() => ({ trouble: 'hang' }), { provider })
    expect((await failure(one.embed(['a']))).message).toContain('no answer within 0.05 s')
    expect(server!.asked).toHaveLength(3)
  })

  it('stops at once when the signal is aborted, with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const one = await embedder(() => {
      controller.abort(reason)
      return { trouble: 'hang' }
    })
    expect(await failure(one.embed(['a'], controller.signal))).toBe(reason)
    expect(server!.asked).toHaveLength(1)
  })

  it('names the address, the proxy settings and the next step where nothing listens', async () => {
    const one = await embedder(openaiReply, { name: 'ollama' })
    const { url } = server!
    await server!.close()
    const error = await failure(one.embed(['a']))
    expect(error.message).toContain('ECONNREFUSED')
    expect(error.hint).toContain(url)
    expect(error.hint).toContain('ollama serve')
  })

  it.each([
    ['nothing at all', '', 'is not JSON'],
    ['a page of HTML', '<html>login</html>', 'is not JSON'],
    ['null', 'null', 'holds no vectors'],
    ['another form', { vectors: [[1]] }, 'holds no vectors'],
    ['too few vectors', { data: [] }, '0 vectors came back for 1 texts'],
    ['a vector that is missing', { data: [null] }, 'a vector is missing'],
    ['a wrong index', { data: [{ index: 5, embedding: [1] }] }, 'vectors came back'],
    ['other dimensions', { data: [{ index: 0, embedding: [1, 2] }] }, '2 dimensions where 16 were expected'],
    ['words in a vector', { data: [{ index: 0, embedding: new Array(16).fill('1') }] }, 'not a finite number'],
    ['a vector of zeros', { data: [{ index: 0, embedding: new Array(16).fill(0) }] }, 'all zeros'],
  ])('refuses %s as an answer', async (_name, body, message) => {
    const one = await embedder(() => ({ body }))
    expect(await failure(one.embed(['a']))).toMatchObject({ code: 'embedding_failed', message: expect.stringContaining(message) })
  })

  it('does not follow a redirect with the key', async () => {
    const one = await embedder(() => ({ status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' } }))
    expect(await failure(one.embed(['a']))).toMatchObject({ hint: expect.stringContaining('redirects') })
    expect(server!.asked).toHaveLength(1)
  })
})

describe('the key', () => {
  const echoes: [string, Reply][] = [
    ['in a message', { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }],
    ['in plain words', { status: 400, body: `bad key ${KEY}` }],
    ['as JSON text', { status: 403, body: JSON.stringify({ odd: { key: KEY } }) }],
    ['encoded for a URL', { status: 500, body: `https://x/?key=${encodeURIComponent(KEY)}` }],
    ['in base64', { status: 401, body: Buffer.from(KEY).toString('base64') }],
    ['in an answer that is no JSON', { body: `ok ${KEY}` }],
    ['with control characters around it', { status: 401, body: `\u001b[31m${KEY}\u001b[0m\r\nx` }],
  ]
  it.each(echoes)('is in no output where a server repeats it %s', async (_name, reply) => {
    const one = await embedder(() => reply)
    const error = await failure(one.embed(['a']))
    for (const output of [described(error, false, true), described(error, true), inspect(error, { depth: 9 })]) {
      for (const form of [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]) {
        expect(output).not.toContain(form)
      }
      expect(output).not.toMatch(/\u001b/)
    }
  })

  it.each(['line\nbreak-key', 'accent-é-key', 'two words'])(
    'is refused before it is sent where it cannot be one (%j), and not shown',
    async (bad) => {
      const error = await failure(open({ MEMU_EMBED_PROVIDER: 'openai', MEMU_API_KEY: bad }))
      expect(error).toMatchObject({ code: 'invalid_config' })
      expect(described(error, false, true)).not.toContain(bad)
    },
  )
})

function open(env: Record<string, string>): Promise<Embedder> {
  const settings = resolveSettings({ file: new Map(), env, configFile: '/c/config.env', home, cwd: '/' })
  return openEmbedder(settings, system(env))
}

describe('opening an embedder', () => {
  it.each([
    [{ MEMU_EMBED_PROVIDER: 'claude' }, 'no embedding provider "claude"', 'local, openai'],
    [{ MEMU_EMBED_PROVIDER: 'openai' }, 'needs MEMU_API_KEY', '/c/config.env'],
    [{ MEMU_EMBED_PROVIDER: 'openai-compatible' }, 'needs MEMU_BASE_URL', '/c/config.env'],
    [{ MEMU_EMBED_PROVIDER: 'openai-compatible', MEMU_BASE_URL: 'http://localhost:1' }, 'needs MEMU_EMBED_MODEL', '/c/config.env'],
    [{ MEMU_EMBED_PROVIDER: 'ollama', MEMU_BASE_URL: 'localhost:11434' }, 'not an http:// or https:// URL', '/c/config.env'],
    [{ MEMU_EMBED_PROVIDER: 'ollama', MEMU_BASE_URL: 'http://u:hidden-word@h' }, 'user name or password', 'MEMU_API_KEY'],
  ])('refuses %j, and says what to change where', async (env, message, hint) => {
    const error = await failure(open(env as unknown as Record<string, string>))
    expect(error).toMatchObject({
      code: 'invalid_config',
      exit: 2,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    })
    expect(described(error, true)).not.toContain('hidden-word')
  })

  it('needs no request where the dimensions of the model are known', async () => {
    const { space } = await open({ MEMU_EMBED_PROVIDER: 'openai', MEMU_API_KEY: 'k' })
    expect(space).toEqual({ provider: 'openai', model: 'text-embedding-3-small', dimensions: 1536 })
    expect((await open({ MEMU_EMBED_PROVIDER: 'ollama', MEMU_EMBED_MODEL: 'all-minilm:latest' })).space.dimensions).toBe(384)
  })

  it('asks an unknown model for its dimensions once, and remembers them', async () => {
    server = await jsonServer(openaiReply)
    const env = { MEMU_EMBED_PROVIDER: 'openai-compatible', MEMU_BASE_URL: `${server.url}/v1/`, MEMU_EMBED_MODEL: 'home-made' }
    for (let times = 0; times < 2; times++) expect((await open(env)).space).toEqual({ provider: 'openai-compatible', model: 'home-made', dimensions: DIMENSIONS }) // biome-ignore format: one loop
    expect(server.asked.map(({ path }) => path)).toEqual(['/v1/embeddings'])
  })

  it.each(['', '/', '/v1', '/api/', '/api/embed'])('finds Ollama where its address is written with %j behind', async (suffix) => {
    server = await jsonServer(ollamaReply)
    await open({ MEMU_EMBED_PROVIDER: 'ollama', MEMU_BASE_URL: server.url + suffix, MEMU_EMBED_MODEL: 'home-made' })
    expect(server.asked[0]!.path).toBe('/api/embed')
  })
})

describe('a proxy', () => {
  let proxy: Server
  let through: { target: string; authorization: string | undefined }[]
  let address: string
  beforeEach(async () => {
    through = []
    // Every name leads to our own server, as if it stood behind the proxy.
    proxy = createServer().on('connect', (request, client) => {
      through.push({ target: request.url!, authorization: request.headers['proxy-authorization'] })
      const upstream = connect(Number(new URL(server!.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy())
    })
    await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
    address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterEach(() => {
    proxy.closeAllConnections()
    proxy.close()
  })

  const far = 'http://models.example/v1'
  const env = (more: Record<string, string>) => ({ MEMU_EMBED_PROVIDER: 'openai-compatible', MEMU_EMBED_MODEL: 'home-made', MEMU_BASE_URL: far, ...more }) // biome-ignore format: one record

  it('carries requests to a far host, with its own credentials', async () => {
    server = await jsonServer(openaiReply)
    await open(env({ MEMU_HTTP_PROXY: `http://me:word@${address}` }))
    expect(through).toEqual([{ target: 'models.example:80', authorization: `Basic ${Buffer.from('me:word').toString('base64')}` }])
    expect(server.asked[0]!.path).toBe('/v1/embeddings')
  })

  it('is passed by for loopback', async () => {
    server = await jsonServer(openaiReply)
    await open(env({ MEMU_HTTP_PROXY: `http://${address}`, MEMU_BASE_URL: server.url }))
    expect(through).toEqual([])
    expect(server.asked).toHaveLength(1)
  })

  it('shows nothing of its password where it fails', async () => {
    for (const bad of ['http://me:hidden-word@127.0.0.1:1', 'socks5://me:hidden-word@127.0.0.1:1', 'http://me:hidden-word@[bad']) {
      const values: Record<string, string> = { MEMU_HTTP_PROXY: bad }
      const one = httpEmbedder(
        {
          provider: PROVIDERS[0]!,
          model: 'm',
          baseUrl: far,
          client: { system: system(), value: (key) => values[key], sleep: async () => {} },
        },
        DIMENSIONS,
      )
      const error = await failure(one.embed(['a']))
      expect(error).toMatchObject({ code: 'embedding_failed' })
      expect(`${described(error, false, true)}${inspect(error, { depth: 9 })}`).not.toContain('hidden-word')
    }
  })
})
