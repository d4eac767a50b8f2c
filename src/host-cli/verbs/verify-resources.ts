/** `verify-resources`: of the files that the session's agent wrote, those that exist become records to describe. */
import type { Command } from 'commander'
import { treeOf } from '../../bridging/bridging-deps.ts'
import { BASE_DIR, directory, JSON_OUTPUT, type VerbContext, withDeps } from '../verb.ts'

export function addVerifyResources(program: Command, context: VerbContext): void {
  const { io } = context
  program
    .command('verify-resources')
    .description('keep the noted files that exist, and write resources.md for the resource job')
    .option(...BASE_DIR)
    .option(...JSON_OUTPUT)
    .action(async (options: { baseDir?: string; json?: true }) => {
      const { verifyResources } = await import('../../bridging/resources.ts')
      const { treeInRun } = await import('../../bridging/executors/lent-files.ts')
      await withDeps(context, async (deps) => {
        const tree = treeInRun(treeOf(directory('baseDir', options.baseDir, context), deps), deps.system)
        const { paths, left } = verifyResources(tree)
        const rest = left === 0 ? '' : ` Left out: ${left}, which do not exist or are too many.`
        io.out(
          options.json ? `${JSON.stringify({ paths, left })}\n` : `Resources to describe in ${tree.resources}: ${paths.length}.${rest}\n`,
        )
      })
    })
}
