/**
 * A stand-in for ActivityWatch's server on loopback, with the habits of either of the two there are, and with their ways to fail. Plain
 * JavaScript, so that scripts use it as well as tests.
 *
 * @typedef {'python' | 'rust'} Personality
 * @typedef {{ method: string, path: string, body: string, headers: import('node:http').IncomingHttpHeaders }} FakeRequest
 * @typedef {{ json: string }} Answer An answer as text.
 * @typedef {'hang' | 'stall' | 'drop' | 'error' | 'html' | 'refuse' | 'locked' | 'wrong-host' | 'not-json' | 'redirect' | 'huge' | 'nothing' | 'deaf'} Trouble
 *   `stall`: the beginning of an answer. `nothing`: an empty list, and nothing done. `deaf`: the work is done and the answer never comes. The others say what they are.
 * @typedef {{ id: number, time: number, nanoseconds: string, duration: number, data: Record<string, unknown> }} StoredEvent
 * @typedef {{ id: string, type: string, client: string, hostname: string, created: string, events: StoredEvent[] }} StoredBucket
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Failure, personalities } from './personalities.mjs'

/**
 * @param {{ personality?: Personality, key?: string, drops?: (data: Record<string, unknown>) => boolean }} [options] `key`: requests need it
 *   (rust). `drops`: the user's filter takes such events out (rust).
 */
export async function fakeAw({ personality = 'python', key, drops = () => false } = {}) {
  /** @type {Map<string, StoredBucket>} */
  const buckets = new Map()
  /** @type {FakeRequest[]} */
  const requests = []
  const state = { buckets, key, drops, nextId: 1 }
  const answer = personalities[personality](state)
  let server = createServer()
  let port = 0

  const fake = {
    personality,
    requests,
    /** What happens to a request in place of an answer. @type {((request: FakeRequest) => Trouble | Answer | undefined) | undefined} */
    trouble: undefined,
    get url() {
      return `http://127.0.0.1:${port}`
    },
    /** The data of a bucket's events, in the order in which they were inserted. @param {string} bucket */
    stored: (bucket) => (buckets.get(bucket)?.events ?? []).map(({ data }) => data),
    has: (/** @type {string} */ bucket) => buckets.has(bucket),
    /** As a watcher would. @param {string} id @param {string} type @param {string} hostname @param {{ at: Date, seconds: number, data: Record<string, unknown> }[]} events */
    watch(id, type, hostname, events) {
      const stored = events.map(({ at, seconds, data }) => ({
        id: state.nextId++,
        time: at.getTime(),
        nanoseconds: '',
        duration: seconds,
        data,
      }))
      buckets.set(id, { id, type, client: 'watcher', hostname, created: new Date(0).toISOString(), events: stored })
    },
    deleteBucket: (/** @type {string} */ bucket) => void buckets.delete(bucket),
    /** As when it is ended before it wrote what it had in memory. @param {string} bucket @param {number} count */
    loseNewest: (bucket, count) => void buckets.get(bucket)?.events.splice(-count),
    /** Nothing answers any more, until `start`. */
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    /** At the same address as before, with what it had stored. */
    async start() {
      server = createServer(serve)
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = /** @type {import('node:net').AddressInfo} */ (server.address()).port
    },
  }

  /** @param {import('node:http').IncomingMessage} incoming @param {import('node:http').ServerResponse} response */
  async function serve(incoming, response) {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
      headers: incoming.headers,
    }
    requests.push(request)
    const trouble = fake.trouble?.(request)
    if (typeof trouble === 'object') return void response.writeHead(200, { 'content-type': 'application/json' }).end(trouble.json)
    if (trouble !== undefined && trouble !== 'deaf') return troubles[trouble](response)
    const { status, body, type = 'application/json' } = answered(request)
    if (trouble === 'deaf') return
    // The older server keeps no connection.
    if (personality === 'python') response.setHeader('connection', 'close')
    if (status === 304 || body === undefined) return void response.writeHead(status).end()
    response.writeHead(status, { 'content-type': type }).end(body)
  }

  /** @param {FakeRequest} request */
  function answered(request) {
    try {
      return answer(request)
    } catch (error) {
      if (error instanceof Failure) return { status: error.status, body: error.body, type: error.type }
      throw error
    }
  }

  await fake.start()
  return fake
}

/** @type {Record<Exclude<Trouble, 'deaf'>, (response: import('node:http').ServerResponse) => void>} */
const troubles = {
  hang: () => {},
  stall: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('[{"id": 1, '),
  drop: (response) => void response.socket?.destroy(),
  error: (response) => void response.writeHead(500, { 'content-type': 'application/json' }).end('{"message": "database is locked"}'),
  html: (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<!doctype html><title>Error // Debugger</title>'),
  refuse: (response) => void response.writeHead(422, { 'content-type': 'application/json' }).end('{"message": "unprocessable"}'),
  locked: (response) => void response.writeHead(401, { 'content-type': 'application/json' }).end('{"message": "unauthorized"}'),
  'wrong-host': (response) =>
    void response.writeHead(400, { 'content-type': 'application/json' }).end('{"message": "host header is invalid (was example)"}'),
  'not-json': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>'),
  huge: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`["${'x'.repeat(9 * 1024 * 1024)}"]`),
  nothing: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  redirect: (response) => void response.writeHead(308, { location: 'http://127.0.0.1:9/' }).end(),
}
