/**
 * The memory of a running daemon. Events are written here first and copied to ActivityWatch, while it is there, and read from both. No call
 * waits for longer than a read may take.
 */
import { MemuError, reason } from '../../util/errors.ts'
import { timeLimit } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { isUnanswered } from '../aw/errors.ts'
import type { AwBulk } from './aw-store.ts'
import type { Connection } from './connection.ts'
import type { Copier } from './copy.ts'
import type { Forgotten } from './forgotten.ts'
import type { LocalStore } from './local-store.ts'
import type { Reader } from './reader.ts'
import { LATEST } from './recency.ts'
import type { EventStore, Forgettable, KeelEvent, KeelMemory } from './store.ts'
import { isMeant } from './wish.ts'

export interface SwitchingParts {
  readonly url: string
  readonly reader: Reader
  /** Both undefined: events never go to ActivityWatch. */
  readonly remote?: (EventStore & Pick<AwBulk, 'remove'>) | undefined
  readonly connection?: Connection | undefined
  /** Undefined: nothing is kept here. */
  readonly local?: LocalStore | undefined
  /** With `local` and `remote`. */
  readonly copier?: Copier | undefined
  readonly forgotten: Forgotten
  readonly now: () => Date
  readonly readLimitMs: number
  /** Milliseconds that a stop waits for ActivityWatch to take what is safe here. */
  readonly copyPatienceMs: number
  readonly startedAt: Date
  /** What the state says has changed. */
  readonly onChange: () => void
  /** Ends what is under way. */
  readonly closing: AbortController
}

/** Milliseconds of two requests: the bucket may have to be made again. */
const RECORD_LIMIT_MS = 10_000
/** Milliseconds in which ActivityWatch has to delete what is kept nowhere else, one event a request. */
const FORGET_LIMIT_MS = 60_000

export function newSwitchingStore(parts: SwitchingParts): KeelMemory {
  const { url, reader, remote, connection, local, copier, closing } = parts
  const direct = new Set<Promise<void>>()
  let left: readonly KeelEvent[] = []
  let closed: Promise<void> | undefined

  /** With nothing kept here. */
  async function recordThere(event: KeelEvent, signal?: AbortSignal): Promise<void> {
    const limit = timeLimit(parts.readLimitMs, closing.signal, signal)
    try {
      // Without a place for it the event is dropped: that there is no memory was said when ActivityWatch went.
      if (remote === undefined || !(await reader.isReady(limit.signal))) return
    } finally {
      limit.end()
    }
    const end = timeLimit(RECORD_LIMIT_MS, closing.signal, signal)
    try {
      await remote.record(event, end.signal)
    } catch (error) {
      if (isUnanswered(error) || end.isOver) connection?.lost(error)
      else if (!end.signal.aborted) connection?.doubt()
      throw error
    } finally {
      end.end()
    }
  }

  function recordHere(store: LocalStore, event: KeelEvent): void {
    store.append(event)
    parts.onChange()
    connection?.nudge()
    copier?.start()
  }

  /** With nothing kept here there is no place for a wish: it is carried out at once, or not at all. */
  async function forgetThere(what: Forgettable, signal?: AbortSignal): Promise<void> {
    // Nothing was ever kept anywhere.
    if (remote === undefined) return
    await ready(signal)
    const wish = { what, at: parts.now() }
    const { carriedOut } = parts.forgotten.add(wish)
    try {
      await Promise.allSettled(direct)
      const limit = timeLimit(FORGET_LIMIT_MS, closing.signal, signal)
      try {
        await remote.remove((event) => isMeant(event, wish, wish.at), limit.signal)
      } finally {
        limit.end()
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (isUnanswered(error)) connection?.lost(error)
      throw notForgotten(reason(error))
    } finally {
      carriedOut()
    }
  }

  async function ready(signal?: AbortSignal): Promise<void> {
    const limit = timeLimit(parts.readLimitMs, closing.signal, signal)
    try {
      if (await reader.isReady(limit.signal)) return
    } finally {
      limit.end()
    }
    signal?.throwIfAborted()
    throw notForgotten(connection?.reason ?? 'it does not answer')
  }

  async function copied(): Promise<void> {
    await connection?.first
    await copier?.idle()
  }

  return {
    async record(event, signal) {
      if (local !== undefined) return recordHere(local, event)
      const work = recordThere(event, signal)
      direct.add(work)
      await work.finally(() => direct.delete(work))
    },
    recent: (kind, n, signal) =>
      reader.read(
        {
          sort: 'newest',
          limit: n,
          there: async (store, limit) => (n <= 0 ? [] : (await store.latest(limit)).filter((event) => event.kind === kind)),
          here: (store) => store.recent(kind, n),
        },
        signal,
      ),
    latest: (signal) =>
      reader.read({ sort: 'newest', limit: LATEST, there: (store, limit) => store.latest(limit), here: (store) => store.latest() }, signal),
    range: (from, to, limit, signal) =>
      reader.read(
        {
          sort: 'range',
          limit,
          there: (store, either) => store.range(from, to, limit, either),
          here: (store) => store.range(from, to, limit),
        },
        signal,
      ),
    state() {
      const reason = connection === undefined ? 'ActivityWatch is not used' : connection.reason
      const failure = local?.failure
      return {
        where: connection?.isUp ? 'activitywatch' : local?.isOpen ? 'embedded' : 'none',
        url,
        since: connection?.since ?? parts.startedAt,
        ...(reason === undefined ? {} : { reason }),
        waiting: local?.waiting() ?? 0,
        unsaved: local?.unsaved ?? 0,
        ...(failure === undefined ? {} : { failure }),
      }
    },
    async forget(what, signal) {
      signal?.throwIfAborted()
      if (local === undefined) return forgetThere(what, signal)
      // Of the file itself: the wish lies there from now on.
      parts.forgotten.add(local.forget(what)).carriedOut()
      parts.onChange()
      connection?.nudge()
      copier?.start()
    },
    async flush(signal) {
      local?.save()
      const isSafe = local !== undefined && local.unsaved === 0
      const limit = isSafe ? timeLimit(parts.copyPatienceMs, signal) : undefined
      const end = limit?.signal ?? signal
      const work = Promise.allSettled([copied(), ...direct]).then(() => {})
      await (end === undefined ? work : untilAborted(work, end, undefined))
      limit?.end()
    },
    close() {
      closed ??= (async () => {
        closing.abort(new Error('keeld stops'))
        await connection?.close()
        await copier?.idle()
        await Promise.allSettled(direct)
        left = local?.close() ?? []
      })()
      return closed
    },
    leftOver: () => left,
  }
}

function notForgotten(why: string): MemuError {
  return new MemuError('not_forgotten', `Not all of it was forgotten: ActivityWatch (${why}).`, { hint: 'Try again when it answers.' })
}
