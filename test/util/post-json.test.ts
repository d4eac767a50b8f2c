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
