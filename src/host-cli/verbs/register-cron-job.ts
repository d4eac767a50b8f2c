/** `register-cron-job`: tells which jobs of the host's own scheduler carry out memU's runs, so that memory is not made of making memory. */
import type { Command } from 'commander'
import { MemuError } from '../../util/errors.ts'
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
      const { forgetJob, registeredJobs, registerJob } = await import('../../bridging/own-jobs.ts')
      const { claimTree, ownTree } = await import('../../bridging/own-tree.ts')
      await withDeps(context, async (deps) => {
        const tree = ownTree(directory('baseDir', flags.baseDir, context), deps)
        const { jobId: job } = flags
        if (job === undefined && flags.undo) throw new MemuError('usage', '--undo needs the --job-id to take back.', { exit: 2 })
        let done = ''
        if (job !== undefined && flags.undo) {
          if (!forgetJob(tree, job)) throw notRegistered(job, spec.binary)
          done = `Taken back: sessions of the job ${printable(job)} are mined like others.\n`
        } else if (job !== undefined) {
          claimTree(tree)
          registerJob(tree, job)
          const undo = `${spec.binary} register-cron-job --job-id ${printable(job)} --undo`
          done = `Sessions of the job ${printable(job)} are not mined from now on. To undo that: ${undo}\n`
        }
        const jobs = registeredJobs(tree)
        io.out(flags.json ? `${JSON.stringify({ jobs, path: tree.ownJobs })}\n` : `${done}${listText(jobs, tree.ownJobs)}`)
      })
    })
}

function listText(jobs: readonly string[], path: string): string {
  if (jobs.length === 0) return 'No job is registered.\n'
  return [`Registered jobs, kept in ${path}:`, ...jobs.map((job) => `  ${printable(job)}`), ''].join('\n')
}

function notRegistered(job: string, binary: string): MemuError {
  return new MemuError('job_not_registered', `The job ${JSON.stringify(job)} is not registered.`, {
    hint: `See which are: ${binary} register-cron-job`,
  })
}
