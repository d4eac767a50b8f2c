/** A run's tree with slices written by hand: what `prepare` would hand to an executor. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markDone } from '../../../src/bridging/done.ts'
import type { ExecutorRun } from '../../../src/bridging/executor.ts'
import { planJobs } from '../../../src/bridging/jobs.ts'
import { layout } from '../../../src/bridging/layout.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

export interface PreparedSession {
  readonly project?: string
  /** `YYYY-MM-DD` */
  readonly date?: string
  readonly says: readonly (string | { readonly role: 'user' | 'assistant'; readonly text: string } | ToolRun)[]
}

/** A call and its result. */
export interface ToolRun {
  readonly tool?: string
  readonly call: string
  readonly result: string
  readonly failed?: boolean
}

export interface PreparedRun extends ExecutorRun {
  readonly finished: Set<number>
  readonly logged: string[]
  readonly controller: AbortController
}

export function preparedRun(sessions: readonly PreparedSession[], base = join(temporaryFolder(), 'tree')): PreparedRun {
  const tree = layout('fake', base)
  const jobs = planJobs(tree, sessions.length)
  for (const directory of [tree.sessions, tree.jobs, tree.tracks.memory, tree.tracks.skill]) mkdirSync(directory, { recursive: true })
  for (const job of jobs) writeFileSync(job.path, `the text of job ${job.number}\n`)
  for (const [index, session] of sessions.entries()) writeSlices(tree.sessions, index + 1, session)
  const finished = new Set<number>()
  const logged: string[] = []
  const controller = new AbortController()
  return {
    layout: tree,
    binary: 'memu-fake',
    jobs,
    done: (job) => {
      markDone(tree, job)
      finished.add(job)
    },
    signal: controller.signal,
    log: (line) => logged.push(line),
    finished,
    logged,
    controller,
  }
}

function writeSlices(directory: string, number: number, { project = '/home/u/shop', date, says }: PreparedSession): void {
  const at = date === undefined ? {} : { at: `${date}T09:00:00.000Z` }
  const header = { host: 'fake', session: `session-${number}`, project }
  const records = says.flatMap((entry): object[] => {
    if (typeof entry === 'string') return [{ role: 'user', ...at, text: entry }]
    if ('role' in entry) return [{ ...entry, ...at }]
    const { tool = 'Bash', call, result, failed } = entry
    const base = { role: 'tool', ...at }
    return [
      { ...base, tool, part: 'call', text: call },
      { ...base, part: 'result', text: result, ...(failed ? { failed } : {}) },
    ]
  })
  const lines = (kept: readonly object[]): string => [header, ...kept].map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(directory, `${number}.jsonl`), lines(records.filter((record) => (record as { role: string }).role !== 'tool')))
  writeFileSync(join(directory, `${number}_full.jsonl`), lines(records))
}
