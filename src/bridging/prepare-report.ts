/** What `prepare` tells: the report of `--json`, and the exit code. */
import type { Problem } from './bridging-deps.ts'
import type { Job } from './executor.ts'
import type { MirrorReport } from './mirror.ts'
import type { SessionSlices } from './read-session.ts'

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
}

export interface BadLines {
  readonly path: string
  readonly count: number
  readonly firstOffset?: number
  readonly reason?: string
}

export interface PrepareReport {
  readonly base: string
  readonly run: string
  readonly sessions: readonly PreparedSession[]
  readonly jobs: readonly Job[]
  /** Sessions with something new that wait for the next run. */
  readonly waiting: number
  readonly skipped: { readonly unchanged: number; readonly self: number; readonly internal: number; readonly nothingToMine: number }
  /** Lines that were skipped alone: exit 0, or 1 under `--strict`. */
  readonly bad: readonly BadLines[]
  /** Sessions and files that could not be handled: exit 1. */
  readonly problems: readonly Problem[]
  /** Absent where there was nothing to do and the store was not opened. */
  readonly mirror?: Pick<MirrorReport, 'files' | 'kept'>
  /** The session in which this run is carried out, which is therefore not mined, and how to undo that. */
  readonly self?: { readonly id: string; readonly undo: string }
  readonly notices: readonly string[]
}

/** 1 where a session or file could not be handled, or under `strict` a line; 0 otherwise. */
export function prepareExit(report: PrepareReport, strict: boolean): 0 | 1 {
  return report.problems.length > 0 || (strict && report.bad.length > 0) ? 1 : 0
}

export function preparedSession({ session, counts, result }: SessionSlices, at: number): PreparedSession {
  const { title, project } = result.facts
  return {
    number: at + 1,
    id: session.owner,
    ...(title ? { title } : {}),
    ...(project ? { project } : {}),
    ...counts,
    restarted: result.restarted,
  }
}

export function badLines({ session, result }: SessionSlices): BadLines[] {
  if (result.bad === 0) return []
  const first = result.firstBad === undefined ? {} : { firstOffset: result.firstBad.offset, reason: result.firstBad.reason }
  return [{ path: session.path, count: result.bad, ...first }]
}
