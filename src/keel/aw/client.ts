/** A thin client of ActivityWatch's REST API, for both of its servers. It knows nothing of who uses it. */
import { hostname } from 'node:os'
import type { System } from '../../util/system.ts'
import { awAddress } from './address.ts'
import { discoverKey } from './api-key.ts'
import { type AwBucket, decodeBuckets } from './buckets.ts'
import { AwError } from './errors.ts'
import { type AwEvent, decodeEvents, decodeStored, encodeEvent, type StoredAwEvent } from './event.ts'
import { type AwServer, ask, TIME_LIMIT_MS } from './requests.ts'

/** Every method fails with `AwError`, which names the bucket and the status, or with the reason of `signal`. */
export interface AwClient {
  /** The server's address, for people. */
  readonly url: string
  /** What the server says of itself; answers without a key. */
  info(signal?: AbortSignal): Promise<{ readonly hostname: string; readonly version: string }>
  /** Makes the bucket where there is none; one that exists is success. */
  ensureBucket(id: string, type: string, client: string, signal?: AbortSignal): Promise<void>
  /** All or none of them. Resolves with how many the server dropped: a filter of its user's can take events out. */
  insert(bucket: string, events: readonly AwEvent[], signal?: AbortSignal): Promise<number>
  /** The newest events, newest first. */
  recent(bucket: string, limit: number, signal?: AbortSignal): Promise<AwEvent[]>
  /** The newest events with `start <= timestamp < end`, newest first. */
  range(bucket: string, start: Date, end: Date, limit: number, signal?: AbortSignal): Promise<AwEvent[]>
  /** As `range`, each with the id by which it can be deleted. */
  stored(bucket: string, start: Date, end: Date, limit: number, signal?: AbortSignal): Promise<StoredAwEvent[]>
  /** Deletes one event of the bucket. One that is not there is success, and no server says reliably whether it was. */
  remove(bucket: string, id: number, signal?: AbortSignal): Promise<void>
  buckets(signal?: AbortSignal): Promise<AwBucket[]>
  /** What a query returns for one period. One call a statement: nested ones lose arguments on one of the servers. */
  query(start: Date, end: Date, statements: readonly string[], signal?: AbortSignal): Promise<unknown>
}

export interface AwClientOptions {
  /** Empty: the default address. */
  readonly url: string
  /** Goes to whatever server `url` names; without it the key of a server on this machine is looked up where the server has it. */
  readonly key?: string | undefined
  readonly system: System
  /** Milliseconds of one request. */
  readonly timeLimitMs?: number
  /** This machine's name; a test has its own. */
  readonly host?: string
}

/** A server rounds the end of a range up to its next millisecond: what lies there is asked for, and left out here. */
const RANGE_SLACK = 10

/** Asks nothing yet. Errors: `invalid_setting` for an address that is none. */
export function awClient({ url, key, system, timeLimitMs = TIME_LIMIT_MS, host = hostname() }: AwClientOptions): AwClient {
  const address = awAddress(url)
  const server: AwServer = { address, system, key: key || discoverKey(address, system), timeLimitMs }
  /** Buckets that were made here, and of what sort: one that is deleted meanwhile is made again. */
  const made = new Map<string, { readonly type: string; readonly client: string }>()

  async function ensureBucket(id: string, type: string, client: string, signal?: AbortSignal): Promise<void> {
    const body = { client, type, hostname: bucketHost(host) }
    await ask(server, {
      what: `create bucket ${id}`,
      path: `/buckets/${encodeURIComponent(id)}`,
      body,
      signal,
      accepted: [200, 201, 204, 304],
    })
    made.set(id, { type, client })
  }

  async function remaking<Result>(id: string, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const known = made.get(id)
      if (!(error instanceof AwError && error.status === 404) || known === undefined) throw error
      await ensureBucket(id, known.type, known.client, signal)
      return work()
    }
  }

  function read(bucket: string, query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<readonly unknown[]> {
    const path = `/buckets/${encodeURIComponent(bucket)}/events?${new URLSearchParams(query)}`
    const what = `read ${bucket}`
    return remaking(bucket, signal, async () => list(await ask(server, { what, path, signal }), what))
  }

  async function stored(bucket: string, start: Date, end: Date, limit: number, signal?: AbortSignal): Promise<StoredAwEvent[]> {
    const query = { start: inRange(start.getTime() - 1000), end: inRange(end.getTime()), limit: String(limit + RANGE_SLACK) }
    const events = decodeStored(await read(bucket, query, signal))
    // Servers compare with rounding, hence the second before `start`.
    return events.filter(({ timestamp }) => timestamp >= start && timestamp < end).slice(0, limit)
  }

  return {
    url: address.shown,
    ensureBucket,
    async info(signal) {
      const { hostname, version } = record(await ask(server, { what: 'read info', path: '/info', signal }))
      return { hostname: String(hostname ?? ''), version: String(version ?? '') }
    },
    async insert(bucket, events, signal) {
      const body = events.map(encodeEvent)
      if (body.length === 0) return 0
      const path = `/buckets/${encodeURIComponent(bucket)}/events`
      const request = { what: `insert into ${bucket}`, path, body, signal, accepted: [200, 201, 202, 204] }
      const stored = await remaking(bucket, signal, () => ask(server, request))
      // One server gives back what it stored, the other nothing.
      return Array.isArray(stored) ? Math.max(body.length - stored.length, 0) : 0
    },
    async recent(bucket, limit, signal) {
      return decodeEvents(await read(bucket, { limit: String(limit) }, signal)).slice(0, limit)
    },
    async range(bucket, start, end, limit, signal) {
      return (await stored(bucket, start, end, limit, signal)).map(({ id: _, ...event }) => event)
    },
    stored,
    async remove(bucket, id, signal) {
      const path = `/buckets/${encodeURIComponent(bucket)}/events/${id}`
      // One server answers with nothing. 404: the bucket is gone, and the event with it.
      await ask(server, { what: `delete from ${bucket}`, path, method: 'DELETE', signal, accepted: [200, 204, 404] })
    },
    async buckets(signal) {
      return decodeBuckets(record(await ask(server, { what: 'list buckets', path: '/buckets/', signal })))
    },
    async query(start, end, statements, signal) {
      const what = 'query'
      const body = { timeperiods: [`${start.toISOString()}/${end.toISOString()}`], query: statements }
      return list(await ask(server, { what, path: '/query/', body, signal }), what)[0]
    },
  }
}

/** What servers can compare with: a time outside of it is as good as its border. */
function inRange(time: number): string {
  return new Date(Math.min(Math.max(time, 0), Date.UTC(2261, 0, 1))).toISOString()
}

function list(answer: unknown, what: string): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new AwError('aw_failed', `aw: ${what}: the answer is not a list`)
}

function record(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
}

/** A newer server takes no name with blanks in it. */
function bucketHost(host: string): string {
  return host.trim().replace(/\s+/g, '-') || 'unknown'
}
