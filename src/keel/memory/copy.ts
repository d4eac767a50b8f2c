/**
 * Brings events from the embedded store to ActivityWatch, in the order in which they were written. Each is marked before it is sent and
 * after it has arrived: one of which that is not known, after a crash or a lost answer, is looked for there before it is sent again.
 */
import { reason } from '../../util/errors.ts'
import { AwError } from '../aw/errors.ts'
import type { AwBulk } from './aw-store.ts'
import type { EmbeddedStore, StoredEvent } from './embedded-store.ts'
import { eventKey } from './merge.ts'
import type { EventStore, KeelEvent } from './store.ts'

export interface Copier {
  /** Sends what waits, in the background. What is recorded meanwhile goes along. */
  start(): void
  /** As `start`, for a server that has just appeared: it may have lost what it was given last. */
  startAnew(): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export interface CopierOptions {
  readonly local: EmbeddedStore
  readonly remote: AwBulk & Pick<EventStore, 'range'>
  /** Some events were marked. */
  readonly onChange: () => void
  /** ActivityWatch gave no answer, or one that says nothing about the event: the rest waits. */
  readonly onLost: (error: AwError) => void
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** Events in one request. */
const BATCH = 100
/** The server refuses all of a request for one event in it, and says so. */
const REFUSED = [400, 413, 422]
/** One server also fails on an event that it cannot take: as often as this with the same one, that is what it means. */
const MOST_FAILURES = 3
/** Events of one millisecond. */
const MOST_OF_ONE_TIME = 100

export function newCopier({ local, remote, onChange, onLost, log, signal }: CopierOptions): Copier {
  const failures = new Map<number, number>()
  let running: Promise<void> | undefined
  let isWanted = false

  const mark = (events: readonly StoredEvent[], sent: StoredEvent['sent']): void => {
    local.mark(
      events.map(({ id }) => id),
      sent,
    )
    onChange()
  }

  async function send(events: readonly StoredEvent[]): Promise<void> {
    local.mark(
      events.map(({ id }) => id),
      'tried',
    )
    try {
      await remote.insert(
        events.map(({ event }) => event),
        signal,
      )
    } catch (error) {
      if (!isRefusal(error, events)) throw error
      if (events.length === 1) return keep(events[0]!, error)
      for (const event of events) await send([event])
      return
    }
    mark(events, 'copied')
  }

  /** Only where the server answers otherwise: one that refuses everything is as good as away, and the event waits for a better day. */
  async function keep(stored: StoredEvent, error: unknown): Promise<void> {
    if (await isThere(stored.event)) return mark([stored], 'copied')
    log(`memory: AW does not take an event of the kind ${stored.event.kind}, which stays here (${reason(error)})`)
    mark([stored], 'kept')
  }

  function isRefusal(error: unknown, events: readonly StoredEvent[]): boolean {
    if (!(error instanceof AwError)) return false
    if (error.code === 'aw_invalid' || REFUSED.includes(error.status ?? 0)) return true
    if (events.length > 1 || (error.status ?? 0) < 500) return false
    const count = (failures.get(events[0]!.id) ?? 0) + 1
    failures.set(events[0]!.id, count)
    return count >= MOST_FAILURES
  }

  async function sendAgain(stored: StoredEvent): Promise<void> {
    if (await isThere(stored.event)) mark([stored], 'copied')
    else await send([stored])
  }

  async function isThere(event: KeelEvent): Promise<boolean> {
    const found = await remote.range(event.at, new Date(event.at.getTime() + 1), MOST_OF_ONE_TIME, signal)
    return found.some((other) => eventKey(other) === eventKey(event))
  }

  async function drain(): Promise<void> {
    try {
      for (;;) {
        signal.throwIfAborted()
        const waiting = local.oldestWaiting(BATCH)
        if (waiting.length === 0) return
        const tried = waiting.findIndex(({ sent }) => sent === 'tried')
        if (tried === 0) await sendAgain(waiting[0]!)
        else await send(tried < 0 ? waiting : waiting.slice(0, tried))
      }
    } catch (error) {
      if (signal.aborted) return // What is not marked as copied goes with the next run.
      if (error instanceof AwError) onLost(error)
      else log(`memory: cannot copy events to AW (${reason(error)})`)
    }
  }

  async function drainWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false
      await drain()
    }
    // In one go with the look at `isWanted`: whoever starts us in between would be forgotten.
    running = undefined
  }

  const start = (): void => {
    isWanted = true
    running ??= drainWhileWanted()
  }
  return {
    start,
    startAnew() {
      try {
        local.doubtNewest()
      } catch (error) {
        log(`memory: cannot look at the newest events (${reason(error)})`) // What waits is sent all the same.
      }
      start()
    },
    idle: async () => {
      await running
    },
  }
}
