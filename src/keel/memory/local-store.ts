/** What this machine remembers by itself: a file, and in this process what could not be written to it yet. */
import { dirname, join } from 'node:path'
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EmbeddedStore } from './embedded-store.ts'
import { MOST_HELD, newHeldEvents } from './held-events.ts'
import { openLocalFile } from './local-file.ts'
import { newLocalWishes } from './local-wishes.ts'
import { discardDamaged } from './mend.ts'
import { mergeEvents } from './merge.ts'
import { LATEST, LATEST_OWN } from './recency.ts'
import { openSpareFile } from './spare-file.ts'
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
  /** Of these, those that would be lost with this process. */
  readonly atRisk: number
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
  /** Gives what lies nowhere. */
  close(): readonly KeelEvent[]
}

export interface LocalStoreOptions {
  readonly file: string
  readonly open: (isDoubted: boolean) => EmbeddedStore
  readonly now: () => Date
  /** Milliseconds between two tries to write what could not be written. */
  readonly everyMs: number
  readonly log: (line: string) => void
  /** What the state says has changed. */
  readonly onChange: () => void
}

/** Beside the file: for what it does not take. */
const SPARE_NAME = 'events.held'

/** Opens the file at once, and brings in what the last run could not write to it. Never fails: what cannot be had is tried again. */
export function newLocalStore({ now, log, ...rest }: LocalStoreOptions): LocalStore {
  let isClosed = false
  let counted = 0
  let hasLost = false
  const held = newHeldEvents(now, () => {
    if (!hasLost) log(`memory: more than ${MOST_HELD} events are held; the oldest ones are lost`)
    hasLost = true
  })
  const spare = openSpareFile(join(dirname(rest.file), SPARE_NAME), (error) => printable(reason(error)))
  for (const { event, sent } of spare.found) held.append(event, sent)
  const lastFound = held.all().at(-1)?.id ?? 0
  /** How many of those that are held it has, the newest. */
  let spared = held.all().length
  const keepAside = (): void => {
    spared = spare.write(held.all())
  }
  const catchUp = (store: EmbeddedStore): void => {
    for (const { id, event, sent } of held.all()) {
      // The last run may have been killed after it had written it.
      if (id > lastFound || !store.has(event)) store.append(event, sent)
      held.remove(id)
    }
    hasLost = false
    keepAside()
  }
  const file = openLocalFile({ ...rest, catchUp, now, log })
  if (held.all().length > 0) file.write(catchUp)
  const isAllInFile = (): boolean => {
    keepAside()
    return held.all().length === 0 && spare.isEmpty
  }
  const wishes = newLocalWishes({ file, discardDamaged: () => discardDamaged(rest.file), isAllInFile, now, everyMs: rest.everyMs, log })
  const endangered = (): readonly StoredEvent[] =>
    held
      .all()
      .slice(0, Math.max(held.all().length - spared, 0))
      .filter(({ sent }) => sent !== 'copied')

  /** Errors: those of the disk. */
  const read = (limit: number, from: (events: StoredEvents) => KeelEvent[]): KeelEvent[] => {
    const newer = from(held)
    const older = file.read(from)
    return older === undefined ? newer : mergeEvents(newer, older, limit)
  }
  const mustWrite = (work: (store: EmbeddedStore) => void): void => {
    if (!file.write(work)) throw new Error(file.failure ?? 'the file is not open')
  }
  const waiting = (): number => {
    try {
      if (!isClosed) counted = file.read((store) => store.waiting()) ?? 0
    } catch {
      // A disk that fails: the page shows what was counted last, and the log says what is wrong.
    }
    return counted
  }
  return {
    append(event) {
      const copy = checked(event)
      // Another program lets go of it in its own time, and each try would keep everything waiting for a second.
      if (file.failure !== undefined && !file.isLocked) file.save()
      if (file.write((store) => store.append(copy))) return
      held.append(copy)
      keepAside()
    },
    recent: (kind, n) => read(n, (events) => events.recent(kind, n)),
    latest: () => read(LATEST, (events) => events.latest()),
    own: () => read(LATEST_OWN, (events) => events.own()),
    range: (from, to, limit) => read(limit, (events) => events.range(from, to, limit)),
    waiting,
    oldestWaiting(limit) {
      // Nothing can be marked in a file that cannot be written; and what is held has no other place.
      const own = file.failure === undefined ? (file.read((store) => store.oldestWaiting(limit)) ?? []) : []
      return own.length > 0 ? own : held.oldestWaiting(limit).map((each): StoredEvent => ({ ...each, id: -each.id }))
    },
    mark(ids, sent) {
      const heldIds = ids.filter((id) => id < 0).map((id) => -id)
      held.mark(heldIds, sent)
      if (heldIds.length > 0) keepAside()
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
    get atRisk() {
      return endangered().length
    },
    get failure() {
      if (file.failure === undefined || spare.failure === undefined) return file.failure
      return `${file.failure}; nor can ${SPARE_NAME} (${spare.failure})`
    },
    close() {
      if (isClosed) return []
      file.save()
      waiting()
      isClosed = true
      wishes.scrub()
      wishes.close()
      file.close()
      spare.close()
      const left = endangered()
      const aside = held.unsaved() - left.length
      if (aside > 0) log(printable(`memory: ${aside} event(s) lie in ${SPARE_NAME} until ${rest.file} can be written (${file.failure})`))
      if (left.length > 0) log(printable(`memory: ${left.length} event(s) could not be kept (${this.failure})`))
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
