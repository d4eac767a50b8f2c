/**
 * A host's log as a test writes it: what a host does to its own sessions, whatever they are kept in. The contract of sources, the
 * loop guard, the fuzzing of parsers and `bench:hosts` all write logs through this one port.
 */
import type { HostSpec } from '../../src/hosts/host-spec.ts'

export interface LogEvent {
  /** `noise` is a record that holds nothing for a miner. */
  readonly kind: 'user' | 'assistant' | 'call' | 'result' | 'noise'
  /** Its place in the session: makes its id, and its time (2026-09-01T08:00:00Z plus so many seconds). A call and its result share it. */
  readonly number: number
  /** What was said; of a call the shell command, of a result what it printed. */
  readonly text: string
}

export interface HostLog {
  /** What the source is opened with. */
  readonly sessionDir: string
  /** The SQLite file that holds the sessions, where they lie in one: what the contract of databases opens beside the source. */
  readonly database?: string
  /** Adds to a session as the host does while it works, creating it at first. Made for many events at once. */
  append(session: string, events: readonly LogEvent[]): void
  /** The session becomes exactly this: after a compaction, a rewind or a truncation. Events that stay keep their ids and times. */
  rewrite(session: string, events: readonly LogEvent[]): void
  /** Adds one record that cannot be read: no JSON, a blob cut short. */
  appendBroken(session: string): void
  /** Adds lines as they are, newlines not included: a log of JSON lines, for its fuzzing. */
  appendRaw?(session: string, lines: readonly (string | Uint8Array)[]): void
  /** Begins the session `to` with all that `from` holds; `number` is the time of the fork. */
  fork?(from: string, to: string, number: number): void
  /** The user takes back the event `first` and all that follow it, at the time `number`. */
  takeBack?(session: string, first: number, number: number): void
  /** Deletes a session as the host does. */
  remove?(session: string): void
  /** Ends what holds the log open; the log stays. */
  close(): void
}

export interface HostLogFixture {
  readonly spec: HostSpec
  /** Which of a host's stores this is, where it has several; the host's title otherwise. */
  readonly name?: string
  /** Session ids as the host makes them, all different; the same number gives the same id. */
  readonly id: (number: number) => string
  /** Where `SessionRef.id` is not the session's own id. */
  readonly refId?: (session: string) => string
  /** A log below `root`, an empty folder. */
  readonly open: (root: string) => HostLog
  /** Where sessions lie in SQLite: one database for all, which the log then names, or one for each. */
  readonly databases?: 'one' | 'each'
  /** The line of an event, of a log of JSON lines. */
  readonly line?: (session: string, event: LogEvent) => string
  /** Whether sessions can be forked, and turns be taken back: then the log can `fork` and `remove`, and `takeBack`. */
  readonly forks?: true | 'and undoes'
  /** Another fixture's records are read by the same parser: the fuzzing has fewer of these. */
  readonly sharesParser?: true
  /** What the host never writes. */
  readonly lacks?: { readonly times?: true; readonly results?: true; readonly calls?: true }
}
