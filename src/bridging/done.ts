/** Which jobs of the run are finished: one empty file a job, so that marking needs no lock and cannot undo another mark. */

import * as fs from 'node:fs'
import { join } from 'node:path'
import { MemuError, systemCode } from '../util/errors.ts'
import { discardFile, makeDirectory } from '../util/fs.ts'
import { entriesIfExists } from '../util/look.ts'
import type { Layout } from './layout.ts'
import { refuseLinks } from './own-tree.ts'
import { loadPending } from './pending.ts'

/**
 * `<binary> job-done N --run <id>`. Marking twice is fine. Errors, all exit 2: `no_such_job` where this run has no such job;
 * `run_is_over` where the mark is of another run: its agent was given up, and its sessions were handed out again. Without `run`
 * (prompts older than the ids) the mark counts for the run that is at work.
 */
export function markDone(tree: Layout, job: number, run?: string): void {
  if (run !== undefined && run !== loadPending(tree)?.run) {
    throw new MemuError('run_is_over', `The run ${JSON.stringify(run)} is not the one at work in ${tree.base}.`, {
      hint: 'Stop here: a later run has taken its sessions over, or its commit is done.',
      exit: 2,
    })
  }
  if (!Number.isSafeInteger(job) || job < 1 || !fs.existsSync(join(tree.jobs, `${job}.txt`))) {
    throw new MemuError('no_such_job', `There is no job ${job} in ${tree.jobs}.`, {
      hint: 'Give the number of a job file: 3 for jobs/3.txt.',
      exit: 2,
    })
  }
  refuseLinks(tree)
  makeDirectory(tree.done)
  try {
    fs.writeFileSync(join(tree.done, run === undefined ? String(job) : `${run}-${job}`), '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** The finished jobs of the run at work: marks of other runs do not count. */
export function finishedJobs(tree: Layout): ReadonlySet<number> {
  const run = loadPending(tree)?.run
  return new Set(
    entriesIfExists(tree.done).flatMap((entry) => {
      const number = run !== undefined && entry.startsWith(`${run}-`) ? entry.slice(run.length + 1) : entry
      return /^\d+$/.test(number) ? [Number(number)] : []
    }),
  )
}

/** What a run writes into its folders, and what one that was killed may have left there. */
const WRITTEN = {
  jobs: /^\d+\.txt$/,
  sessions: /^(?:new-)?\d+(?:_full)?\.jsonl(?:\.part)?$/,
  done: /^(?:[\w-]+-)?\d+$/,
} as const

/**
 * Removes job files, slices and marks; what the run learned is in the mirror, and its cursors in the manifests. Only names that a
 * run writes, and a folder only when it is empty then: whatever else lies there is somebody's.
 */
export function clearRun(tree: Layout): void {
  clearFolder(scratchFolder(tree), () => true)
  for (const part of ['jobs', 'sessions', 'done'] as const) clearFolder(tree[part], (name) => WRITTEN[part].test(name))
}

/** Where a session's copy lies while it is looked at; nothing else is put there. */
export function scratchFolder(tree: Layout): string {
  return join(tree.sessions, 'seen-before')
}

/** Removes the files that are ours, and the folder where nothing else is in it. Follows no link and enters no folder. */
export function clearFolder(directory: string, isOurs: (name: string) => boolean): void {
  const files = filesOf(directory)
  for (const name of files) if (isOurs(name)) discardFile(join(directory, name))
  try {
    if (files.every(isOurs)) fs.rmdirSync(directory)
  } catch {
    // Not there, or a folder lies in it that is not ours: it stays.
  }
}

function filesOf(directory: string): string[] {
  if (fs.lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]))
}
