import { afterEach, describe, expect, it } from 'vitest'
import { HttpFailure, postJson } from '../../src/util/post-json.ts'
import { realSystem } from '../../src/util/system.ts'
import { type JsonServer, jsonServer, type Reply } from '../helpers/json-server.ts'

const KEY = 'sk-test-51c0ffee51c0ffee'
let server: JsonServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function failed(url: string): Promise<HttpFailure> {
  const client = { system: realSystem(), value: () => undefined, sleep: async () => {} }
  const error = await postJson(client, { url, body: {}, key: KEY, timeoutMs: 2000 }).catch((thrown: unknown) => thrown)
  if (error instanceof HttpFailure) return error
  throw new Error('it did not fail', { cause: error })
}

describe('what a failed request says', () => {
  it.each<[string, Reply]>([
    ['in words', { status: 400, body: 'POST /v1?key=query-secret&v=7 with sk-test-51c0**** is refused' }],
    ['in a message', { status: 401, body: { error: { message: 'sk-te...ffee and query-secret (query-sec…) are wrong' } } }],
    ['in an answer that is no JSON', { body: 'got key=query-secret' }],
  ])('holds nothing of the query nor of a shortened key that the server repeats %s', async (_where, reply) => {
    server = await jsonServer(() => reply)
    const { message } = await failed(`${server.url}/v1?key=query-secret&v=7`)
    expect(message).toContain('[key]')
    expect(message).not.toMatch(/query-s|secret|51c0|ffee|sk-te|v=7/)
  })

  it('holds no user and no password of the address, which fetch itself would repeat', async () => {
    const { message } = await failed('http://someone:hidden-word@127.0.0.1:1/v1')
    expect(message).toContain('credentials')
    expect(message).not.toMatch(/someone|hidden-word/)
  })
})

describe('a request that is made once', () => {
  const client = { system: realSystem(), value: () => undefined, sleep: async () => {} }

  it('goes out once only, although the server would have a second attempt', async () => {
    server = await jsonServer(() => ({ status: 503, headers: { 'retry-after': '0' } }))
    await expect(postJson(client, { url: server.url, body: {}, attempts: 1, timeoutMs: 2000 })).rejects.toMatchObject({ status: 503 })
    expect(server.asked).toHaveLength(1)
  })

  it('may be a GET without a body, with the key in a header of the server that is named', async () => {
    server = await jsonServer(() => ({ body: [1] }))
    const request = { url: `${server.url}/list?day=1`, method: 'GET', key: KEY, keyHeader: 'x-api-token', timeoutMs: 2000 } as const
    expect(await postJson(client, { ...request, headers: { 'x-more': 'yes' } })).toEqual([1])
    const [{ method, path, headers }] = server.asked as [(typeof server.asked)[0]]
    expect([method, path]).toEqual(['GET', '/list?day=1'])
    expect(headers).toMatchObject({ 'x-api-token': KEY, 'x-more': 'yes' })
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('content-type')
  })

  it('says the code of the transport, by which one that never left is known', async () => {
    const gone = await jsonServer(() => ({}))
    await gone.close()
    const sent = postJson(client, { url: gone.url, body: {}, attempts: 1, timeoutMs: 2000 })
    await expect(sent).rejects.toMatchObject({ code: 'ECONNREFUSED', status: undefined })
  })
})

it('sends nothing of a body that JSON cannot hold, and takes that for no failure of the server', async () => {
  let asked = 0
  server = await jsonServer(() => ({ body: { n: ++asked } }))
  const client = { system: realSystem(), value: () => undefined, sleep: async () => {} }
  const error = await postJson(client, { url: server.url, body: { n: 1n }, timeoutMs: 2000 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect(asked).toBe(0)
})

it.each<[string, Reply, string | undefined]>([
  ['a page', { body: '<!doctype html>' }, 'ANSWER_IS_A_PAGE'],
  ['nothing', { body: '' }, 'ANSWER_NOT_JSON'],
])('tells by a code that the answer is %s', async (_what, reply, code) => {
  server = await jsonServer(() => reply)
  expect(await failed(server.url)).toMatchObject({ status: 200, code })
})
