/**
 * Reads what is remembered: from ActivityWatch, while it is there, together with all that this machine knows, so that nothing that was
 * recorded here is ever missing. Where ActivityWatch does not answer, or not in time, this machine answers alone.
 */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { timeLimit } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { AwError, isUnanswered } from '../aw/errors.ts'
import type { Connection } from './connection.ts'
import type { Forgotten } from './forgotten.ts'
import { mergeEvents } from './merge.ts'
import type { EventStore, KeelEvent } from './store.ts'
import type { StoredEvents } from './stored-events.ts'

export interface Question {
  /** Questions of one sort take the server the same work. */
  readonly sort: 'newest' | 'range'
  readonly limit: number
  readonly there: (remote: EventStore, signal: AbortSignal) => Promise<KeelEvent[]>
  readonly here: (local: StoredEvents) => KeelEvent[]
}

export interface Reader {
  /** Errors: the reason of `signal`, or the disk's where nothing else can answer. */
  read(question: Question, signal?: AbortSignal): Promise<KeelEvent[]>
  /** Whether ActivityWatch is there. Waits for the first look: without it a daemon that has just started would know nothing. */
  isReady(signal: AbortSignal): Promise<boolean>
}

export interface ReaderOptions {
  readonly remote?: EventStore | undefined
  readonly connection?: Connection | undefined
  readonly local?: StoredEvents | undefined
  readonly forgotten: Forgotten
  readonly now: () => Date
  /** Milliseconds of one read, whatever ActivityWatch does. */
  readonly limitMs: number
  /** Milliseconds in which questions of a sort that it did not answer are not put to it. */
  readonly restMs: number
  readonly log: (line: string) => void
  readonly closing: AbortSignal
}

/** Asks nothing by itself, and keeps nothing of what it reads. */
export function newReader({ remote, connection, local, forgotten, now, limitMs, restMs, log, closing }: ReaderOptions): Reader {
  /** When it failed last to answer, by sort. */
  const unanswered = new Map<Question['sort'], number>()

  async function isReady(signal: AbortSignal): Promise<boolean> {
    if (remote === undefined || connection === undefined) return false
    await untilAborted(connection.first, signal, undefined)
    connection.nudge()
    return connection.isUp
  }

  const rests = (sort: Question['sort']): boolean => {
    const since = unanswered.get(sort)
    // A clock that was set back must not stop us.
    return since !== undefined && Math.abs(now().getTime() - since) < restMs
  }

  /** Undefined where ActivityWatch does not answer. */
  async function readThere({ sort, there }: Question, signal: AbortSignal | undefined): Promise<KeelEvent[] | undefined> {
    const limit = timeLimit(limitMs, closing, signal)
    try {
      if (remote === undefined || !(await isReady(limit.signal)) || rests(sort)) return undefined
      const found = await there(remote, limit.signal)
      unanswered.delete(sort)
      return found
    } catch (error) {
      signal?.throwIfAborted()
      if (!closing.aborted) failed(sort, limit.isOver ? new Error(`no answer within ${limitMs / 1000} s`) : error, limit.isOver)
      return undefined
    } finally {
      limit.end()
    }
  }

  /** A server that fails on one question, or is slow with it, may be well otherwise: then it is not away, and keeps getting events. */
  function failed(sort: Question['sort'], error: unknown, isSlow: boolean): void {
    if (isUnanswered(error)) {
      connection?.lost(error)
      return
    }
    if (isSlow || error instanceof AwError) connection?.doubt()
    const words = isSlow || error instanceof AwError ? 'AW did not answer a question' : 'cannot put a question to AW'
    if (!unanswered.has(sort)) log(printable(`memory: ${words} (${reason(error)}); answering from here`))
    unanswered.set(sort, now().getTime())
  }

  function readHere({ here }: Question, isAlone: boolean): KeelEvent[] {
    try {
      return local === undefined ? [] : here(local)
    } catch (error) {
      if (isAlone) throw error
      return [] // A disk that fails: ActivityWatch's answer is better than none.
    }
  }

  return {
    isReady,
    async read(question, signal) {
      signal?.throwIfAborted()
      const forgottenMeanwhile = forgotten.watch()
      const answer = await readThere(question, signal)
      signal?.throwIfAborted()
      const isForgotten = forgottenMeanwhile()
      const theirs = answer?.filter((event) => !isForgotten(event))
      // Read afterwards: what was recorded meanwhile is part of it.
      const ours = readHere(question, theirs === undefined)
      return theirs === undefined ? ours : mergeEvents(ours, theirs, question.limit)
    },
  }
}
