/**
 * The memory of a running daemon. Events are written here first and copied to ActivityWatch, while it is there, and read from both. No call
 * waits for longer than a read may take.
 */
import { timeLimit } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import type { Connection } from './connection.ts'
import type { Copier } from './copy.ts'
import type { Direct } from './direct.ts'
import type { Forgotten } from './forgotten.ts'
import type { LocalStore } from './local-store.ts'
import type { Reader } from './reader.ts'
import { LATEST } from './recency.ts'
import type { KeelEvent, KeelMemory } from './store.ts'

export interface SwitchingParts {
  readonly url: string
  readonly reader: Reader
  /** Undefined: events never go to ActivityWatch. */
  readonly connection?: Connection | undefined
  /** Undefined: nothing is kept here. */
  readonly local?: LocalStore | undefined
  /** Without `local` it is what records. */
  readonly direct: Direct
  /** With `local` and `connection`. */
  readonly copier?: Copier | undefined
  readonly forgotten: Forgotten
  /** Milliseconds that a stop waits for ActivityWatch to take what is safe here. */
  readonly copyPatienceMs: number
  readonly startedAt: Date
  /** What the state says has changed. */
  readonly onChange: () => void
  /** Ends what is under way. */
  readonly closing: AbortController
}

/** Of parts that it closes at its end. What it promises is said where `KeelMemory` is. */
export function newSwitchingStore(parts: SwitchingParts): KeelMemory {
  const { url, reader, connection, local, direct, copier, closing } = parts
  let left: readonly KeelEvent[] = []
  let closed: Promise<void> | undefined

  function recordHere(store: LocalStore, event: KeelEvent): void {
    store.append(event)
    parts.onChange()
    connection?.nudge()
    copier?.start()
  }

  async function copied(): Promise<void> {
    await connection?.first
    await copier?.idle()
  }

  return {
    async record(event, signal) {
      if (local === undefined) return direct.record(event, signal)
      recordHere(local, event)
    },
    recent: (kind, n, signal) =>
      reader.read(
        {
          sort: 'newest',
          limit: n,
          // All that there are: of those which are here as well none takes the place of another.
          there: async (store, limit) => (n <= 0 ? [] : store.recent(kind, LATEST, limit)),
          here: (store) => store.recent(kind, n),
        },
        signal,
      ),
    latest: (signal) =>
      reader.read({ sort: 'newest', limit: LATEST, there: (store, limit) => store.latest(limit), here: (store) => store.latest() }, signal),
    ...(local === undefined ? {} : { own: async () => local.own() }),
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
      const reason = connection?.reason
      const failure = local?.failure
      return {
        where: connection?.isUp ? 'activitywatch' : local?.isOpen ? 'embedded' : 'none',
        url,
        since: connection?.since ?? parts.startedAt,
        ...(reason === undefined ? {} : { reason }),
        waiting: local?.waiting() ?? 0,
        ...(connection === undefined ? { isLocal: true as const } : {}),
        unsaved: local?.unsaved ?? 0,
        atRisk: local?.atRisk ?? 0,
        ...(failure === undefined ? {} : { failure }),
      }
    },
    async forget(what, signal) {
      signal?.throwIfAborted()
      if (local === undefined) return direct.forget(what, signal)
      // Of the file itself: the wish lies there from now on.
      parts.forgotten.add(local.forget(what)).carriedOut()
      parts.onChange()
      connection?.nudge()
      copier?.start()
    },
    async flush(signal) {
      local?.save()
      const isSafe = local !== undefined && local.atRisk === 0
      const limit = isSafe ? timeLimit(parts.copyPatienceMs, signal) : undefined
      const end = limit?.signal ?? signal
      const work = Promise.allSettled([copied(), direct.idle()]).then(() => {})
      await (end === undefined ? work : untilAborted(work, end, undefined))
      limit?.end()
    },
    close() {
      closed ??= (async () => {
        closing.abort(new Error('keeld stops'))
        await connection?.close()
        await copier?.idle()
        await direct.idle()
        left = local?.close() ?? []
      })()
      return closed
    },
    leftOver: () => left,
  }
}
