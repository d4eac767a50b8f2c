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
/** One server also fails on an event that it cannot take: as often as this with the same one, that is what it means. */
const MOST_FAILURES = 3

export function newCopier({ local, remote, forget, url, onChange, isUp, onLost, everyMs, log, signal }: CopierOptions): Copier {
  const failures = new Map<number, number>()
  let batch = BATCH
  let running: Promise<void> | undefined
  let isWanted = false
  let complaint: string | undefined

  const mark = (events: readonly StoredEvent[], sent: Sent): void => {
    if (events.length === 0) return
    local.mark(
      events.map(({ id }) => id),
      sent,
    )
    onChange()
  }
  const complain = (line: string): void => {
    if (line !== complaint) log(printable(line))
    complaint = line
  }

  async function send(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    mark(events, 'tried')
    try {
      const dropped = await remote.insert(
        events.map(({ event }) => event),
        signal,
      )
      if (dropped > 0) return keepDropped(events)
    } catch (error) {
      if (!isRefusal(error, events)) throw error
      if (events.length === 1) return keepRefused(events[0]!, error)
      for (const event of events) await send([event])
      return
    }
    mark(events, 'copied')
  }

  /** A filter of the user's takes events out, and nothing says which. */
  async function keepDropped(events: readonly StoredEvent[]): Promise<void> {
    const missing = await markPresent(events)
    mark(missing, 'kept')
    if (missing.length > 0) log(`memory: AW dropped ${missing.length} event(s), which stay here`)
  }

  /** Only where the server answers otherwise: one that refuses everything is as good as away, and the event waits for a better day. */
  async function keepRefused(stored: StoredEvent, error: unknown): Promise<void> {
    const missing = await markPresent([stored])
    batch = BATCH
    if (missing.length === 0) return
    log(printable(`memory: AW does not take an event of the kind ${stored.event.kind}, which stays here (${reason(error)})`))
    mark(missing, 'kept')
  }

  function isRefusal(error: unknown, events: readonly StoredEvent[]): boolean {
    if (!(error instanceof AwError)) return false
    if (error.code === 'aw_invalid' || REFUSED.includes(error.status ?? 0)) return true
    if ((error.status ?? 0) < 500) return false
    // Next time one by one: it may be the fault of a single one.
    batch = 1
    if (events.length > 1) return false
    const count = (failures.get(events[0]!.id) ?? 0) + 1
    failures.set(events[0]!.id, count)
    return count >= MOST_FAILURES
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

  async function drain(): Promise<void> {
    try {
      let refusal: AwError | undefined
      for (;;) {
        signal.throwIfAborted()
        refusal ??= await tryForgetting()
        const waiting = local.oldestWaiting(batch)
        const first = waiting[0]
        if (first === undefined) break
        const end = waiting.findIndex(({ sent }) => sent !== first.sent)
        const alike = end < 0 ? waiting : waiting.slice(0, end)
        await send(first.sent === 'tried' ? await markPresent(alike) : alike)
      }
      batch = BATCH
      if (refusal !== undefined) return tryLater(`memory: AW does not forget just now (${reason(refusal)})`, refusal)
      complaint = undefined
    } catch (error) {
      if (signal.aborted) return // What is not marked as copied goes with the next run.
      if (!(error instanceof AwError)) return complain(`memory: cannot copy events to AW (${reason(error)})`)
      tryLater(`memory: AW takes no events just now (${reason(error)})`, error)
    }
  }

  function tryLater(line: string, error: AwError): void {
    onLost(error)
    if (isUnanswered(error)) return
    complain(line)
    setTimeout(start, everyMs).unref()
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
      start()
    },
    idle: async () => {
      await running
    },
  }
}
