/** `register-cron-job`: tells which jobs of the host's own scheduler carry out memU's runs, so that memory is not made of making memory. */
import type { Command } from 'commander'
import type { BridgingDeps } from '../../bridging/bridging-deps.ts'
import type { Layout } from '../../bridging/layout.ts'
import { MemuError } from '../../util/errors.ts'
import { acquireLock } from '../../util/lock.ts'
import { printable } from '../../util/printable.ts'
import { BASE_DIR, directory, JSON_OUTPUT, type VerbContext, withDeps } from '../verb.ts'

interface Flags {
  readonly jobId?: string
  readonly undo?: true
  readonly baseDir?: string
  readonly json?: true
}

export function addRegisterCronJob(program: Command, context: VerbContext): void {
  const { io, spec } = context
  program
    .command('register-cron-job')
    .description(`say which job of ${spec.title} runs memU, so that its sessions are not mined; without an id, list such jobs`)
    .option('--job-id <id>', `the id of the job, as ${spec.title} lists it`)
    .option('--undo', 'take the job back: its sessions are mined like others')
    .option(...BASE_DIR)
    .option(...JSON_OUTPUT)
    .addHelpText('after', '\nYour own scheduled conversations are mined as any other; register only the job that runs memU.')
    .action(async (flags: Flags) => {
      const [{ hostCommand }, { forgetJob, registeredJobs, registerJob }, { claimTree, ownTree }] = await Promise.all([
        import('../../bridging/jobs.ts'),
        import('../../bridging/own-jobs.ts'),
        import('../../bridging/own-tree.ts'),
      ])
      await withDeps(context, async (deps) => {
        const options = directory('baseDir', flags.baseDir, context)
        const tree = ownTree(options, deps)
        const { binary, suffix } = hostCommand(spec.binary, options.baseDir, deps.system.platform)
        const verb = `${binary} register-cron-job`
        const { jobId: job } = flags
        let done = ''
        if (job === undefined && flags.undo) {
          throw new MemuError('usage', '--undo needs the --job-id to take back.', {
            hint: `See which there are: ${verb}${suffix}`,
            exit: 2,
          })
        } else if (job !== undefined && flags.undo) {
          if (!locked(tree, deps, () => forgetJob(tree, job))) throw notRegistered(job, `${verb}${suffix}`)
          done = `Taken back: sessions of the job ${printable(job)} are mined like others.\n`
        } else if (job !== undefined) {
          claimTree(tree)
          const { aside } = locked(tree, deps, () => registerJob(tree, job))
          if (aside !== undefined) io.err(`note: the list of registered jobs was damaged and is kept as ${printable(aside)}\n`)
          done = `Sessions of the job ${printable(job)} are not mined from now on. To undo that: ${verb} --job-id ${printable(job)} --undo${suffix}\n`
        }
        const jobs = registeredJobs(tree)
        io.out(
          flags.json
            ? `${JSON.stringify({ jobs, path: tree.ownJobs })}\n`
            : `${done}${listText(jobs, tree.ownJobs, `${verb} --job-id <id>${suffix}`)}`,
        )
      })
    })
}

/** Runs read and write the same list. */
function locked<Result>(tree: Layout, { system }: BridgingDeps, use: () => Result): Result {
  const lock = acquireLock(tree.lock, { purpose: 'register-cron-job', now: system.now })
  try {
    return use()
  } finally {
    lock.release()
  }
}

function listText(jobs: readonly string[], path: string, register: string): string {
  if (jobs.length === 0) return `No job is registered. To register the one that runs memU: ${register}\n`
  return [`Registered jobs, kept in ${path}:`, ...jobs.map((job) => `  ${printable(job)}`), ''].join('\n')
}

function notRegistered(job: string, list: string): MemuError {
  return new MemuError('job_not_registered', `The job ${JSON.stringify(job)} is not registered.`, {
    hint: `See which are: ${list}`,
  })
}
