/** Events that could not be written to the disk, until they can: in this process alone, so that a bounded number of them is held. */
import { LATEST, LATEST_OWN, latestTime, withOutcomes } from './recency.ts'
import type { KeelEvent } from './store.ts'
import type { Sent, StoredEvent, StoredEvents } from './stored-events.ts'

export const MOST_HELD = 1_000

export interface HeldEvents extends StoredEvents {
  /** How many no store has. */
  unsaved(): number
  /** All of them, the oldest first. */
  all(): readonly StoredEvent[]
  /** It has a better place now. */
  remove(id: number): void
}

/** `onLost` is told of each one that is too much. */
export function newHeldEvents(now: () => Date, onLost: () => void): HeldEvents {
  let held: StoredEvent[] = []
  let lastId = 0
  const newest = (limit: number, isWanted: (event: KeelEvent) => boolean): KeelEvent[] =>
    held
      .map(({ event }) => event)
      .filter(isWanted)
      .reverse()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, Math.max(limit, 0))
  const hasHappened = ({ at }: KeelEvent): boolean => at.getTime() <= latestTime(now())
  const isPending = ({ sent }: StoredEvent): boolean => sent === 'waiting' || sent === 'tried'
  const remove = (id: number): void => {
    held = held.filter((each) => each.id !== id)
  }
  /** One that ActivityWatch has, where there is one. */
  const makeRoom = (): void => {
    const spare = held.find(({ sent }) => sent === 'copied') ?? held[0]!
    remove(spare.id)
    if (spare.sent !== 'copied') onLost()
  }
  return {
    append(event, sent = 'waiting') {
      if (held.length >= MOST_HELD) makeRoom()
      held = [...held, { id: ++lastId, event, sent }]
    },
    recent: (kind, n) => newest(n, (event) => event.kind === kind && hasHappened(event)),
    latest: () =>
      withOutcomes(
        newest(LATEST, (event) => !hasHappened(event)),
        newest(LATEST, hasHappened),
      ),
    own: () =>
      withOutcomes(
        newest(LATEST, (event) => !hasHappened(event)),
        newest(LATEST_OWN, hasHappened),
        LATEST_OWN,
      ),
    range: (from, to, limit) => newest(limit, ({ at }) => at >= from && at < to),
    waiting: () => held.filter(isPending).length,
    oldestWaiting: (limit) => held.filter(isPending).slice(0, limit),
    mark(ids, sent: Sent) {
      held = held.map((each) => (ids.includes(each.id) ? { ...each, sent } : each))
    },
    unsaved: () => held.filter(({ sent }) => sent !== 'copied').length,
    all: () => held,
    remove,
  }
}
