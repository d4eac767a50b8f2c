/** `job-done N --run <id>`: the agent says that a job of the run is finished. */
import type { Command } from 'commander'
import { treeOf } from '../../bridging/bridging-deps.ts'
import { wholeNumber } from '../../cli/program.ts'
import { MemuError } from '../../util/errors.ts'
import { BASE_DIR, directory, type VerbContext, withDeps } from '../verb.ts'

/** As job files are named: `0x1` and `1e0` are numbers to JavaScript alone. */
function jobNumber(value: string): number {
  if (/^\d+$/.test(value)) return wholeNumber('The job')(value)
  throw new MemuError('usage', `The job is ${JSON.stringify(value)}; it has to be the number of a job file: 3 for jobs/3.txt.`, { exit: 2 })
}

export function addJobDone(program: Command, context: VerbContext): void {
  program
    .command('job-done')
    .description('mark a job of the run as finished')
    .argument('<number>', 'the number of the job file: 3 for jobs/3.txt', jobNumber)
    .option('--run <id>', 'the run that the job belongs to, as its text says; a run that is over is refused')
    .option(...BASE_DIR)
    .action(async (job: number, options: { run?: string; baseDir?: string }) => {
      const { markDone } = await import('../../bridging/done.ts')
      await withDeps(context, async (deps) => markDone(treeOf(directory('baseDir', options.baseDir, context), deps), job, options.run))
      context.io.out(`Job ${job} is marked as finished.\n`)
    })
}
