/** `commit`: what the agent wrote goes into the store. */
import type { Command } from 'commander'
import type { CommitReport } from '../../bridging/commit.ts'
import { countsText } from '../../bridging/rule-counts.ts'
import { printable } from '../../util/printable.ts'
import { BASE_DIR, directory, JSON_OUTPUT, tell, type VerbContext, withDeps } from '../verb.ts'

export function addCommit(program: Command, context: VerbContext): void {
  const { io, exit } = context
  program
    .command('commit')
    .description('put what changed under memory/ and skill/ into the store')
    .option(...BASE_DIR)
    .option('--force', 'forget every file that was deleted, whatever their number')
    .option('--no-redact', 'leave secrets in what is stored: every agent that recalls it sees them')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nA session is finished when its jobs are marked (job-done); unfinished ones are offered again by the next prepare. Where no job at all is\nmarked but memory files changed, all count as finished. Nothing moves before the store has accepted it.',
    )
    .action(async (options: { baseDir?: string; force?: true; redact: boolean; json?: true }) => {
      const { commit, commitExit } = await import('../../bridging/commit.ts')
      const report = await withDeps(context, (deps) =>
        commit({ ...directory('baseDir', options.baseDir, context), force: options.force === true, redact: options.redact }, deps),
      )
      if (options.json) io.out(`${JSON.stringify(report)}\n`)
      else io.out(commitText(report))
      tell(io, report)
      exit(commitExit(report))
    })
}

/** One line for what happened, and one for each thing that needs a person. */
export function commitText(report: CommitReport): string {
  const counts = (['created', 'updated', 'forgotten'] as const).flatMap((key) =>
    report[key].length === 0 ? [] : [`${report[key].length} ${key}`],
  )
  const resources = report.resources === 0 ? [] : [`${report.resources} resources`]
  const done = report.advanced.length - report.continued
  const sessions = done === 0 ? '' : ` Sessions done: ${done}.`
  const continued = report.continued === 0 ? '' : ` Sessions that go on in a later run: ${report.continued}.`
  const waiting = report.unfinished === 0 ? '' : ` Sessions left for the next run: ${report.unfinished}.`
  const files = [...counts, ...resources].join(', ') || 'nothing new'
  const merged = report.merged.map(({ track, name }) => `  merged with the store's own changes: ${printable(`${track}/${name}`)}\n`)
  const refused = report.refused.map(({ track, name, reason }) => `  kept: ${printable(`${track}/${name}`)} (${printable(reason)})\n`)
  const removed = countsText(report.redacted)
  const secrets = removed === '' ? '' : `  secrets kept out of the store: ${removed}\n`
  return `Committed: ${files}.${sessions}${continued}${waiting}\n${secrets}${merged.join('')}${refused.join('')}`
}
