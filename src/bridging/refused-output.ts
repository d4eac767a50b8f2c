/** Sessions whose jobs wrote what a commit could not take: they do not count as done, so that what they taught is not lost. */
import * as fs from 'node:fs'
import { relative, sep } from 'node:path'
import { fileNameFor, hashedFileNameFor, nameFromFile } from '../markdown/file-names.ts'
import type { Problem } from './bridging-deps.ts'
import type { Learned } from './executor.ts'
import type { Layout } from './layout.ts'
import type { PendingRun, PendingSession } from './pending.ts'
import type { Snapshot } from './snapshot.ts'

export interface RefusedOutput {
  readonly tree: Layout
  readonly run: PendingRun
  /** Files and folders of the mirror, as the commit reports them. */
  readonly problems: readonly Problem[]
  readonly snapshot: Snapshot
  /** From an executor that can tell which session each line came from. */
  readonly learned?: readonly Learned[]
}

/**
 * An executor that can tell names the sessions of each file. Of an agent it is known only what was written since the run began: then
 * all sessions count that had a job. What was there before is nobody's output and stops no session, so that a file that stays
 * unreadable does not make each run mine the same again.
 */
export function sessionsWithRefusedOutput({ tree, run, problems, snapshot, learned }: RefusedOutput): PendingSession[] {
  if (learned === undefined) {
    const isNew = problems.some(({ on }) => isWrittenSince(on, run))
    return isNew ? run.sessions.filter((session) => session.jobs.length > 0) : []
  }
  const refused = problems.map(({ on }) => relative(tree.base, on).split(sep).join('/'))
  const lost = new Set(learned.filter((line) => refused.some((path) => carries(path, line, snapshot))).map(({ session }) => session))
  return run.sessions.filter((session) => lost.has(session.owner) || lost.has(session.id))
}

/** Whether the file was written after the run was prepared. */
export function isWrittenSince(path: string, { started }: PendingRun): boolean {
  return changedAt(path) >= Date.parse(started)
}

/** When the file itself last changed; the time of its content can be set to anything. */
function changedAt(path: string): number {
  try {
    return fs.lstatSync(path).ctimeMs
  } catch {
    return Number.NEGATIVE_INFINITY // Gone, or in a folder that nobody may look into: nothing says that the run wrote it.
  }
}

/** Whether a file of the mirror is where a recall file stands. It cannot be read, so its front matter does not tell. */
function carries(path: string, { track, file }: Learned, snapshot: Snapshot): boolean {
  if (!path.startsWith(`${track}/`)) return false
  const entry = snapshot.get(path)
  const below = path.slice(track.length + 1)
  return entry?.name === file || nameFromFile(below) === file || [fileNameFor(file), hashedFileNameFor(file)].includes(below)
}
