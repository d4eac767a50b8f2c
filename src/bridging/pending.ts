/** The pending manifest of a prepared run: what its commit will advance. Written last by `prepare`, so that it vouches for the rest. */
import { discardFile, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'
import { isEntry, type SessionEntry } from './session-manifest.ts'

export interface PendingSession {
  readonly id: string
  /** The session as the host names it; differs from `id` for a subagent's transcript. */
  readonly owner: string
  readonly entry: SessionEntry
  /** Its memory job and its skill job; empty where the new part held nothing to mine. */
  readonly jobs: readonly number[]
  readonly project?: string
  readonly from?: string
  readonly to?: string
  /** The Python memU's key that this entry replaces. */
  readonly replaces?: string
}

export interface PendingRun {
  readonly run: string
  readonly started: string
  readonly sessions: readonly PendingSession[]
  /** The number of the run's resource job. */
  readonly resourceJob: number
  /** Set where a program prepared the run for an executor of its own, which marks every job that it finishes. */
  readonly prepared_by?: 'bridge'
  /** The agent whose sessions these are, where the host's program reads those of any agent. */
  readonly agent?: string
}

const AGENT_NAME = /^[a-z0-9-]{1,64}$/

export function savePending(tree: Layout, run: PendingRun): void {
  writeFileAtomic(tree.pendingManifest, `${JSON.stringify({ version: 1, ...run })}\n`)
}

/** The run that waits for its commit. A damaged file is no run: its sessions were not advanced and come again. */
export function loadPending(tree: Layout): PendingRun | undefined {
  try {
    const value = JSON.parse(readTextIfExists(tree.pendingManifest) ?? 'null') as (Partial<PendingRun> & { version?: number }) | null
    const isRun = value?.version === 1 && typeof value.run === 'string' && typeof value.resourceJob === 'number'
    const isNamed = value?.agent === undefined || (typeof value.agent === 'string' && AGENT_NAME.test(value.agent))
    return isRun && isNamed && Array.isArray(value.sessions) && value.sessions.every(isPendingSession) ? (value as PendingRun) : undefined
  } catch {
    return undefined
  }
}

function isPendingSession(value: Partial<PendingSession> | null): boolean {
  return typeof value?.id === 'string' && typeof value.owner === 'string' && Array.isArray(value.jobs) && isEntry(value.entry)
}

export function dropPending(tree: Layout): void {
  discardFile(tree.pendingManifest)
}

/**
 * The sessions that a commit may advance: those whose jobs are all finished, and those that had none. A run that marked nothing
 * at all counts as finished (prompts older than the marks), unless `onlyMarked` (so also where it changed nothing) or `bridge` prepared it: then nothing was done.
 */
export function finishedSessions(run: PendingRun, done: ReadonlySet<number>, onlyMarked: boolean): PendingSession[] {
  const lenient = isLenient(run, done, onlyMarked)
  return run.sessions.filter((session) => lenient || session.jobs.every((job) => done.has(job)))
}

/** The same for the run's resource job: only then have the collected paths been looked at. */
export function isResourceJobDone(run: PendingRun, done: ReadonlySet<number>, onlyMarked: boolean): boolean {
  return done.has(run.resourceJob) || isLenient(run, done, onlyMarked)
}

function isLenient(run: PendingRun, done: ReadonlySet<number>, onlyMarked: boolean): boolean {
  return done.size === 0 && !onlyMarked && run.prepared_by === undefined
}
