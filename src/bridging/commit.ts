/**
 * The second half of a run: what changed in the mirror goes to the store in one transaction, and only when the store has
 * accepted it do snapshot and cursors move. A failure anywhere before leaves everything as it was, to be tried again.
 */
import { join, relative, sep } from 'node:path'
import type { CommitReceipt } from '../memory/backend.ts'
import type { FileKey } from '../records.ts'
import { acquireLock } from '../util/lock.ts'
import { type BridgingDeps, gateOptions, type Problem, type TreeOptions } from './bridging-deps.ts'
import { closeRun } from './bridging-run.ts'
import { cleanHeld } from './clean-held.ts'
import { accident, conflicts, notDone, notMarked, secretPaths, unredacted, waiting } from './commit-notices.ts'
import { compare } from './compare.ts'
import { clearRun, finishedJobs } from './done.ts'
import type { Learned } from './executor.ts'
import { filesGate } from './files-gate.ts'
import { hostCommand } from './jobs.ts'
import type { Layout } from './layout.ts'
import { promoteKeys } from './mined-keys.ts'
import { gates } from './open-gates.ts'
import { ownTree } from './own-tree.ts'
import {
  dropPending,
  finishedSessions,
  isResourceJobDone,
  loadPending,
  type PendingRun,
  type PendingSession,
  savePending,
} from './pending.ts'
import { provenanceOf } from './provenance.ts'
import { sessionsWithRefusedOutput } from './refused-output.ts'
import { clearResources, describedResources } from './resources.ts'
import { summedCounts } from './rule-counts.ts'
import { loadSessionManifest, saveSessionManifest } from './session-manifest.ts'
import { settle } from './settle.ts'
import { sortStrays } from './strays.ts'
import { NOTHING, submit } from './submit.ts'
import { told } from './told.ts'

export interface CommitOptions extends TreeOptions {
  /** Forget as many files as were deleted from the mirror, whatever their number. */
  readonly force?: boolean
  /**
   * Only marked jobs count as finished. Without it a run that marked none at all counts as finished (a prompt older than the
   * marks) where it changed something in the mirror; `bridge`, which knows its executor, sets it.
   */
  readonly onlyMarked?: boolean
  /** Which session each line came from, where the executor can tell (`ExecutorResult.learned`); else the run's sessions count for each file. */
  readonly learned?: readonly Learned[]
}

export interface CommitReport {
  readonly created: readonly FileKey[]
  readonly updated: readonly FileKey[]
  readonly unchanged: readonly FileKey[]
  readonly forgotten: readonly FileKey[]
  /** Deleted on disk but not forgotten, and why; the files have been put back. */
  readonly refused: readonly (FileKey & { readonly reason: string })[]
  /** Files that were changed here and in the store, and now hold both. */
  readonly merged: readonly FileKey[]
  readonly resources: number
  /** Secrets that were removed from memory files and captions on their way into the store, by rule; the mirror files have been cleaned as well. */
  readonly redacted: Readonly<Record<string, number>>
  /** Sessions whose cursor moved, and how many of the run wait: a job of theirs is not finished, or wrote what could not be committed. */
  readonly advanced: readonly string[]
  /** How many of these go on: more of them is new than a slice may hold, and comes in a later run. */
  readonly continued: number
  readonly unfinished: number
  /** What could not be handled: exit 1. */
  readonly problems: readonly Problem[]
  readonly notices: readonly string[]
}

export async function commit(options: CommitOptions, deps: BridgingDeps): Promise<CommitReport> {
  const tree = ownTree(options, deps)
  const lock = acquireLock(tree.lock, { purpose: 'commit', token: options.lockToken, now: deps.system.now })
  try {
    return await commitLocked(tree, options, deps)
  } finally {
    lock.release()
  }
}

/** 1 where something was left out, 0 otherwise. */
export function commitExit(report: CommitReport): 0 | 1 {
  return report.problems.length > 0 || report.refused.length > 0 ? 1 : 0
}

async function commitLocked(tree: Layout, options: CommitOptions, deps: BridgingDeps): Promise<CommitReport> {
  const run = loadPending(tree)
  const done = finishedJobs(tree)
  const onlyMarked = options.onlyMarked ?? false
  const described = describedResources(tree)
  const compared = await compare(tree, described.length > 0 || !onlyMarked, deps)
  const { snapshot, changes } = compared
  const something = changes.changed.length + changes.deleted.length + described.length > 0
  const isRead = something || changes.problems.length + changes.strays.length > 0 || run !== undefined
  const gate = isRead ? await gates(gateOptions(options, deps)).files() : filesGate()
  const resources = described.flatMap((one) => gate.resource(one) ?? [])
  const { host, binary } = deps.spec
  const command = hostCommand(binary, options.baseDir, deps.system.platform)
  const { plan, receipt } = something
    ? await submit(
        changes,
        resources.map(({ input }) => input),
        {
          force: options.force ?? false,
          gate,
          provenance: provenanceOf({
            host: run?.agent ?? host,
            run,
            done,
            isOther: compared.isOther,
            ...(options.learned === undefined ? {} : { learned: options.learned }),
          }),
          mirrored: snapshot.size,
        },
        deps,
      )
    : NOTHING
  settle(tree, snapshot, plan, compared.store)
  const strays = sortStrays(tree, changes.strays, options.learned === undefined ? run : undefined)
  const problems = [
    ...changes.problems,
    ...strays.problems,
    ...plan.held.map(({ path, reason }) => ({ on: join(tree.base, path), reason })),
  ]
  const learned = options.learned === undefined ? {} : { learned: options.learned }
  const refused = run === undefined ? [] : sessionsWithRefusedOutput({ tree, run, problems, snapshot, ...learned })
  // Of a run that marked nothing and changed nothing nobody can say that it was done.
  const isIdle = !something && done.size === 0
  const marked = run === undefined ? [] : finishedSessions(run, done, onlyMarked || isIdle)
  const finished = marked.filter((session) => !refused.includes(session))
  const unfinished = run === undefined ? [] : run.sessions.filter((session) => !finished.includes(session))
  cleanHeld(tree, [...problems.map(({ on }) => relative(tree.base, on).split(sep).join('/')), ...changes.strays], gate)
  const advanced = advance(tree, run, finished, unfinished)
  if (run === undefined ? described.length > 0 : isResourceJobDone(run, done, onlyMarked || isIdle)) clearResources(tree)
  if (run !== undefined && unfinished.length === 0) endRun(tree)
  return {
    ...counts(receipt),
    refused: plan.refused.map(({ track, name, reason }) => ({ track, name, reason })),
    merged: plan.files.filter((file) => file.merged).map(({ document, source }) => ({ track: source.track, name: document.name })),
    advanced: told(advanced, gate.text),
    continued: finished.filter(({ entry }) => entry.hasMore).length,
    unfinished: unfinished.length,
    redacted: summedCounts([...plan.files, ...resources].map(({ removed }) => removed)),
    problems: told(problems, gate.text),
    notices: [
      ...compared.notices,
      ...strays.notices.map(gate.text),
      ...conflicts(tree, plan).map(gate.text),
      ...secretPaths(described.length - resources.length),
      ...unredacted(options.redact ?? true, plan.files.length + resources.length),
      ...accident(tree, plan, snapshot.size, command).map(gate.text),
      ...waiting(tree, marked.length - finished.length),
      ...(isIdle && !onlyMarked ? notDone(run, command) : []),
      ...(done.size > 0 && !onlyMarked ? notMarked(run, done, command).map(gate.text) : []),
    ],
  }
}

/**
 * Moves the cursors of the finished sessions. Repeating it changes nothing, and the pending run goes last: a crash in between
 * leaves a commit that can be run again. Unfinished sessions stay pending, so that their jobs may still be done and committed.
 */
function advance(
  tree: Layout,
  run: PendingRun | undefined,
  finished: readonly PendingSession[],
  unfinished: readonly PendingSession[],
): string[] {
  if (run === undefined || finished.length === 0) return []
  const manifest = loadSessionManifest(tree.sessionManifest)
  const sessions = new Map(manifest.sessions)
  const python = new Map(manifest.python)
  for (const { id, entry, replaces } of finished) {
    sessions.set(id, entry)
    if (replaces !== undefined) python.delete(replaces)
  }
  saveSessionManifest(tree.sessionManifest, { sessions, python })
  for (const { id } of finished) promoteKeys(tree, id)
  if (unfinished.length > 0) savePending(tree, { ...run, sessions: unfinished })
  else dropPending(tree)
  return finished.map(({ id }) => id)
}

/** Job files and slices hold the user's words: they go as soon as they have served. */
function endRun(tree: Layout): void {
  dropPending(tree)
  clearRun(tree)
  closeRun(tree)
}

function counts(receipt: CommitReceipt): Pick<CommitReport, 'created' | 'updated' | 'unchanged' | 'forgotten' | 'resources'> {
  const having = (change: string): FileKey[] =>
    receipt.recall_files.filter((file) => file.change === change).map(({ track, name }) => ({ track, name }))
  return {
    created: having('created'),
    updated: having('updated'),
    unchanged: having('unchanged'),
    forgotten: receipt.forgotten,
    resources: receipt.resources.length,
  }
}
