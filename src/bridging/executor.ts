/**
 * The executor port: what turns prepared jobs into memory files. It reads the job files and slices of one run, writes
 * markdown under the mirror, and marks each job it finished. It never talks to the store: `commit` does, afterwards.
 */
import type { Layout } from './layout.ts'

export interface Executor {
  /** `host`, `openai`, `ollama`, `builtin`: shown in the log and the ledger. */
  readonly name: string
  /**
   * Works through the jobs in order. A job that fails is reported and the next one is tried; what is not marked as
   * finished is offered again by the next run. Throws only where no job could be tried at all.
   */
  run(run: ExecutorRun): Promise<ExecutorResult>
}

export interface ExecutorRun {
  readonly layout: Layout
  readonly binary: string
  readonly jobs: readonly Job[]
  /** Marks a job as finished; the same mark as `<binary> job-done N` makes. */
  readonly done: (job: number) => void
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

export interface Job {
  /** 1..N memory jobs, N+1..2N skill jobs, 2N+1 the resource job. */
  readonly number: number
  readonly kind: 'memory' | 'skill' | 'resource'
  /** `jobs/<number>.txt` */
  readonly path: string
  /** The slice it reads; absent for the resource job. */
  readonly slice?: string
}

/** One line that an executor wrote and knows the origin of. */
export interface Learned {
  readonly track: 'memory' | 'skill'
  /** The recall file's name. */
  readonly file: string
  readonly text: string
  /** As the host names it. */
  readonly session?: string
  /** ISO time of the record that it was learned from. */
  readonly at?: string
  /** Absolute working directory. */
  readonly project?: string
}

export interface ExecutorResult {
  readonly finished: readonly number[]
  readonly failed: readonly { readonly job: number; readonly reason: string }[]
  /** What was learned where; only from executors that can tell. */
  readonly learned?: readonly Learned[]
  /** Tokens where the program or endpoint reports them. */
  readonly tokens?: { readonly input: number; readonly output: number }
}
