/** The job files of a run: memory jobs 1..N, skill jobs N+1..2N, then one resource job. Each is a complete task for an agent. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../util/fs.ts'
import type { Job } from './executor.ts'
import type { Layout } from './layout.ts'
import { jobDoneNote, renderTemplate, type Templates } from './templates.ts'

/** How an agent calls this host's program. */
export interface HostCommand {
  readonly binary: string
  /** What follows every verb: ` --base-dir …` where the tree is not where the program would look for it. */
  readonly suffix: string
}

/** Slices of session K: `sessions/K.jsonl` and `sessions/K_full.jsonl`. */
export function slicePaths(tree: Layout, session: number): { readonly conversation: string; readonly full: string } {
  return { conversation: join(tree.sessions, `${session}.jsonl`), full: join(tree.sessions, `${session}_full.jsonl`) }
}

/** The two jobs of session K of N. */
export function jobsOfSession(session: number, sessions: number): readonly [number, number] {
  return [session, sessions + session]
}

/** The jobs of a run over N sessions, in order; none where there is no session. */
export function planJobs(tree: Layout, sessions: number): Job[] {
  if (sessions === 0) return []
  const each = Array.from({ length: sessions }, (_, at) => at + 1)
  const path = (number: number): string => join(tree.jobs, `${number}.txt`)
  return [
    ...each.map((k): Job => ({ number: k, kind: 'memory', path: path(k), slice: slicePaths(tree, k).conversation })),
    ...each.map((k): Job => ({ number: sessions + k, kind: 'skill', path: path(sessions + k), slice: slicePaths(tree, k).full })),
    { number: 2 * sessions + 1, kind: 'resource', path: path(2 * sessions + 1) },
  ]
}

export function writeJobs(tree: Layout, run: string, jobs: readonly Job[], templates: Templates, command: HostCommand): void {
  if (jobs.length > 0) makeDirectory(tree.jobs)
  for (const job of jobs) {
    const note = jobDoneNote(command.binary, job.number, run).trimEnd() + command.suffix // The note ends with the command.
    fs.writeFileSync(job.path, `${jobText(tree, job, templates, command)}${note}\n`, { mode: 0o600 })
  }
}

function jobText(tree: Layout, job: Job, templates: Templates, command: HostCommand): string {
  const input_path = job.slice ?? ''
  switch (job.kind) {
    case 'memory':
      return renderTemplate('memory-job', templates.text('memory-job'), { input_path, track_dir: tree.tracks.memory })
    case 'skill':
      return renderTemplate('skill-job', templates.text('skill-job'), {
        input_path,
        track_dir: tree.tracks.skill,
        resource_log: tree.resourceLog,
      })
    case 'resource':
      return renderTemplate('resource-job', templates.text('resource-job'), {
        verify_command: `${command.binary} verify-resources${command.suffix}`,
        resource_file: tree.resources,
      })
  }
}

export function hostCommand(binary: string, movedTo: string | undefined, platform: NodeJS.Platform): HostCommand {
  return { binary, suffix: movedTo === undefined ? '' : ` --base-dir ${quote(movedTo, platform)}` }
}

/** One word of a command line that a person or an agent pastes into a shell. */
function quote(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '')}"` : `'${word.replaceAll("'", "'\\''")}'`
}
