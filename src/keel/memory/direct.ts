/** A memory that keeps nothing on this machine: what is recorded or forgotten is so at ActivityWatch, at once, or not at all. */
import { MemuError, reason } from '../../util/errors.ts'
import { timeLimit } from '../../util/time-limit.ts'
import { isUnanswered } from '../aw/errors.ts'
import type { AwStore } from './aw-store.ts'
import type { Connection } from './connection.ts'
import type { Forgotten } from './forgotten.ts'
import type { Reader } from './reader.ts'
import type { Forgettable, KeelEvent } from './store.ts'
import { isMeant } from './wish.ts'

export interface Direct {
  /** An event for which there is no place is dropped. Errors: those of ActivityWatch. */
  record(event: KeelEvent, signal?: AbortSignal): Promise<void>
  /** Errors: `not_forgotten`, after which a part may be gone. */
  forget(what: Forgettable, signal?: AbortSignal): Promise<void>
  /** Resolves when nothing that was recorded is on its way any more. */
  idle(): Promise<void>
}

export interface DirectOptions {
  /** Both undefined: there is no memory at all. */
  readonly remote?: Pick<AwStore, 'record' | 'remove'> | undefined
  readonly connection?: Connection | undefined
  readonly reader: Pick<Reader, 'isReady'>
  readonly forgotten: Forgotten
  readonly now: () => Date
  /** Milliseconds that the first look for ActivityWatch is waited for. */
  readonly readLimitMs: number
  readonly closing: AbortSignal
}

/** Milliseconds of two requests: the bucket may have to be made again. */
const RECORD_LIMIT_MS = 10_000
/** Milliseconds of a deletion: one event a request. */
const FORGET_LIMIT_MS = 60_000

export function newDirect({ remote, connection, reader, forgotten, now, readLimitMs, closing }: DirectOptions): Direct {
  const recording = new Set<Promise<void>>()
  const isReady = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const limit = timeLimit(readLimitMs, closing, signal)
    try {
      return await reader.isReady(limit.signal)
    } finally {
      limit.end()
    }
  }

  async function recordThere(event: KeelEvent, signal: AbortSignal | undefined): Promise<void> {
    // Without a place for it the event is dropped: that there is no memory was said when ActivityWatch went.
    if (remote === undefined || !(await isReady(signal))) return
    const end = timeLimit(RECORD_LIMIT_MS, closing, signal)
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

  const idle = async (): Promise<void> => {
    await Promise.allSettled(recording)
  }

  return {
    async record(event, signal) {
      const work = recordThere(event, signal)
      recording.add(work)
      await work.finally(() => recording.delete(work))
    },
    async forget(what, signal) {
      if (remote === undefined) return
      const isThere = await isReady(signal)
      signal?.throwIfAborted()
      if (!isThere) throw notForgotten(connection?.reason ?? 'it does not answer')
      const wish = { what, at: now() }
      const { carriedOut } = forgotten.add(wish)
      const limit = timeLimit(FORGET_LIMIT_MS, closing, signal)
      try {
        await idle()
        await remote.remove((event) => isMeant(event, wish, wish.at), limit.signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (isUnanswered(error)) connection?.lost(error)
        throw notForgotten(reason(error))
      } finally {
        limit.end()
        carriedOut()
      }
    },
    idle,
  }
}

function notForgotten(why: string): MemuError {
  return new MemuError('not_forgotten', `Not all of it was forgotten: ActivityWatch (${why}).`, { hint: 'Try again when it answers.' })
}
