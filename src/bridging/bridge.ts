/**
 * The whole cycle in one command, under one lock: what an interrupted run left, prepare, the executor, commit, the log. What fails on
 * the way leaves its sessions for the next run.
 */
import { refuseForeignLog } from '../hosts/wrong-host.ts'
import { MemuError, reason } from '../util/errors.ts'
import { acquireLock, type Lock } from '../util/lock.ts'
import type { BridgingDeps, Problem, TreeOptions } from './bridging-deps.ts'
import { type CommitReport, commit, commitExit } from './commit.ts'
import { markDone } from './done.ts'
import type { Executor, ExecutorResult, Learned } from './executor.ts'
import { type ExecutorContext, openExecutor } from './executors/open.ts'
import { type LastRun, logLine, saveLastRun } from './last-run.ts'
import type { Layout } from './layout.ts'
import { type FileChange, mirrorChanges, mirrorTexts } from './mirror-changes.ts'
import { ownTree } from './own-tree.ts'
import { type PrepareReport, prepare, prepareExit } from './prepare.ts'

export interface BridgeOptions extends TreeOptions {
  /** One of `EXECUTOR_CHOICES`; `auto` by default. */
  readonly executor?: string
  readonly sessionDir?: string
  readonly maxJobs?: number
  /** For one run of the host's own program, or one answer of an endpoint; each has a default. */
  readonly timeoutMs?: number
  /** Ends the run cleanly: what is prepared or half done is there again in the next one. */
  readonly signal?: AbortSignal
}

export interface BridgeDeps extends BridgingDeps {
  /** A configuration value by its key. */
  readonly value: ExecutorContext['value']
  /** The executors there are; those of `executors/open.ts` by default. */
  readonly openExecutor?: (choice: string, context: ExecutorContext) => Promise<Executor>
}

export interface BridgeReport {
  /** `running`: another run holds the lock, nothing was done, exit 0. `nothing`: no session has anything new. */
  readonly outcome: 'done' | 'nothing' | 'running' | 'failed'
  /** `host`, `builtin`, `openai`, `ollama`; absent where none was needed. */
  readonly executor?: string
  /** Who holds the lock, or why the run failed: one sentence. */
  readonly reason?: string
  /** What the interrupted run before this one left, where there was something. */
  readonly leftovers?: CommitReport
  readonly prepared?: PrepareReport
  readonly worked?: ExecutorResult
  readonly committed?: CommitReport
  /** What was learned: the memory files that the run changed, line by line. */
  readonly changes: readonly FileChange[]
  readonly notices: readonly string[]
  readonly milliseconds: number
}

/** Errors: those of `prepare` that are a wrong use (exit 2), `unknown_executor`, `no_program`, `invalid_config`, `wrong_host`, `not_our_folder`; `link_in_tree`; the signal's reason. */
export async function bridge(options: BridgeOptions, deps: BridgeDeps): Promise<BridgeReport> {
  refuseForeignLog('bridge', deps.spec, options.sessionDir)
  const tree = ownTree(options, deps) // Before anything is written: a lock and a log in a folder of somebody else's would stay there.
  const started = deps.system.now().getTime()
  let lock: Lock
  try {
    lock = acquireLock(tree.lock, { purpose: 'bridge', token: options.lockToken, now: deps.system.now })
  } catch (error) {
    return otherRun(error)
  }
  const run = bridgingRun(tree, { ...options, lockToken: lock.token }, deps)
  try {
    const report = await run.cycle()
    return { ...report, milliseconds: deps.system.now().getTime() - started }
  } catch (error) {
    run.end(options.signal?.aborted ? 'interrupted' : 'failed', reason(error))
    throw error
  } finally {
    lock.release()
  }
}

function isLocked(error: unknown): error is MemuError {
  return error instanceof MemuError && error.code === 'locked'
}

function otherRun(error: unknown): BridgeReport {
  if (!isLocked(error)) throw error
  return { outcome: 'running', reason: error.message, changes: [], notices: [], milliseconds: 0 }
}

/** What could not be handled, in all parts of the run. */
export function bridgeProblems({ leftovers, prepared, committed }: BridgeReport): Problem[] {
  const parts = [leftovers?.problems, prepared?.problems, committed?.problems]
  // The same file may stand in the way of each.
  return [...new Map(parts.flatMap((problems) => problems ?? []).map((problem) => [JSON.stringify(problem), problem])).values()]
}

/** 0, or 1 where the run failed or something in it could not be handled. */
export function bridgeExit(report: BridgeReport): 0 | 1 {
  if (report.outcome === 'failed') return 1
  const { leftovers, prepared, committed } = report
  const parts = [leftovers && commitExit(leftovers), prepared && prepareExit(prepared, false), committed && commitExit(committed)]
  return parts.includes(1) ? 1 : 0
}

type Cycle = Omit<BridgeReport, 'milliseconds'>

interface Run {
  cycle(): Promise<Cycle>
  /** The last line of the run in the log, and the record for `doctor`. */
  end(outcome: LastRun['outcome'], text: string, parts?: Parts): void
}

function bridgingRun(tree: Layout, options: BridgeOptions & { readonly lockToken: string }, deps: BridgeDeps): Run {
  let executorName = 'none'
  return { cycle, end }

  async function cycle(): Promise<Cycle> {
    // One that was asked for by name must be there also while nothing is new: a mistake shows at once.
    const asked = (options.executor ?? 'auto') === 'auto' ? undefined : await open()
    const leftovers = await commitMarked()
    const left = isEmpty(leftovers) ? {} : { leftovers }
    let prepared: PrepareReport
    try {
      prepared = await prepare(options, deps)
    } catch (error) {
      // An agent that works through a run of its own holds it by its session, not by the lock: `prepare` tells.
      if (!isLocked(error)) throw error
      return { outcome: 'running', reason: error.message, ...left, changes: [], notices: leftovers.notices }
    }
    const found = { ...left, prepared, changes: [], notices: [...leftovers.notices, ...prepared.notices] }
    if (prepared.jobs.length === 0) {
      end('nothing', prepared.problems.length === 0 ? 'nothing new' : `nothing new, ${prepared.problems.length} problems`)
      return { outcome: 'nothing', ...found }
    }
    const executor = asked ?? (await open())
    const before = mirrorTexts(tree)
    const worked = await work(executor, prepared)
    options.signal?.throwIfAborted()
    // Also after a failure: the jobs that were finished count.
    const committed = await commitMarked('learned' in worked ? worked.learned : undefined)
    const failure = 'failure' in worked ? worked.failure : failedJobs(worked, prepared)
    end(failure === undefined ? 'done' : 'failed', failure ?? 'done', { prepared, committed, worked })
    return {
      ...found,
      outcome: failure === undefined ? 'done' : 'failed',
      executor: executor.name,
      ...(failure === undefined ? {} : { reason: failure }),
      ...('failure' in worked ? {} : { worked }),
      committed,
      changes: mirrorChanges(before, mirrorTexts(tree), [...committed.created, ...committed.updated, ...committed.forgotten]),
      notices: [...new Set([...found.notices, ...committed.notices])], // What lies in the way is seen by each part.
    }
  }

  function end(outcome: LastRun['outcome'], text: string, parts: Parts = {}): void {
    const now = deps.system.now()
    logLine(tree, now, `${outcome} executor=${executorName}${figures(parts)}${outcome === 'done' ? '' : `: ${text}`}`)
    const why = outcome === 'failed' ? { reason: text } : {}
    saveLastRun(tree, { at: now.toISOString(), outcome, executor: executorName, ...why })
  }

  /** Takes what is in the mirror to the store; a session counts only with all its jobs marked. */
  function commitMarked(learned?: readonly Learned[]): Promise<CommitReport> {
    return commit({ ...options, onlyMarked: true, ...(learned === undefined ? {} : { learned }) }, deps)
  }

  async function open(): Promise<Executor> {
    const { spec, system, value, templates } = deps
    const executor = await (deps.openExecutor ?? openExecutor)(options.executor ?? 'auto', {
      spec,
      system,
      value,
      ...(templates === undefined ? {} : { templates }),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    })
    executorName = executor.name
    return executor
  }

  async function work(executor: Executor, { jobs, run }: PrepareReport): Promise<ExecutorResult | { readonly failure: string }> {
    const { spec, system } = deps
    try {
      return await executor.run({
        layout: tree,
        binary: spec.binary,
        jobs,
        done: (job) => markDone(tree, job, run),
        signal: options.signal ?? new AbortController().signal,
        log: (line) => logLine(tree, system.now(), line),
      })
    } catch (error) {
      options.signal?.throwIfAborted()
      return { failure: reason(error) }
    }
  }
}

interface Parts {
  readonly prepared?: PrepareReport
  readonly committed?: CommitReport
  readonly worked?: ExecutorResult | { readonly failure: string }
}

function figures({ prepared, committed, worked }: Parts): string {
  if (prepared === undefined || committed === undefined) return ''
  const tokens = worked !== undefined && 'tokens' in worked ? worked.tokens : undefined
  return [
    ` sessions=${committed.advanced.length}/${prepared.sessions.length}`,
    `waiting=${prepared.waiting}`,
    `created=${committed.created.length}`,
    `updated=${committed.updated.length}`,
    `forgotten=${committed.forgotten.length}`,
    `resources=${committed.resources}`,
    ...(tokens === undefined ? [] : [`tokens=${tokens.input}+${tokens.output}`]),
  ].join(' ')
}

function failedJobs({ failed }: ExecutorResult, { jobs }: PrepareReport): string | undefined {
  const [first] = failed
  return first === undefined ? undefined : `${failed.length} of ${jobs.length} jobs were not done; job ${first.job}: ${first.reason}`
}

function isEmpty({ created, updated, forgotten, refused, advanced, problems }: CommitReport): boolean {
  return [created, updated, forgotten, refused, advanced, problems].every((list) => list.length === 0)
}
