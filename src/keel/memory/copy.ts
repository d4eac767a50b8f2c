/**
 * Brings events from this machine to ActivityWatch, in the order in which they were written. Each is marked before it is sent and after it
 * has arrived: those of which that is not known, after a crash or a lost answer, are looked for there before they are sent again.
 */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { AwError, isUnanswered } from '../aw/errors.ts'
import type { AwBulk } from './aw-store.ts'
import type { LocalStore } from './local-store.ts'
import { findPresent } from './presence.ts'
import type { Sent, StoredEvent } from './stored-events.ts'
import { newSuspects } from './suspects.ts'

export interface Copier {
  /** Sends what waits, in the background. What is recorded meanwhile goes along. */
  start(): void
  /** As `start`, for a server that has just appeared: it may have lost what it was given last, or be another one. */
  startAnew(): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export interface CopierOptions {
  readonly local: Pick<LocalStore, 'oldestWaiting' | 'mark' | 'meet'>
  readonly remote: AwBulk
  /** Carries out there what was forgotten here: between what is sent and never beside it, so that nothing that is on its way comes back. */
  readonly forget: () => Promise<void>
  /** Of the server. */
  readonly url: string
  /** Some events were marked. */
  readonly onChange: () => void
  /** Nothing is sent while it is away. */
  readonly isUp: () => boolean
  /** ActivityWatch gave no answer, or one that says nothing about the events: the rest waits. */
  readonly onLost: (error: AwError) => void
  /** Milliseconds after which a server that answers, but takes nothing, is tried again. */
  readonly everyMs: number
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** Events in one request. */
const BATCH = 100
/** The server refuses all of a request for one event in it, and says so. */
const REFUSED = [400, 413, 422]
/** A server that fails on so many single events one after another takes none just now. */
const MOST_IN_A_ROW = 3

/** Sends until `signal` aborts, and never fails: what does not arrive waits, and `log` is told why, once. */
export function newCopier({ local, remote, forget, url, onChange, isUp, onLost, everyMs, log, signal }: CopierOptions): Copier {
  const suspects = newSuspects(everyMs / 2)
  let batch = BATCH
  let running: Promise<void> | undefined
  let isWanted = false
  let complaint: string | undefined
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })

  const mark = (events: readonly StoredEvent[], sent: Sent): void => {
    if (events.length === 0) return
    local.mark(idsOf(events), sent)
    onChange()
  }
  const complain = (line: string): void => {
    if (line !== complaint) log(printable(line))
    complaint = line
  }

  /** Errors: those of the client, but for a refusal of what is sent. */
  async function send(events: readonly StoredEvent[]): Promise<void> {
    mark(events, 'tried')
    try {
      const dropped = await remote.insert(
        events.map(({ event }) => event),
        signal,
      )
      if (dropped > 0) return keepDropped(events)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (events.length === 1) return keep(events[0]!, 'kept', error)
      for (const event of events) await send([event])
      return
    }
    mark(events, 'copied')
    suspects.taken(idsOf(events))
  }

  /** A filter of the user's takes events out, and nothing says which. */
  async function keepDropped(events: readonly StoredEvent[]): Promise<void> {
    const missing = await markPresent(events)
    mark(missing, 'kept')
    if (missing.length > 0) log(`memory: AW dropped ${missing.length} event(s), which stay here`)
  }

  /** Only where the server answers otherwise: one that refuses everything is as good as away, and the event waits for a better day. */
  async function keep(stored: StoredEvent, how: 'kept' | 'given-up', error: unknown): Promise<void> {
    const missing = await markPresent([stored])
    if (missing.length === 0) return
    log(printable(`memory: AW does not take an event of the kind ${stored.event.kind}, which stays here (${reason(error)})`))
    mark(missing, how)
  }

  /** Undefined where they are there now, or stay here; else on what the server failed. Errors: all others. */
  async function trySending(events: readonly StoredEvent[]): Promise<AwError | undefined> {
    try {
      const missing = events[0]!.sent === 'tried' ? await markPresent(events) : events
      if (missing.length > 0) await send(missing)
      return undefined
    } catch (error) {
      if (!(error instanceof AwError) || (error.status ?? 0) < 500) throw error
      // Next one by one: it may be the fault of a single one.
      batch = events.length > 1 ? 1 : BATCH
      if (events.length === 1 && suspects.failed(events[0]!.id)) await keep(events[0]!, 'given-up', error)
      return error
    }
  }

  /** Gives those that are not there. */
  async function markPresent(events: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const present = new Set(await findPresent(remote, events, signal))
    mark([...present], 'copied')
    return events.filter((each) => !present.has(each))
  }

  /** What it does not forget must not stop what it may remember, as long as it answers. */
  async function tryForgetting(): Promise<AwError | undefined> {
    try {
      await forget()
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (isUnanswered(error) || !(error instanceof AwError)) throw error
      return error
    }
  }

  /** Gives why some wait all the same. Errors: those after which nothing further is worth trying. */
  async function sendAll(): Promise<AwError | undefined> {
    let refusal: AwError | undefined
    let failure: AwError | undefined
    for (let inRow = 0; ; ) {
      signal.throwIfAborted()
      refusal ??= await tryForgetting()
      const alike = nextAlike()
      if (alike.length === 0) break
      const error = await trySending(alike)
      if (error !== undefined) failure = error
      if (error === undefined) inRow = 0
      else if (alike.length === 1 && ++inRow === MOST_IN_A_ROW) throw error
    }
    batch = BATCH
    if (refusal !== undefined) complain(`memory: AW does not forget just now (${reason(refusal)})`)
    else if (failure !== undefined) complain(`memory: AW fails on some events just now (${reason(failure)})`)
    return refusal ?? failure
  }

  /** The oldest that wait, as far as it is known of all or of none whether they were sent before. */
  function nextAlike(): readonly StoredEvent[] {
    const resting = suspects.resting()
    const waiting = local.oldestWaiting(batch + resting.size).filter(({ id }) => !resting.has(id))
    const other = waiting.slice(0, batch).findIndex(({ sent }) => sent !== waiting[0]?.sent)
    return waiting.slice(0, other < 0 ? batch : other)
  }

  async function drain(): Promise<void> {
    try {
      const failure = await sendAll()
      if (failure !== undefined) onLost(failure)
      if (failure !== undefined || suspects.resting().size > 0) tryLater()
      else complaint = undefined
    } catch (error) {
      if (signal.aborted) return // What is not marked as copied goes with the next run.
      if (!(error instanceof AwError)) return complain(`memory: cannot copy events to AW (${reason(error)})`)
      onLost(error)
      if (isUnanswered(error)) return // It is sent when the server is back.
      complain(`memory: AW takes no events just now (${reason(error)})`)
      tryLater()
    }
  }

  /** Keeps no process alive. */
  function tryLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      start()
    }, everyMs).unref()
  }

  async function drainWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false
      await drain()
    }
    // In one go with the look at `isWanted`: whoever starts us in between would be forgotten.
    running = undefined
  }

  function start(): void {
    if (signal.aborted || !isUp()) return
    isWanted = true
    running ??= drainWhileWanted()
  }
  return {
    start,
    startAnew() {
      if (signal.aborted || !isUp()) return
      try {
        local.meet(url)
      } catch {
        // Why it cannot be written was said. What waits is sent all the same, and this is done when it can be written again.
      }
      suspects.clear()
      start()
    },
    idle: async () => {
      await running
    },
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AwError && (error.code === 'aw_invalid' || REFUSED.includes(error.status ?? 0))
}

function idsOf(events: readonly StoredEvent[]): number[] {
  return events.map(({ id }) => id)
}
