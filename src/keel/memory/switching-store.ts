/**
 * The memory of a running daemon. Events are written here first and copied to ActivityWatch, while it is there; they are read from
 * ActivityWatch together with what it does not have yet, and from here while it is away. No call waits for longer than `readLimitMs`.
 */
import { type TimeLimit, timeLimit, withinTime } from '../../util/time-limit.ts'
import type { AwBulk } from './aw-store.ts'
import type { Connection } from './connection.ts'
import type { Copier } from './copy.ts'
import type { EmbeddedStore } from './embedded-store.ts'
import { mergeEvents } from './merge.ts'
import { newNop } from './nop.ts'
import type { EventStore, KeelEvent, KeelMemory } from './store.ts'

export interface SwitchingParts {
  readonly url: string
  /** Both undefined: events never go to ActivityWatch. */
  readonly remote?: (EventStore & AwBulk) | undefined
  readonly connection?: Connection | undefined
  /** Undefined: nothing is kept here. */
  readonly local?: EmbeddedStore | undefined
  /** With `local` and `remote`. */
  readonly copier?: Copier | undefined
  readonly readLimitMs: number
  readonly startedAt: Date
  /** What the state says has changed. */
  readonly onChange: () => void
  /** Ends what is under way. */
  readonly closing: AbortController
}

/** As `latest` of both stores. */
const LATEST = 200

export function newSwitchingStore(parts: SwitchingParts): KeelMemory {
  const { url, remote, connection, local, copier, readLimitMs, closing } = parts
  const here: EventStore = local ?? newNop()
  const direct = new Set<Promise<void>>()
  let closed: Promise<void> | undefined
  let counted = 0

  interface Question {
    readonly limit: number
    readonly there: (remote: EventStore, signal: AbortSignal) => Promise<KeelEvent[]>
    /** What ActivityWatch may not have. */
    readonly unshared: (local: EmbeddedStore) => KeelEvent[]
    readonly here: () => Promise<KeelEvent[]>
  }

  async function read(question: Question, signal?: AbortSignal): Promise<KeelEvent[]> {
    signal?.throwIfAborted()
    const limit = timeLimit(readLimitMs, closing.signal, signal)
    try {
      const found = await readThere(question, limit)
      if (found !== undefined) return found
    } catch (error) {
      signal?.throwIfAborted()
      connection?.lost(limit.isOver ? new Error(`no answer within ${readLimitMs / 1000} s`) : error)
    } finally {
      limit.end()
    }
    signal?.throwIfAborted()
    return question.here()
  }

  /** Undefined where ActivityWatch is not there. */
  async function readThere(question: Question, { signal }: TimeLimit): Promise<KeelEvent[] | undefined> {
    await isReady(signal)
    if (remote === undefined || !connection?.isUp) return undefined
    // Looked up before: what arrives there meanwhile is seen twice rather than not at all.
    const newer = notThere(question)
    return mergeEvents(newer, await question.there(remote, signal), question.limit)
  }

  function notThere(question: Question): KeelEvent[] {
    try {
      return local === undefined ? [] : question.unshared(local)
    } catch {
      return [] // A disk that fails: ActivityWatch's answer is better than none.
    }
  }

  function waiting(): number {
    try {
      if (closed === undefined) counted = local?.waiting() ?? 0
    } catch {
      // A disk that fails: the page shows what was counted last, and each record says what is wrong.
    }
    return counted
  }

  /** Only the first look is waited for: without it a daemon that has just started would know nothing. */
  async function isReady(signal: AbortSignal): Promise<void> {
    if (connection === undefined) return
    await firstOf(connection.first, signal)
    connection.nudge()
  }

  async function recordThere(event: KeelEvent, signal?: AbortSignal): Promise<void> {
    await withinTime(readLimitMs, closing.signal, isReady)
    // Without a place for it the event is dropped: that there is no memory was said when ActivityWatch went.
    if (remote === undefined || !connection?.isUp) return
    try {
      await remote.record(event, signal)
    } catch (error) {
      if (!signal?.aborted) connection.lost(error)
      throw error
    }
  }

  function recordHere(store: EmbeddedStore, event: KeelEvent): void {
    store.append(event)
    parts.onChange()
    connection?.nudge()
    if (connection?.isUp) copier?.start()
  }

  return {
    async record(event, signal) {
      if (local !== undefined) {
        try {
          return recordHere(local, event)
        } catch (error) {
          // A full disk, as a rule: then ActivityWatch alone has it.
          if (!connection?.isUp) throw error
        }
      }
      const work = recordThere(event, signal)
      direct.add(work)
      await work.finally(() => direct.delete(work))
    },
    recent: (kind, n, signal) =>
      read(
        {
          limit: n,
          there: async (store, either) => (n <= 0 ? [] : (await store.latest(either)).filter((event) => event.kind === kind)),
          unshared: (store) => store.unshared(Math.max(n, 0), kind),
          here: () => here.recent(kind, n),
        },
        signal,
      ),
    latest: (signal) =>
      read(
        {
          limit: LATEST,
          there: (store, either) => store.latest(either),
          unshared: (store) => store.unshared(LATEST),
          here: () => here.latest(),
        },
        signal,
      ),
    range: (from, to, limit, signal) =>
      read(
        {
          limit,
          there: (store, either) => store.range(from, to, limit, either),
          unshared: (store) => store.unsharedIn(from, to, limit),
          here: () => here.range(from, to, limit),
        },
        signal,
      ),
    state() {
      const reason = connection === undefined ? 'ActivityWatch is not used' : connection.reason
      return {
        where: connection?.isUp ? 'activitywatch' : local === undefined ? 'none' : 'embedded',
        url,
        since: connection?.since ?? parts.startedAt,
        ...(reason === undefined ? {} : { reason }),
        waiting: waiting(),
        unsaved: 0,
      }
    },
    async flush(signal) {
      const all = async (): Promise<void> => {
        await connection?.first
        await copier?.idle()
        await Promise.allSettled(direct)
      }
      await (signal === undefined ? all() : firstOf(all(), signal))
    },
    close() {
      closed ??= (async () => {
        closing.abort(new Error('keeld stops'))
        await connection?.close()
        await copier?.idle()
        await Promise.allSettled(direct)
        local?.close()
      })()
      return closed
    },
  }
}

/** Resolves when `work` has ended, however, or `signal` aborts; then `work` goes on by itself. */
function firstOf(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done, { once: true })
    work.then(done, done)
  })
}
