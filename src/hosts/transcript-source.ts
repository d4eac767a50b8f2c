/**
 * The transcript-source port: where an agent program keeps its sessions and what each record in them is.
 * A source only reads. It never locks, changes or follows into anything that is not a regular file of its own tree.
 */
export interface TranscriptSource {
  /** Whether the host has a session log at all on this machine. */
  exists(): boolean

  /**
   * Every session there is, in no particular order, from directory entries alone: no session is opened, so that an
   * unchanged log of any size costs one scan. One entry a session: copies (archive and live, compressed and plain) are
   * merged here, the one that would be read wins. Unreadable directories go to `report`, the rest comes through.
   */
  discover(report: Report): SessionRef[]

  /**
   * The records that are new since `since` (all of them where it is undefined), in file order, handed to `emit` one by
   * one; memory stays bounded whatever the size of the session. Only whole, newline-terminated records count: a last line
   * still being written is left for the next read. A bad record is counted and skipped alone.
   * Where the session was truncated, rewritten, compacted or replaced since the cursor was made, it is read from its start
   * and `restarted` is true; records seen before are told apart by `RecordKey`, see `SessionRecord.key`.
   * A key is handed out once in one read, so that a record that the host logged twice is not seen twice.
   * `emit` may be asynchronous; it is awaited before the next record is read. Where it answers `enough`, a source that can ends its read
   * behind what it has begun to hand out (the other records of a line), and `ReadResult.more` says so; others go on to the end.
   * Errors: `session_unreadable` where the file is gone, is not a regular file or cannot be read or unpacked; the reason of
   * `signal` when aborted. Neither moves anything: the same call can be made again.
   */
  read(session: SessionRef, since: SourceCursor | undefined, emit: Emit, signal?: AbortSignal): Promise<ReadResult>
}

/** Takes one record. `enough`: the taker would rather have the next ones in another read. */
export type Emit = (record: SessionRecord) => Taken | Promise<Taken>
// biome-ignore lint/suspicious/noConfusingVoidType: most takers take everything and answer nothing.
type Taken = 'enough' | void

/** Says what could not be read and why; the scan goes on. */
export type Report = (problem: { readonly path: string; readonly reason: string }) => void

export interface SessionRef {
  /**
   * The identity of the cursor: stable when the file moves, and whatever becomes of other sessions. A subagent's transcript has one of its
   * own, as a rule `<owner>/…`; a further file of the same session `<owner>_…` (`subagent.ts`).
   */
  readonly id: string
  /** The session as the host's environment names it: for a subagent's transcript the session that spawned it. */
  readonly owner: string
  readonly path: string
  /** Bytes on disk, and the time of the last change in milliseconds since 1970; for order and for noticing change. */
  readonly size: number
  readonly modified: number
  /** The host's scheduled job that this session is a run of, where the host's own store says so. */
  readonly job?: string
}

/** What a source needs to go on where it left off. Plain JSON, stored by the bridging pipeline, opaque to it. */
export type SourceCursor = Readonly<Record<string, unknown>>

export interface ReadResult {
  /** The cursor after the last whole record. */
  readonly cursor: SourceCursor
  readonly restarted: boolean
  /** The read ended where `emit` had enough, and the session goes on behind the cursor. The facts are those of the part that was read. */
  readonly more?: true
  /** Records that could not be parsed or were over the size limit, and where the first one is. */
  readonly bad: number
  readonly firstBad?: BadPlace & { readonly reason: string }
  readonly facts: SessionFacts
}

/** In a file the byte at which it begins; in a database which of the session's records it is, from 1 on. */
export type BadPlace = { readonly offset: number } | { readonly record: number }

/** What is known of the session as a whole; every field may be absent. */
export interface SessionFacts {
  readonly title?: string
  /** Absolute working directory, from the records themselves (directory slugs are lossy). */
  readonly project?: string
  readonly branch?: string
  /**
   * The host says that this thread is not a user's own (memory consolidation, guardian; a subagent's, where discovery could not tell whose):
   * it is passed over.
   */
  readonly internal?: boolean
}

/**
 * `message`: what a person or the agent said. `tool`: a call or its result. Everything else is not emitted. Of a subagent only
 * the tool records are: its "user" is an agent, and its report comes back as the result of the call that spawned it.
 */
export interface SessionRecord {
  readonly kind: 'message' | 'tool'
  readonly role: 'user' | 'assistant' | 'tool'
  /**
   * Normalised text: blocks joined by newlines, images replaced by `[image]`, injected blocks dropped. Never empty for a message.
   * Of a call: the command line where the tool is a shell, otherwise its input (JSON, or the text that it is).
   */
  readonly text: string
  /** UTC ISO time, absent where the host gives none: never invented. */
  readonly at?: string
  /**
   * The host's own id of the record, or a hash of its content: the same record copied or rewritten has the same key, and two things that
   * were said have two. (Where a host gives no ids, the second "yes" of a session is told from the first by counting, see `repeats.ts`.)
   */
  readonly key: string
  /** For a tool record: the tool's name, the call's id, whether this is the call or its result, and where the call says that it runs. */
  readonly tool?: {
    readonly name?: string
    readonly call?: string
    readonly part: 'call' | 'result'
    readonly failed?: boolean
    readonly directory?: string
  }
}
