/**
 * Keel's durable memory across runs: modes record small events and read them back by kind. What the kinds are is the modes' business.
 */
export interface KeelEvent {
  /** `proposal_made`. */
  readonly kind: string
  readonly at: Date
  /** Pointers and small values, not copies of what other tools own. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The field that holds an event's kind where events of all kinds lie beside each other, in ActivityWatch; no event has it in its data. */
export const KIND_KEY = '_kind'

/**
 * Newest first means by time, then by what was written last. Every method may throw; who calls decides what that may cost. What lies more
 * than ten minutes ahead of the clock was written under a wrong one: `recent` passes it over, and so does `latest`, but for what belongs to a
 * proposal (by its `proposal_id`) of which something else has happened: what became of it is never hidden. `range` gives everything.
 */
export interface EventStore {
  record(event: KeelEvent, signal?: AbortSignal): Promise<void>
  /** The newest `n` of a kind, newest first; none where `n` is not above 0. May see only the newest events of all kinds (ActivityWatch: 200). */
  recent(kind: string, n: number, signal?: AbortSignal): Promise<KeelEvent[]>
  /** The newest events of all kinds in one read, newest first: several questions about one moment cost one answer. */
  latest(signal?: AbortSignal): Promise<KeelEvent[]>
  /**
   * The newest events that this machine recorded, as in `latest`, without asking a server; all of the last hour, however many they are. Absent
   * where this machine keeps nothing.
   */
  own?(signal?: AbortSignal): Promise<KeelEvent[]>
  /** Events with `from <= at < to`, newest first, at most `limit`. */
  range(from: Date, to: Date, limit: number, signal?: AbortSignal): Promise<KeelEvent[]>
}

/** Events that are told by one field of their data, or all that were recorded up to now. */
export type Forgettable = 'everything' | { readonly field: string; readonly value: string }

/** Where events go just now, for the page and the log. */
export interface MemoryState {
  readonly where: 'activitywatch' | 'embedded' | 'none'
  /** ActivityWatch's address as it is configured. */
  readonly url: string
  readonly since: Date
  /** ActivityWatch is not to be used at all. */
  readonly isLocal?: true
  /** Why they do not go to ActivityWatch, where they are to. */
  readonly reason?: string
  /** Events kept here that ActivityWatch does not have yet. */
  readonly waiting: number
  /** Events that no store has taken yet: they are held by this process, and tried again, oldest first. */
  readonly unsaved: number
  /** Of these, those that would be lost with this process; the others lie in a small file until they can be written to the large one. */
  readonly atRisk?: number
  /** Why events cannot be kept on this machine just now, in one line; absent while they can. */
  readonly failure?: string
}

/** The store that a running daemon uses: it goes over to ActivityWatch and back by itself. */
export interface KeelMemory extends EventStore {
  state(): MemoryState
  /**
   * Resolves when it is gone here, and is never read again. From ActivityWatch it goes in the background, or as soon as that is back: until
   * then the wish is kept, whole, also where the process is killed. With nothing kept here it resolves when ActivityWatch has deleted it.
   * Errors: `not_forgotten`, or the reason of `signal`.
   */
  forget(what: Forgettable, signal?: AbortSignal): Promise<void>
  /**
   * Before a stop. Resolves once what was recorded is stored, or when `signal` aborts. What is safe on this machine is waited for only a
   * moment: where ActivityWatch does not take it in that, it goes there next time.
   */
  flush(signal?: AbortSignal): Promise<void>
  close(): Promise<void>
  /** After `close`: events that lie nowhere, for the memory that follows. */
  leftOver?(): readonly KeelEvent[]
}
