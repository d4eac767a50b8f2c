/** `job-done N`: the agent says that a job of the run is finished. */
import type { Command } from 'commander'
import { markDone } from '../../bridging/done.ts'
import { wholeNumber } from '../../cli/program.ts'
import { BASE_DIR, treeOf, type VerbContext } from '../verb.ts'

export function addJobDone(program: Command, context: VerbContext): void {
  program
    .command('job-done')
    .description('mark a job of the run as finished')
    .argument('<number>', 'the number of the job file: 3 for jobs/3.txt', wholeNumber('The job'))
    .option(...BASE_DIR)
    .action((job: number, options: { baseDir?: string }) => {
      markDone(treeOf(context, options.baseDir), job)
      context.io.out(`Job ${job} is marked as finished.\n`)
    })
}
