/**
 * Jobs of the host's own scheduler that carry out our runs: `.own_jobs.<host>.json`. A host that runs jobs names no session in the
 * environment, but its store says of each session which job it is a run of. The user's own jobs are conversations like others.
 */
import type { SessionRef } from '../hosts/transcript-source.ts'
import { MemuError } from '../util/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { HostCommand } from './jobs.ts'
import type { Layout } from './layout.ts'
import { withoutOldest } from './self-sessions.ts'
import { keepAside } from './session-manifest.ts'

/** Job to the sessions that were runs of it, oldest first. */
type Jobs = ReadonlyMap<string, readonly string[]>

/** What a scheduler calls a job: it stands in keys whose parts colons divide. */
const JOB = /^[^\s:\p{Cc}]{1,200}$/u

/** Ids of the registered jobs, oldest first. Errors: `jobs_unreadable`. */
export function registeredJobs(tree: Layout): readonly string[] {
  return [...loaded(tree).keys()]
}

/** From now on sessions of this job are ours. A damaged list is kept aside: its place is returned. Errors: `invalid_job_id` (exit 2). */
export function registerJob(tree: Layout, job: string): { readonly aside?: string } {
  const id = jobId(job)
  const jobs = load(tree)
  const aside = jobs === undefined ? { aside: keepAside(tree.ownJobs) } : {}
  if (jobs?.has(id) !== true) save(tree, new Map([...(jobs ?? []), [id, []]]))
  return aside
}

/** Takes it back: also its earlier sessions are mined then. False where the job was not registered. Errors: `jobs_unreadable`. */
export function forgetJob(tree: Layout, job: string): boolean {
  const jobs = new Map(loaded(tree))
  const was = jobs.delete(jobId(job))
  if (was) save(tree, jobs)
  return was
}

export interface JobSessions {
  /** Undefined where the list cannot be read. */
  readonly ids: ReadonlySet<string> | undefined
  /** A sentence about sessions that are ours from now on, or about a list that cannot be read. */
  readonly notice?: string
}

/**
 * The sessions that were runs of registered jobs: those remembered, and those found now, remembered before they are returned. `isKnown`
 * tells which of the remembered ones may come back.
 */
export function jobSessions(
  tree: Layout,
  found: readonly SessionRef[],
  isKnown: (id: string) => boolean,
  register: HostCommand,
): JobSessions {
  const jobs = load(tree)
  if (jobs === undefined)
    return { ids: undefined, notice: `${damaged(tree)}, and new runs of the jobs in it are mined. ${again(register)}` }
  const known = new Set([...jobs.values()].flat())
  const added = found.filter(({ id, job }) => job !== undefined && jobs.has(job.toLowerCase()) && !known.has(id))
  const ids = new Set([...known, ...added.map(({ id }) => id)])
  if (added.length === 0) return { ids }
  const after = new Map(jobs)
  for (const { id, job } of added) {
    const name = (job as string).toLowerCase()
    after.set(name, [...(after.get(name) ?? []), id])
  }
  save(tree, new Map([...after].map(([job, sessions]) => [job, withoutOldest(sessions, isKnown)])))
  return { ids, notice: noticeOf(added, register) }
}

function noticeOf(added: readonly SessionRef[], { binary, suffix }: HostCommand): string {
  const jobs = [...new Set(added.map(({ job }) => job as string))]
  const runs = added.length === 1 ? `${added[0]?.id} is a run` : `${added.length} sessions are runs`
  const undo = jobs.map((job) => `${binary} register-cron-job --job-id ${job} --undo${suffix}`).join(' && ')
  return `${runs} of the registered job ${jobs.join(', ')} and not mined. To undo that: ${undo}`
}

function damaged(tree: Layout): string {
  return `${tree.ownJobs}, the list of registered jobs, is damaged`
}

function again({ binary, suffix }: HostCommand): string {
  return `Register them again, which keeps the damaged file aside: ${binary} register-cron-job --job-id <id>${suffix}`
}

function jobId(job: string): string {
  if (JOB.test(job)) return job.toLowerCase()
  throw new MemuError('invalid_job_id', `${JSON.stringify(job)} is not the id of a job.`, {
    hint: 'Give the id as the scheduler lists it; it has no spaces and no colons.',
    exit: 2,
  })
}

function loaded(tree: Layout): Jobs {
  const jobs = load(tree)
  if (jobs !== undefined) return jobs
  throw new MemuError('jobs_unreadable', `${damaged(tree)}; runs of the jobs in it are mined.`, {
    hint: 'Register the jobs again with --job-id; the damaged file is kept aside then.',
  })
}

/** Undefined where the file is there and is not ours. */
function load(tree: Layout): Jobs | undefined {
  const text = readTextIfExists(tree.ownJobs)
  if (text === undefined) return new Map()
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return new Map(Object.entries(value).map(([job, sessions]) => [job, strings(sessions)]))
  } catch {
    return undefined // Whoever only reads goes on without it; whoever writes keeps it aside.
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}

function save(tree: Layout, jobs: Jobs): void {
  writeFileAtomic(tree.ownJobs, `${JSON.stringify(Object.fromEntries(jobs), null, 2)}\n`)
}
