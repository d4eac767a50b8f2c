/** Which jobs of the run are finished: one empty file a job, so that marking needs no lock and cannot undo another mark. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { MemuError, systemCode } from '../util/errors.ts'
import { makeDirectory } from '../util/fs.ts'
import type { Layout } from './layout.ts'

/** `<binary> job-done N`. Marking twice is fine; a job that this run does not have is the error `no_such_job`, exit 2. */
export function markDone(tree: Layout, job: number): void {
  if (!Number.isSafeInteger(job) || job < 1 || !fs.existsSync(join(tree.jobs, `${job}.txt`))) {
    throw new MemuError('no_such_job', `There is no job ${job} in ${tree.jobs}.`, {
      hint: 'Give the number of a job file: 3 for jobs/3.txt.',
      exit: 2,
    })
  }
  makeDirectory(tree.done)
  fs.writeFileSync(join(tree.done, String(job)), '', { mode: 0o600 })
}

export function finishedJobs(tree: Layout): ReadonlySet<number> {
  try {
    return new Set(
      fs
        .readdirSync(tree.done)
        .filter((entry) => /^\d+$/.test(entry))
        .map(Number),
    )
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new Set()
    throw error
  }
}

/** Removes job files, slices and marks; what the run learned is in the mirror, and its cursors in the manifests. */
export function clearRun(tree: Layout): void {
  for (const path of [tree.jobs, tree.sessions, tree.done]) fs.rmSync(path, { recursive: true, force: true })
}
