import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AwClient, awClient } from '../../../src/keel/aw/client.ts'
import type { AwError } from '../../../src/keel/aw/errors.ts'
import { HttpFailure } from '../../../src/util/post-json.ts'
import { jsonServer, type Reply } from '../../helpers/json-server.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'

const BUCKET = 'keel.events'
const PERSONALITIES = ['python', 'rust'] as const

type Options = Parameters<typeof fakeAw>[0]

async function fake(options?: Options) {
  const server = await fakeAw(options)
  onTestFinished(() => server.stop())
  return server
}

async function replying(reply: (path: string) => Reply) {
  const server = await jsonServer(({ path }) => reply(path))
  onTestFinished(() => server.close())
  return server
}

function clientOf(server: { readonly url: string }, rest: { key?: string; timeLimitMs?: number; host?: string } = {}): AwClient {
  return awClient({ url: server.url, system: testSystem(), ...rest })
}

const event = (ms: number, data: Record<string, unknown> = {}) => ({ timestamp: new Date(ms), duration: 0, data })
const failure = (work: Promise<unknown>): Promise<AwError> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: AwError) => error,
  )

describe('the ActivityWatch client', () => {
  it('TestEnsureBucketPostsCreate: a bucket is made by a POST with its type, client and host', async () => {
    const server = await replying(() => ({}))
    await clientOf(server).ensureBucket(BUCKET, 'keel.event', 'keel')
    expect(server.asked).toMatchObject([
      { method: 'POST', path: '/api/0/buckets/keel.events', body: { type: 'keel.event', client: 'keel', hostname: hostname() } },
    ])
    expect(server.asked[0]?.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['my mac  book\n', 'my-mac-book'],
    ['  ', 'unknown'],
  ])('gives a bucket the host %j as %j: a newer server takes no blanks in it', async (host, given) => {
    const server = await fake({ personality: 'rust' })
    await clientOf(server, { host }).ensureBucket(BUCKET, 'keel.event', 'keel')
    expect(await clientOf(server).buckets()).toMatchObject([{ hostname: given }])
  })

  it('says of an answer that is too large that it is, and not that it is no JSON', async () => {
    const server = await replying(() => ({ body: ['x'.repeat(9 * 1024 * 1024)] }))
    expect(await failure(clientOf(server).recent(BUCKET, 5))).toMatchObject({
      code: 'aw_failed',
      status: 200,
      message: 'aw: read keel.events: the answer is larger than 8 MiB',
    })
  })

  it('TestEnsureBucketTreatsExistsAsOK: a bucket that exists (304) is success', async () => {
    const server = await replying(() => ({ status: 304 }))
    await clientOf(server).ensureBucket(BUCKET, 'keel.event', 'keel')
  })

  it.each([200, 201, 204])('takes %i for success when it makes a bucket, with or without a body', async (status) => {
    const server = await replying(() => ({ status }))
    await clientOf(server).ensureBucket(BUCKET, 'keel.event', 'keel')
  })

  it('TestEnsureBucketErrorsOnServerError: a 500 is an error that names the bucket and the status, and has its cause', async () => {
    const server = await replying(() => ({ status: 500 }))
    const error = await failure(clientOf(server).ensureBucket(BUCKET, 'keel.event', 'keel'))
    expect(error).toMatchObject({ code: 'aw_failed', status: 500 })
    expect(error.message).toContain('create bucket keel.events')
    expect(error.message).toContain('status 500')
    expect(error.cause).toBeInstanceOf(HttpFailure)
  })

  it('TestInsertPostsEventArray: an event is sent in an array, with its time in UTC and without an id', async () => {
    const server = await replying(() => ({ body: 'null' }))
    await clientOf(server).insert(BUCKET, [event(1_000_000, { _kind: 'proposal_made' })])
    expect(server.asked).toMatchObject([{ method: 'POST', path: '/api/0/buckets/keel.events/events' }])
    expect(server.asked[0]?.body).toEqual([{ timestamp: '1970-01-01T00:16:40.000Z', duration: 0, data: { _kind: 'proposal_made' } }])
  })

  it('TestRecentDecodesNewestFirst: recent asks for limit=5 and gives the newest event first', async () => {
    const server = await replying(() => ({
      body: [
        { id: 2, timestamp: '2026-06-05T10:00:00+00:00', duration: 0, data: { _kind: 'proposal_made' } },
        { id: 1, timestamp: '2026-06-04T10:00:00+00:00', duration: 0, data: { _kind: 'action_taken' } },
      ],
    }))
    const events = await clientOf(server).recent(BUCKET, 5)
    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/api/0/buckets/keel.events/events?limit=5' })
    expect(events.map(({ data }) => data._kind)).toEqual(['proposal_made', 'action_taken'])
  })

  it.each(['null', '[]', '', '{}', 'fine'])('takes %j for the answer to an insert', async (body) => {
    const server = await replying(() => ({ body }))
    expect(await clientOf(server).insert(BUCKET, [event(1000)])).toBe(body === '[]' ? 1 : 0)
  })

  it('asks nothing where there is nothing to insert', async () => {
    const server = await replying(() => ({ status: 500 }))
    expect(await clientOf(server).insert(BUCKET, [])).toBe(0)
    expect(server.asked).toEqual([])
  })

  it('says how many events the filter of the user dropped', async () => {
    const server = await fake({ personality: 'rust', drops: (data) => data.secret === true })
    const client = clientOf(server)
    await client.ensureBucket(BUCKET, 't', 'c')
    expect(await client.insert(BUCKET, [event(1000, { secret: true }), event(2000), event(3000, { secret: true })])).toBe(2)
    expect(await client.insert(BUCKET, [event(4000, { secret: true })])).toBe(1)
  })

  it('takes what another kind of server has for everybody for no bucket and no insert', async () => {
    const server = await fake()
    server.trouble = () => 'not-json'
    const client = clientOf(server)
    expect((await failure(client.ensureBucket(BUCKET, 't', 'c'))).message).toContain('not JSON')
    expect((await failure(client.insert(BUCKET, [event(1000)]))).message).toContain('not JSON')
    expect((await failure(client.recent(BUCKET, 5))).message).toContain('not JSON')
  })

  it('encodes the name of a bucket', async () => {
    const server = await fake()
    const client = clientOf(server)
    await client.ensureBucket('a b?#ü', 't', 'c')
    await client.insert('a b?#ü', [event(1000, { n: 1 })])
    expect(server.stored('a b?#ü')).toEqual([{ n: 1 }])
    expect(await client.recent('a b?#ü', 1)).toHaveLength(1)
  })

  it.each([-1, Date.UTC(2262, 0, 1), Number.NaN])('refuses the time %d before anything is sent', async (time) => {
    const server = await fake()
    expect(await failure(clientOf(server).insert(BUCKET, [event(time)]))).toMatchObject({ code: 'aw_invalid' })
    expect(server.requests).toEqual([])
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the duration %d before anything is sent', async (duration) => {
    const server = await fake()
    expect(await failure(clientOf(server).insert(BUCKET, [{ ...event(1000), duration }]))).toMatchObject({ code: 'aw_invalid' })
    expect(server.requests).toEqual([])
  })
})

describe.each(PERSONALITIES)('the ActivityWatch client with the %s server', (personality) => {
  async function opened() {
    const server = await fake({ personality })
    const client = clientOf(server)
    await client.ensureBucket(BUCKET, 'keel.event', 'keel')
    return { server, client }
  }

  it('makes a bucket, and takes it that it is there already', async () => {
    const { server, client } = await opened()
    await client.ensureBucket(BUCKET, 'keel.event', 'keel')
    expect(server.has(BUCKET)).toBe(true)
    expect(await client.buckets()).toMatchObject([{ id: BUCKET, type: 'keel.event', hostname: hostname(), lastUpdated: 0 }])
    await client.insert(BUCKET, [event(5000)])
    expect(await client.buckets()).toMatchObject([{ id: BUCKET, lastUpdated: 5000 }])
  })

  it('gives events back as they were, newest first, the last inserted of one time first', async () => {
    const { client } = await opened()
    const odd = { text: 'a"\u0000🧘\n', nested: { a: [1, null] }, n: 1e20 }
    await client.insert(BUCKET, [event(1000, { n: 'a' }), event(3000, odd)])
    await client.insert(BUCKET, [event(2123, { n: 'b' })])
    await client.insert(BUCKET, [event(2123, { n: 'c' })])
    const events = await client.recent(BUCKET, 10)
    expect(events.map(({ timestamp, data }) => [timestamp.getTime(), data.n])).toEqual([
      [3000, 1e20],
      [2123, 'c'],
      [2123, 'b'],
      [1000, 'a'],
    ])
    expect(events[0]?.data).toEqual(odd)
  })

  it('gives the events of a range, its beginning included and its end not, the newest ones where there are more', async () => {
    const { client } = await opened()
    await client.insert(
      BUCKET,
      [1000, 2000, 3000, 4000, 4001].map((time) => event(time)),
    )
    const times = async (from: number, to: number, limit: number) =>
      (await client.range(BUCKET, new Date(from), new Date(to), limit)).map(({ timestamp }) => timestamp.getTime())
    expect(await times(2000, 4000, 10)).toEqual([3000, 2000])
    expect(await times(2000, 4001, 2)).toEqual([4000, 3000])
    expect(await times(-1e15, 1e15, 10)).toEqual([4001, 4000, 3000, 2000, 1000])
  })

  it('makes a bucket again that was deleted, once, when it writes and when it reads', async () => {
    const { server, client } = await opened()
    server.deleteBucket(BUCKET)
    await client.insert(BUCKET, [event(1000)])
    expect(server.stored(BUCKET)).toHaveLength(1)
    server.deleteBucket(BUCKET)
    expect(await client.recent(BUCKET, 5)).toEqual([])
    expect(server.has(BUCKET)).toBe(true)
    expect(await failure(client.recent('unknown', 5))).toMatchObject({ status: 404 })
  })

  it('deletes one event by its id, in its bucket alone, and takes one that is gone for deleted', async () => {
    const { server, client } = await opened()
    await client.ensureBucket('other', 't', 'c')
    for (const bucket of [BUCKET, 'other']) await client.insert(bucket, [event(1000, { n: 1 }), event(2000, { n: 2 })])
    const [second, first] = await client.stored(BUCKET, new Date(0), new Date(9000), 5)
    expect([second?.data, first?.data]).toEqual([{ n: 2 }, { n: 1 }])
    await client.remove('other', first!.id)
    for (let time = 0; time < 2; time++) await client.remove(BUCKET, first!.id)
    expect(server.stored(BUCKET)).toEqual([{ n: 2 }])
    expect(server.stored('other')).toHaveLength(2)
    server.deleteBucket(BUCKET)
    await client.remove(BUCKET, second!.id)
    server.trouble = () => 'error'
    const error = await failure(client.remove(BUCKET, 1))
    expect(error).toMatchObject({ status: 500, code: 'aw_failed', message: expect.stringContaining(`delete from ${BUCKET}`) })
    server.trouble = () => 'drop'
    expect(await failure(client.remove(BUCKET, 1))).toMatchObject({ code: 'aw_unreachable' })
  })

  it('names the bucket and the status of every failure, and never the page that a server shows', async () => {
    const { server, client } = await opened()
    for (const [trouble, status, code] of [
      ['error', 500, 'aw_failed'],
      ['html', 500, 'aw_failed'],
      ['locked', 401, 'aw_refused'],
      ['wrong-host', 400, 'aw_failed'],
      ['redirect', 308, 'aw_failed'],
    ] as const) {
      server.trouble = () => trouble
      for (const work of [() => client.insert(BUCKET, [event(1000)]), () => client.recent(BUCKET, 5)]) {
        const error = await failure(work())
        expect(error).toMatchObject({ status, code })
        expect(error.message).toContain(BUCKET)
        expect(error.message).toContain(`status ${status}`)
        expect(error.message).not.toContain('<')
      }
    }
  })

  it.each(['hang', 'stall', 'drop'] as const)('fails where the server does this: %s', async (trouble) => {
    const server = await fake({ personality })
    server.trouble = () => trouble
    const client = clientOf(server, { timeLimitMs: 100 })
    const works = [() => client.insert(BUCKET, [event(1000)]), () => client.recent(BUCKET, 5), () => client.ensureBucket(BUCKET, 't', 'c')]
    for (const work of works) {
      expect(await failure(work())).toMatchObject({ code: 'aw_unreachable', status: undefined })
    }
  })

  it('says that the connection was refused', async () => {
    const { server, client } = await opened()
    await server.stop()
    const error = await failure(client.recent(BUCKET, 5))
    expect(error.message).toContain('ECONNREFUSED')
    expect((error.cause as HttpFailure).code).toBe('ECONNREFUSED')
    await server.start()
    expect(await client.recent(BUCKET, 5)).toEqual([])
  })

  it('throws the reason of a signal that aborts', async () => {
    const { server, client } = await opened()
    const abort = new AbortController()
    server.trouble = () => {
      abort.abort(new Error('enough'))
      return 'hang'
    }
    await expect(client.recent(BUCKET, 5, abort.signal)).rejects.toThrow('enough')
  })

  it('says what the server is', async () => {
    const { client } = await opened()
    expect((await client.info()).version.includes('rust')).toBe(personality === 'rust')
  })

  it('sends the key that was given, and says so where one is missing', async () => {
    const server = await fake({ personality, key: 'k-123456789' })
    expect((await failure(clientOf(server).ensureBucket(BUCKET, 't', 'c'))).message).toContain('an API key is needed')
    const wrong = await failure(clientOf(server, { key: 'wrong-key-987' }).ensureBucket(BUCKET, 't', 'c'))
    expect(wrong.status).toBe(401)
    expect(JSON.stringify([wrong.message, String(wrong.cause)])).not.toContain('wrong-key-987')
    await clientOf(server, { key: 'k-123456789' }).ensureBucket(BUCKET, 't', 'c')
    expect(server.has(BUCKET)).toBe(true)
  })
})
