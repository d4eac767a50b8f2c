/** What a commit says to a person beyond its figures: what needs a look, and what to do about it. */
import { join } from 'node:path'
import { formatMemoryText } from '../markdown/front-matter.ts'
import { plural } from '../util/plural.ts'
import type { HostCommand } from './jobs.ts'
import type { Layout } from './layout.ts'
import { conflictNotices } from './memory-merge.ts'
import type { PendingRun } from './pending.ts'
import type { CommitPlan } from './plan-commit.ts'

/** Files and sessions that a notice names; the rest is counted. */
const NAMED = 5

export function conflicts(tree: Layout, plan: CommitPlan): string[] {
  return plan.files.flatMap(({ source, document, extra, conflicts }) => {
    const text = formatMemoryText({ ...document, extra })
    return conflictNotices(join(tree.base, source.path), text, { document, conflicts })
  })
}

export function secretPaths(count: number): string[] {
  return count === 0 ? [] : [`${count} described files were left out: their paths hold a secret.`]
}

/** `stored`: how much went to the store. */
export function unredacted(redact: boolean, stored: number): string[] {
  return redact || stored === 0
    ? []
    : ['Secrets were not removed from what was stored (--no-redact): every agent that recalls it sees them.']
}

/** `mirrored`: how many files there were. */
export function accident(tree: Layout, plan: CommitPlan, mirrored: number, { binary, suffix }: HostCommand): string[] {
  if (plan.accident === 0) return []
  const back = plan.refused.filter(({ renamed }) => !renamed).map(({ track, name }) => `${track}/${name}`)
  const more = back.length - NAMED
  const names = `${back.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const one = back.length === 1
  const files = mirrored === 1 ? 'The only memory file' : `${back.length} of the ${mirrored} memory files`
  const [them, are] = one ? ['it', 'it is'] : ['them', 'they are']
  return [
    `${files} under ${tree.base} ${one ? 'was deleted' : 'were deleted at once'}, which looks like an accident: nothing was forgotten, and ${are} back (${names}). To forget ${them}, delete ${them} again and run: ${binary} commit --force${suffix}`,
  ]
}

export function waiting(tree: Layout, sessions: number): string[] {
  if (sessions === 0) return []
  return [
    `What this run learned is partly in files under ${tree.base} that could not be committed, so ${sessions} of its sessions do not count as done. Repair the files and commit again; otherwise these sessions are read again by the next run.`,
  ]
}

/** Of a run of which nothing says that it was done. Not of one that a program prepared: no person marks its jobs. */
export function notDone(run: PendingRun | undefined, { binary, suffix }: HostCommand): string[] {
  const jobs = run === undefined ? [] : [...run.sessions.flatMap((session) => session.jobs), run.resourceJob].sort((a, b) => a - b)
  if (run === undefined || run.prepared_by !== undefined || jobs.length < 2) return []
  const sessions = plural(run.sessions.filter((session) => session.jobs.length > 0).length, 'session')
  return [
    `No job was marked and no memory file was changed, so nothing counts as done: ${sessions} of this run will be offered again. Mark each job that is finished, also one in which there was nothing to learn, and commit again: ${binary} job-done ${jobs[0]} --run ${run.run}${suffix} (jobs ${jobs.join(', ')}).`,
  ]
}

/** Of a run that is done in part: which jobs its unfinished sessions wait for. The same exception as for `notDone`. */
export function notMarked(run: PendingRun | undefined, done: ReadonlySet<number>, { binary, suffix }: HostCommand): string[] {
  if (run === undefined || run.prepared_by !== undefined) return []
  const left = run.sessions.flatMap(({ id, jobs }) => {
    const open = jobs.filter((job) => !done.has(job))
    return open.length === 0 ? [] : [{ id, open }]
  })
  const first = left[0]?.open[0]
  if (first === undefined) return []
  const named = left.slice(0, NAMED).map(({ id, open }) => `${open.length === 1 ? 'job' : 'jobs'} ${open.join(' and ')} of session ${id}`)
  const more = left.length - named.length
  return [
    `Not marked: ${named.join(', ')}${more > 0 ? `, and those of ${more} more ${more === 1 ? 'session' : 'sessions'}` : ''}. Mark each job that is finished, also one in which there was nothing to learn, and commit again: ${binary} job-done ${first} --run ${run.run}${suffix}. What stays unmarked is offered again by the next prepare.`,
  ]
}
