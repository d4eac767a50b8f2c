/** What this machine remembers by itself: a file, and in this process what could not be written to it yet. */
import type { EmbeddedStore } from './embedded-store.ts'
import { MOST_HELD, newHeldEvents } from './held-events.ts'
import { openLocalFile } from './local-file.ts'
import { newLocalWishes } from './local-wishes.ts'
import { mergeEvents } from './merge.ts'
import { LATEST } from './recency.ts'
import { type Forgettable, type KeelEvent, KIND_KEY } from './store.ts'
import type { StoredEvent, StoredEvents } from './stored-events.ts'
import type { Wish } from './wish.ts'
import type { PendingWish } from './wishes.ts'

export interface LocalStore extends StoredEvents {
  /** Never fails for the disk. Errors: for an event that has no time, or data that JSON cannot hold. */
  append(event: KeelEvent): void
  /** Whether what was recorded by runs before is there to be read. */
  readonly isOpen: boolean
  /** Events that neither the file has nor ActivityWatch. */
  readonly unsaved: number
  /** Why the file cannot be written; undefined while it can. */
  readonly failure: string | undefined
  /** Forgets what is meant, and keeps the wish for ActivityWatch. Errors: `not_forgotten` where the file cannot be written. */
  forget(what: Forgettable): Wish
  /** Those that ActivityWatch has not carried out, the oldest first. Never fails. */
  wishes(): readonly PendingWish[]
  /** It has carried them out. Errors: those of the disk. */
  fulfil(ids: readonly number[]): void
  /** A server has appeared (see `EmbeddedStore.meet`). */
  meet(url: string): void
  /** Tries again to write what could not be written. */
  save(): void
  /** Gives what could not be written to the very end. */
  close(): readonly KeelEvent[]
}

export interface LocalStoreOptions {
  readonly file: string
  readonly open: () => EmbeddedStore
  readonly now: () => Date
  /** Milliseconds between two tries to write what could not be written. */
  readonly everyMs: number
  readonly log: (line: string) => void
  /** What the state says has changed. */
  readonly onChange: () => void
}

export function newLocalStore({ now, log, ...rest }: LocalStoreOptions): LocalStore {
  let isClosed = false
  let counted = 0
  let hasLost = false
  const held = newHeldEvents(now, () => {
    if (!hasLost) log(`memory: more than ${MOST_HELD} events are held; the oldest ones are lost`)
    hasLost = true
  })
  const catchUp = (store: EmbeddedStore): void => {
    for (const { id, event, sent } of held.all()) {
      store.append(event, sent)
      held.remove(id)
    }
    hasLost = false
  }
  const file = openLocalFile({ ...rest, catchUp, log })
  const wishes = newLocalWishes({ file, now, everyMs: rest.everyMs, log })

  /** Errors: those of the disk. */
  const read = (limit: number, from: (events: StoredEvents) => KeelEvent[]): KeelEvent[] => {
    const newer = from(held)
    return file.store === undefined ? newer : mergeEvents(newer, from(file.store), limit)
  }
  const mustWrite = (work: (store: EmbeddedStore) => void): void => {
    if (!file.write(work)) throw new Error(file.failure ?? 'the file is not open')
  }
  const waiting = (): number => {
    try {
      if (!isClosed) counted = file.store?.waiting() ?? 0
    } catch {
      // A disk that fails: the page shows what was counted last, and the log says what is wrong.
    }
    return counted
  }
  return {
    append(event) {
      const copy = checked(event)
      if (!/locked/.test(file.failure ?? '')) file.save()
      if (!file.write((store) => store.append(copy))) held.append(copy)
    },
    recent: (kind, n) => read(n, (events) => events.recent(kind, n)),
    latest: () => read(LATEST, (events) => events.latest()),
    range: (from, to, limit) => read(limit, (events) => events.range(from, to, limit)),
    waiting,
    oldestWaiting(limit) {
      // Nothing can be marked in a file that cannot be written; and what is held has no other place.
      const own = file.failure === undefined ? (file.store?.oldestWaiting(limit) ?? []) : []
      return own.length > 0 ? own : held.oldestWaiting(limit).map((each): StoredEvent => ({ ...each, id: -each.id }))
    },
    mark(ids, sent) {
      const heldIds = ids.filter((id) => id < 0).map((id) => -id)
      held.mark(heldIds, sent)
      const own = ids.filter((id) => id >= 0)
      if (own.length > 0) mustWrite((store) => store.mark(own, sent))
    },
    forget: wishes.forget,
    wishes: wishes.pending,
    fulfil: (ids) => mustWrite((store) => store.fulfil(ids)),
    meet(url) {
      // Held events were marked as copied by this run; where the server loses them, the file will have them.
      mustWrite((store) => store.meet(url))
    },
    save: file.save,
    get isOpen() {
      return file.store !== undefined
    },
    get unsaved() {
      return held.unsaved()
    },
    get failure() {
      return file.failure
    },
    close() {
      if (isClosed) return []
      file.save()
      waiting()
      isClosed = true
      wishes.scrub()
      wishes.close()
      file.close()
      const left = held.all().filter(({ sent }) => sent !== 'copied')
      if (left.length > 0) log(`memory: ${left.length} event(s) could not be kept (${file.failure})`)
      return left.map(({ event }) => event)
    },
  }
}

/** As JSON writes a half of a pair that stands alone; one of the servers fails on it. */
const HALF_CHARACTER = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** As it will be read back, and not to be changed by who recorded it. In ActivityWatch the kind has the place of such a field. */
function checked({ kind, at, data }: KeelEvent): KeelEvent {
  if (!Number.isFinite(at.getTime())) throw new RangeError('an event has no time')
  const { [KIND_KEY]: _, ...rest } = JSON.parse(JSON.stringify(data).replace(HALF_CHARACTER, '$1\\ufffd')) as KeelEvent['data']
  return { kind, at: new Date(at), data: rest }
}
