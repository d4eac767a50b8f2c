/**
 * The executor that needs nothing: rules only, no model, no network. It keeps what people state in plain words and the commands that
 * failed and then worked, and misses the rest; a later run by a model may rewrite everything that it wrote.
 */
import { appendFileSync } from 'node:fs'
import { MemuError, reason } from '../../util/errors.ts'
import { makeDirectory } from '../../util/fs.ts'
import type { Executor, ExecutorRun, Job, Learned } from '../executor.ts'
import { verifyResources } from '../resources.ts'
import { findFixes } from './builtin/commands.ts'
import { describeResources, writtenDocuments } from './builtin/documents.ts'
import { memoryFiles } from './builtin/memory-file.ts'
import { projectName, rememberSession, source } from './builtin/remember.ts'
import { writeSkill } from './builtin/skill-file.ts'
import { requirePlainFile } from './plain-file.ts'
import { openSlice } from './slice-reader.ts'

export function builtinExecutor(): Executor {
  return {
    name: 'builtin',
    async run(run) {
      const finished: number[] = []
      const failed: { job: number; reason: string }[] = []
      const learned: Learned[] = []
      const projects = new Set<string>()
      for (const job of await inOrderOfTime(run.jobs)) {
        run.signal.throwIfAborted()
        try {
          await work(job, run, projects, learned)
          run.done(job.number)
          finished.push(job.number)
        } catch (error) {
          failed.push({ job: job.number, reason: reason(error) }) // It stays unmarked and comes again with the next run.
        }
      }
      return { finished, failed, learned }
    },
  }
}

/**
 * Sessions from the oldest to the newest, whatever the times of their files: what was taken back must have been said before. The memory
 * jobs change places among themselves.
 */
async function inOrderOfTime(jobs: readonly Job[]): Promise<Job[]> {
  const memory: { readonly job: Job; readonly at: string }[] = []
  for (const job of jobs) if (job.kind === 'memory') memory.push({ job, at: await beginning(job) })
  memory.sort((a, b) => a.at.localeCompare(b.at))
  return [...memory.map(({ job }) => job), ...jobs.filter(({ kind }) => kind !== 'memory')]
}

/** Of the first line with a time; empty where there is none, or where the slice cannot be read: the job itself will say so. */
async function beginning(job: Job): Promise<string> {
  if (job.slice === undefined) return ''
  try {
    for await (const { at } of (await openSlice(job.slice)).lines) if (at !== undefined) return at
  } catch {
    return ''
  }
  return ''
}

/** What was written is in `learned`, also of a job that failed later on: its next try finds it there and would not tell. */
async function work(job: Job, run: ExecutorRun, projects: Set<string>, learned: Learned[]): Promise<void> {
  switch (job.kind) {
    case 'memory': {
      const files = memoryFiles(run.layout)
      const lines = await rememberSession(await openSlice(slicePath(job)), files)
      files.save()
      learned.push(...lines)
      return
    }
    case 'skill':
      return await skills(job, run, projects, learned)
    case 'resource':
      verifyResources(run.layout)
      describeResources(run.layout, [...projects])
  }
}

async function skills(job: Job, { layout }: ExecutorRun, projects: Set<string>, learned: Learned[]): Promise<void> {
  const slice = await openSlice(slicePath(job))
  if (slice.header.project !== undefined) projects.add(slice.header.project)
  const project = projectName(slice.header.project)
  for (const fix of await findFixes(slice)) {
    const skill = writeSkill(layout, fix, project)
    if (skill !== undefined) learned.push({ ...skill, track: 'skill', ...source(slice, fix) })
  }
  const documents = await writtenDocuments(await openSlice(slicePath(job)), layout.base)
  if (documents.length > 0) {
    requirePlainFile(layout.resourceLog)
    makeDirectory(layout.base)
    appendFileSync(layout.resourceLog, `${documents.join('\n')}\n`, { mode: 0o600 })
  }
}

function slicePath(job: Job): string {
  if (job.slice !== undefined) return job.slice
  throw new MemuError('no_slice', `job ${job.number} names no session to read`)
}
