/**
 * What the two servers do alike, and what each does in its own way: what they take for an event, what they answer to an insert, how exact
 * their times are, and how they fail.
 *
 * @typedef {import('./fake-aw.mjs').FakeRequest} FakeRequest
 * @typedef {import('./fake-aw.mjs').StoredBucket} StoredBucket
 * @typedef {{ buckets: Map<string, StoredBucket>, key: string | undefined, drops: (data: Record<string, unknown>) => boolean, nextId: number }} State
 * @typedef {{ status: number, body?: string | undefined, type?: string | undefined }} Answer
 */
import { runQuery } from './query.mjs'

export class Failure extends Error {
  constructor(status, body, type = 'application/json') {
    super(`${status}`)
    this.status = status
    this.body = typeof body === 'string' ? body : JSON.stringify(body)
    this.type = type
  }
}

/** @type {Record<'python' | 'rust', (state: State) => (request: FakeRequest) => Answer>} */
export const personalities = { python: (state) => routes(state, python), rust: (state) => routes(state, rust) }

/** @param {State} state */
function routes(state, habits) {
  const bucketOf = (id) => {
    const bucket = state.buckets.get(id)
    if (bucket === undefined) throw new Failure(404, { message: habits.noBucket(id) })
    return bucket
  }
  return ({ method, path, body, headers }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const host = (headers.host ?? '').split(':')[0]
    if (host !== '127.0.0.1' && host !== 'localhost') throw new Failure(400, { message: `host header is invalid (was ${host})` })
    const parts = pathname.split('/').slice(1).map(decodeURIComponent)
    if (parts[0] !== 'api' || parts[1] !== '0') throw new Failure(404, '<!doctype html><title>404 Not Found</title>', 'text/html')
    const [, , kind, id, what, event] = parts
    if (kind === 'info') return json({ hostname: 'stand-in', version: habits.version, testing: true, device_id: 'stand-in' })
    if (state.key !== undefined && headers.authorization !== `Bearer ${state.key}`) throw new Failure(401, { message: 'unauthorized' })
    if (method === 'POST' && !headers['content-type']?.startsWith('application/json'))
      throw new Failure(habits.noJson, { message: 'no JSON' })
    if (kind === 'query') return json(asked(body).timeperiods.map((period) => habits.query(state, period, asked(body).query)))
    if (kind !== 'buckets') throw new Failure(404, '<!doctype html><title>404 Not Found</title>', 'text/html')
    if (id === '') return json(Object.fromEntries([...state.buckets].map(([name, bucket]) => [name, habits.bucket(bucket)])))
    if (what === undefined && method === 'POST') return create(id, asked(body))
    if (what !== 'events') return json(habits.bucket(bucketOf(id)))
    if (method === 'POST') return insert(bucketOf(id), asked(body))
    if (method === 'DELETE') return remove(bucketOf(id), event)
    return json(read(bucketOf(id), searchParams).map(habits.event))
  }

  function create(id, wanted) {
    if (state.buckets.has(id)) return { status: 304 }
    const { client, type, hostname } = wanted
    if ([client, type, hostname].some((field) => typeof field !== 'string')) throw new Failure(habits.badBucket, { message: 'missing' })
    if (habits.noBlanks && /\s/.test(hostname)) throw new Failure(400, { message: 'hostname' })
    state.buckets.set(id, { id, type, client, hostname, created: new Date().toISOString(), events: [] })
    return { status: 200, body: habits.created }
  }

  function insert(bucket, sent) {
    // All are looked at before one is stored: a bad one loses the others.
    const events = (habits.list(sent) ?? []).map((event) => habits.parse(event))
    const kept = events.filter(({ data }) => !(habits.filters && state.drops(data)))
    const stored = kept.map((event) => ({ ...event, id: state.nextId++ }))
    bucket.events.push(...stored)
    return json(habits.inserted(stored))
  }

  function remove(bucket, number) {
    // No path of theirs.
    if (!/^\d+$/.test(number ?? '')) throw new Failure(404, '<!doctype html><title>404 Not Found</title>', 'text/html')
    const index = bucket.events.findIndex(({ id }) => id === Number(number))
    if (index >= 0) bucket.events.splice(index, 1)
    return { status: 200, body: habits.deleted(index >= 0) }
  }

  function read(bucket, params) {
    const limit = habits.limit(params.get('limit'))
    const [start, end] = ['start', 'end'].map((name) => {
      const text = params.get(name)
      if (text === null) return undefined
      const time = Date.parse(text)
      // A `+` that was not encoded arrives as a blank.
      if (Number.isNaN(time)) throw new Failure(habits.badTime, { message: `bad time ${text}` })
      return time
    })
    const found = bucket.events.filter(
      ({ time, duration }) =>
        (start === undefined || time + duration * 1000 >= start) && (end === undefined || time <= end + habits.endSlack),
    )
    // Newest first; of one time, the one that was inserted first comes first.
    found.sort((a, b) => b.time - a.time || a.id - b.id)
    return limit < 0 ? found : found.slice(0, limit)
  }
}

const python = {
  version: 'v0.13.2',
  noJson: 400,
  badBucket: 500,
  badTime: 500,
  noBlanks: false,
  filters: false,
  created: '{}',
  endSlack: 1,
  noBucket: (id) =>
    `There's no bucket named ${id}. You have requested this URI [/x] but did you mean /api/0/buckets/<string:bucket_id>/events ?`,
  list: (sent) => (Array.isArray(sent) ? sent : [sent]),
  inserted: () => null,
  deleted: (wasThere) => JSON.stringify({ success: wasThere ? 1 : 0 }),
  limit(text) {
    if (text === null) return -1
    if (!/^-?\d+$/.test(text)) throw new Failure(500, '<!doctype html><title>ValueError</title>', 'text/html')
    return Number(text)
  },
  parse({ timestamp, duration = 0, data = {}, id, ...rest }) {
    const time = Date.parse(timestamp)
    if (Object.keys(rest).length > 0 || typeof duration !== 'number' || Number.isNaN(time)) {
      throw new Failure(500, '<!doctype html><title>TypeError // Debugger</title>', 'text/html')
    }
    if (id !== undefined) throw new Failure(500, { message: 'the event of this id is not there, and this one is lost' })
    // Milliseconds, cut off.
    return { time, nanoseconds: '', duration, data: data ?? {} }
  },
  event({ id, time, duration, data }) {
    const fraction = time % 1000 === 0 ? '' : `.${String(time % 1000).padStart(3, '0')}000`
    return { id, timestamp: `${new Date(time).toISOString().slice(0, 19)}${fraction}+00:00`, duration, data }
  },
  bucket: ({ id, type, client, hostname, created, events }) => ({
    ...{ id, created, name: null, type, client, hostname, data: {} },
    ...(events.length > 0 ? { last_updated: new Date(Math.max(...events.map(({ time }) => time))).toISOString() } : {}),
  }),
  query(state, period, query) {
    // Joined without a line break, and a call inside of another loses arguments.
    if (query.some((statement) => /\(\s*\w+\s*\(/.test(statement)))
      throw new Failure(400, { type: 'QueryInterpretException', message: 'arguments' })
    return answerOf(state, period, query.join(''), (message) => new Failure(400, { type: 'QueryFunctionException', message }))
  },
}

const rust = {
  version: 'v0.13.2 (rust)',
  noJson: 404,
  badBucket: 422,
  badTime: 400,
  noBlanks: true,
  filters: true,
  created: undefined,
  endSlack: 0,
  noBucket: (id) => `The requested bucket '${id}' does not exist`,
  list(sent) {
    if (!Array.isArray(sent)) throw new Failure(422, '<!doctype html><title>422 Unprocessable Entity</title>', 'text/html')
    return sent
  },
  inserted: (stored) => stored.map(rust.event),
  deleted: () => undefined,
  limit: (text) => (text !== null && /^\d+$/.test(text) ? Number(text) : -1),
  parse({ timestamp, duration = 0, data }) {
    const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(timestamp ?? '')
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
    if (match === null || !isObject || typeof duration !== 'number') throw new Failure(422, { message: 'unprocessable' })
    return { time: Date.parse(timestamp), nanoseconds: (match[2] ?? '').padEnd(9, '0'), duration, data }
  },
  event({ id, time, nanoseconds, duration, data }) {
    const digits = (nanoseconds || String(time % 1000).padStart(3, '0')).replace(/0+$/, '')
    return { id, timestamp: `${new Date(time).toISOString().slice(0, 19)}${digits === '' ? '' : `.${digits}`}Z`, duration, data }
  },
  bucket: ({ id, type, client, hostname, created, events }) => ({
    ...{ id, created, name: null, type, client, hostname, data: {}, last_updated: null, events: null },
    metadata: { start: null, end: events.length > 0 ? new Date(Math.max(...events.map(({ time }) => time))).toISOString() : null },
  }),
  query: (state, period, query) => answerOf(state, period, query.join('\n'), (message) => new Failure(500, { message })),
}

function answerOf(state, period, program, failure) {
  const [start, end] = period.split('/').map((time) => Date.parse(time))
  if (Number.isNaN(start) || Number.isNaN(end)) throw new Failure(500, { message: 'bad period' })
  return runQuery(program, { start, end, bucket: (id) => state.buckets.get(id)?.events, failure })
}

function json(value) {
  return { status: 200, body: JSON.stringify(value) }
}

function asked(body) {
  try {
    return JSON.parse(body)
  } catch {
    throw new Failure(400, { message: 'bad JSON' })
  }
}
