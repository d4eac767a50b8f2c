/**
 * The executor that lets the host's own program do the jobs: started without a person, with the prompt on standard input, in the
 * host's memU tree. It marks its jobs itself, through `<binary> job-done`.
 */
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { configFilePath } from '../../config/settings.ts'
import { nonceIfPossible } from '../../guard/nonce.ts'
import { runMark } from '../../guard/tag.ts'
import type { HeadlessProgram, HeadlessRun, HostSpec } from '../../hosts/host-spec.ts'
import { type ProgramEnd, runProgram } from '../../util/child-process.ts'
import { MemuError } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import { makeDirectory } from '../../util/fs.ts'
import type { System } from '../../util/system.ts'
import { finishedJobs } from '../done.ts'
import type { Executor, ExecutorResult, ExecutorRun } from '../executor.ts'
import { hostCommand } from '../jobs.ts'
import { knownSecrets } from '../known-secrets.ts'
import type { Layout } from '../layout.ts'
import { verifyResources } from '../resources.ts'
import { rememberSelfSession } from '../self-sessions.ts'
import { renderTemplate, shippedTemplates, type Templates } from '../templates.ts'
import { describeResources } from './builtin/documents.ts'
import { type SecretTest, secretTest } from './builtin/secrets.ts'
import { type LentFiles, lendFiles } from './lent-files.ts'
import { programReport, shownLine } from './program-report.ts'

export interface HostProgramOptions {
  readonly spec: HostSpec
  readonly system: System
  readonly templates?: Templates
  /** For one run over all jobs; half an hour. */
  readonly timeoutMs?: number
  /** Where our own programs lie, for runs (cron) whose PATH does not name that place. Default: beside the running one. */
  readonly programDirectory?: string
}

const TIME_LIMIT_MS = 30 * 60_000

/** Errors of the factory: `no_program` (exit 2) where the host has no such mode or the program is not on PATH. */
export function hostProgramExecutor(options: HostProgramOptions): Executor {
  const { spec, system } = options
  const { headless } = spec
  const path = headless === undefined ? undefined : findProgram(headless.program, system)
  if (headless === undefined || path === undefined) throw noProgram(spec)
  return { name: 'host', run: (run) => work(run, { headless, path }, options) }
}

async function work(
  run: ExecutorRun,
  { headless, path }: { readonly headless: HeadlessProgram; readonly path: string },
  options: HostProgramOptions,
): Promise<ExecutorResult> {
  const { layout, binary } = run
  const mayHoldSecret = secretTest(knownSecrets(options.system))
  const report = programReport(mayHoldSecret)
  const lent = headless.writesOnlyFolders ? lendFiles(layout, run.jobs) : undefined
  run.log(`started ${path} for ${run.jobs.length} jobs`)
  let end: ProgramEnd
  try {
    end = await runProgram(
      {
        path,
        args: headless.args(reach(layout, lent, options)),
        cwd: layout.base,
        env: environment(options, binary),
        input: prompt(run, lent?.jobs ?? layout.jobs, options),
        timeoutMs: options.timeoutMs ?? TIME_LIMIT_MS,
        signal: run.signal,
        onLine: report.line,
      },
      options.system,
    )
  } finally {
    lent?.takeBack()
    // Also of a run that was stopped: what it logged is not a conversation of the user's.
    for (const id of report.sessions) rememberSelfSession(layout, id)
    for (const line of report.tail()) run.log(`| ${line}`)
  }
  finishResources(run)
  const done = finishedJobs(layout)
  const finished = run.jobs.filter((job) => done.has(job.number)).map((job) => job.number)
  const why = outcome(headless.program, end, { timeoutMs: options.timeoutMs ?? TIME_LIMIT_MS, mayHoldSecret })
  if (finished.length === 0) throw new MemuError('executor_failed', `no job was done: ${why}`, { hint: `Look at ${layout.log}.` })
  const tokens = report.tokens()
  return {
    finished,
    failed: run.jobs.filter((job) => !done.has(job.number)).map((job) => ({ job: job.number, reason: why })),
    ...(tokens === undefined ? {} : { tokens }),
  }
}

/**
 * The documents lie outside the tree, where a program that is kept to the tree cannot look: what it could not describe is described by
 * rule, here, where it can be read.
 */
function finishResources({ layout, jobs, done }: ExecutorRun): void {
  const job = jobs.find(({ kind }) => kind === 'resource')
  const marked = finishedJobs(layout)
  // Without a single session read there is nothing to describe, and the run has failed.
  if (job === undefined || marked.size === 0) return
  if (!marked.has(job.number)) verifyResources(layout)
  describeResources(layout, [])
  // A mark that is there was made by the program: writing it again could follow a link of its.
  if (!marked.has(job.number)) done(job.number)
}

/** What a run may touch; the folders are made, because a sandbox opens only what exists. */
function reach(layout: Layout, lent: LentFiles | undefined, { spec, system }: HostProgramOptions): HeadlessRun {
  const writable = [layout.tracks.memory, layout.tracks.skill, layout.done, ...(lent === undefined ? [] : [lent.folder])]
  for (const folder of writable) makeDirectory(folder)
  const moved = layout.base === spec.baseDir(system) ? undefined : layout.base
  const { binary, suffix } = hostCommand(spec.binary, moved, system.platform)
  const settings = [join(system.home, '.memu', 'config.env'), configFilePath(system.env, system.home, system.cwd)]
  return {
    workspace: layout.base,
    binary,
    verifyCommand: `${binary} verify-resources${suffix}`,
    writable,
    hidden: [...new Set(settings)],
  }
}

/** Where the program keeps its sessions after all, the run is known by its prompt. */
function prompt(
  { layout, binary, jobs }: ExecutorRun,
  folder: string,
  { system, templates = shippedTemplates() }: HostProgramOptions,
): string {
  const nonce = nonceIfPossible(system.home)
  return renderTemplate('bridging-jobs', templates.text('bridging-jobs'), {
    binary,
    workspace: layout.base,
    jobs: folder,
    last_job: String(Math.max(...jobs.map((job) => job.number))),
    run_mark: nonce === undefined ? '' : runMark(nonce),
  })
}

function outcome(
  program: string,
  { code, timedOut, errors }: ProgramEnd,
  { timeoutMs, mayHoldSecret }: { readonly timeoutMs: number; readonly mayHoldSecret: SecretTest },
): string {
  if (timedOut) return `${program} was stopped after ${Math.round(timeoutMs / 60_000)} minutes`
  const last = errors
    .split('\n')
    .map((line) => shownLine(line, mayHoldSecret))
    .findLast((line) => line !== '')
  if (code === 0) return `${program} ended without marking it`
  return `${program} ended with ${code === undefined ? 'a signal' : `code ${code}`}${last === undefined ? '' : `: ${last}`}`
}

/**
 * The program gets the user's environment, because its own settings may name any variable for its key; without our keys, and without
 * what would make it think that it runs inside another session.
 */
const NOT_FOR_CHILDREN =
  /^(?:MEMU_(?!CONFIG_ENV$).*|CLAUDECODE|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT|SSE_PORT)|CODEX_(?:THREAD_ID|SESSION_ID|TOOL_CALL_ID|SANDBOX\w*)|(?:GITHUB|GH|GITLAB|NPM|NODE_AUTH|PYPI|TWINE|CARGO_REGISTRY|HOMEBREW_GITHUB_API)_?(?:TOKEN|PASSWORD)|DATABASE_URL|PGPASSWORD|SSH_AUTH_SOCK|SUDO_ASKPASS)$/

function environment({ spec, system, programDirectory }: HostProgramOptions, binary: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(system.env)) {
    if (value !== undefined && name !== spec.sessionIdEnv && !NOT_FOR_CHILDREN.test(name)) env[name] = value
  }
  env.MEMU_BRIDGING_RUN = '1'
  const own = programDirectory ?? dirname(process.argv[1] ?? '.')
  // First, so that it is this version that marks the jobs, and not another program of that name.
  if (existsSync(join(own, binary))) env.PATH = `${own}${delimiter}${env.PATH ?? ''}`
  return env
}

function noProgram({ headless, title }: HostSpec): MemuError {
  return headless === undefined
    ? new MemuError('no_program', `${title} has no program that works without a person.`, { hint: 'Use --executor builtin.', exit: 2 })
    : new MemuError('no_program', `The program ${headless.program} of ${title} is not on PATH.`, {
        hint: `Install ${title}, or use --executor builtin.`,
        exit: 2,
      })
}
