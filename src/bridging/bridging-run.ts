/** The marker of a run between `prepare` and the `commit` that closes it: since when, and by which session of the host. */
import type { SessionRef } from '../hosts/transcript-source.ts'
import { MemuError } from '../util/errors.ts'
import { discardFile, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'

export interface BridgingRun {
  readonly run: string
  /** ISO time. */
  readonly started: string
  /** The host's session that works on the run, where it is known. */
  readonly session?: string
}

export function openRun(tree: Layout, run: BridgingRun): void {
  writeFileAtomic(tree.bridgingRun, `${JSON.stringify(run)}\n`)
}

/** The run that no commit has closed, or undefined. */
export function currentRun(tree: Layout): BridgingRun | undefined {
  try {
    const value = JSON.parse(readTextIfExists(tree.bridgingRun) ?? 'null') as Partial<BridgingRun> | null
    return typeof value?.run === 'string' && typeof value.started === 'string' ? (value as BridgingRun) : undefined
  } catch {
    return undefined // The marker is for people and for the claim of a session; without it a run goes on as if it were new.
  }
}

/** A model may think for minutes between two lines of its log. */
const QUIET_MS = 5 * 60 * 1000

/**
 * Throws `locked` while another session of the host is in the middle of a run. Between its commands such a run holds no lock, but
 * the host writes its log: a run whose session has gone quiet has died, and its sessions are handed out again.
 */
export function refuseDuringRun(tree: Layout, self: string | undefined, sessions: readonly SessionRef[], now: Date): void {
  const run = currentRun(tree)
  if (run?.session === undefined || run.session === self) return
  const log = sessions.find((session) => session.id === run.session)
  const quiet = log === undefined ? Number.POSITIVE_INFINITY : now.getTime() - log.modified
  if (Math.abs(quiet) > QUIET_MS) return // A log from the future tells nothing, and must not hold others up until then.
  throw new MemuError('locked', `Another run is at work: session ${run.session}, since ${run.started}.`, {
    hint: `Wait for its commit; ${QUIET_MS / 60_000} minutes after its last sign of life it counts as ended.`,
  })
}

export function closeRun(tree: Layout): void {
  discardFile(tree.bridgingRun)
}
