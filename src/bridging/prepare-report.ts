/** What `prepare` tells: the report of `--json`, and the exit code. */
import type { Problem } from './bridging-deps.ts'
import type { Job } from './executor.ts'
import type { MirrorReport } from './mirror.ts'
import type { SessionSlices } from './read-session.ts'
import type { LeftOut } from './slice-gate.ts'

export interface PreparedSession {
  /** The number of its memory job, and of its slices. */
  readonly number: number
  readonly id: string
  readonly title?: string
  readonly project?: string
  readonly messages: number
  readonly tools: number
  readonly from?: string
  readonly to?: string
  /** The session was rewritten; what had been mined of it before was left out. */
  readonly restarted: boolean
  /** What was cut of its records: pictures, and characters of data and of long texts. */
  readonly left_out?: LeftOut
  /** More of it is new than a slice may hold; the rest waits for the next run. */
  readonly continues?: true
}

export interface BadRecords {
  /** All sessions of a database have one path. */
  readonly path: string
  readonly session: string
  readonly count: number
  /** Of the first one; in a file the byte at which it begins, in a database which of the session's records it is. */
  readonly firstOffset?: number
  readonly firstRecord?: number
  readonly reason?: string
}

export interface PrepareReport {
  readonly base: string
  readonly run: string
  readonly sessions: readonly PreparedSession[]
  readonly jobs: readonly Job[]
  /** Sessions of which something new waits for the next run: those that got no place, and what was too much for one slice. */
  readonly waiting: number
  readonly skipped: { readonly unchanged: number; readonly self: number; readonly internal: number; readonly nothingToMine: number }
  /** Records that were skipped alone: exit 0, or 1 under `--strict`. */
  readonly bad: readonly BadRecords[]
  /** Secrets that were removed from the slices, by rule. */
  readonly redacted: Readonly<Record<string, number>>
  /** Sessions and files that could not be handled: exit 1. */
  readonly problems: readonly Problem[]
  /** Absent where there was nothing to do and the store was not opened. */
  readonly mirror?: Pick<MirrorReport, 'files' | 'kept'>
  /** The session in which this run is carried out, which is therefore not mined, and how to undo that. */
  readonly self?: { readonly id: string; readonly undo: string }
  readonly notices: readonly string[]
}

/** 1 where a session or file could not be handled, or under `strict` a record; 0 otherwise. */
export function prepareExit(report: PrepareReport, strict: boolean): 0 | 1 {
  return report.problems.length > 0 || (strict && report.bad.length > 0) ? 1 : 0
}

export function preparedSession({ name, counts, result, facts, left, entry }: SessionSlices, at: number): PreparedSession {
  const { title, project } = facts
  return {
    number: at + 1,
    id: name,
    ...(title ? { title } : {}),
    ...(project ? { project } : {}),
    ...counts,
    restarted: result.restarted,
    ...(left.images + left.characters > 0 ? { left_out: left } : {}),
    ...(entry.hasMore ? { continues: true } : {}),
  }
}

export function badRecords({ session, result: { bad, firstBad } }: SessionSlices): BadRecords[] {
  if (bad === 0) return []
  const where = firstBad === undefined ? {} : 'offset' in firstBad ? { firstOffset: firstBad.offset } : { firstRecord: firstBad.record }
  return [{ path: session.path, session: session.id, count: bad, ...where, ...(firstBad && { reason: firstBad.reason }) }]
}
