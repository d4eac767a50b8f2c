/** `prepare`: what is new in the host's sessions becomes slices and jobs for an agent. */
import type { Command } from 'commander'
import { type HostCommand, hostCommand } from '../../bridging/jobs.ts'
import { type PrepareReport, prepareExit } from '../../bridging/prepare-report.ts'
import { countsText } from '../../bridging/rule-counts.ts'
import { wholeNumber } from '../../cli/program.ts'
import { refuseForeignLog } from '../../hosts/wrong-host.ts'
import { printable } from '../../util/printable.ts'
import { refuseKnownLog } from '../known-log.ts'
import { BASE_DIR, directory, JSON_OUTPUT, SESSION_DIR, tell, type VerbContext, withDeps } from '../verb.ts'

interface PrepareFlags {
  readonly sessionDir?: string
  readonly baseDir?: string
  readonly maxJobs?: number
  readonly strict?: true
  readonly redact: boolean
  readonly json?: true
}

export function addPrepare(program: Command, context: VerbContext): void {
  const { io, spec, exit } = context
  program
    .command('prepare')
    .description(`find what is new in the sessions of ${spec.title}, and write the jobs`)
    .option(...SESSION_DIR)
    .option(...BASE_DIR)
    .option('--max-jobs <n>', 'sessions a run at the most (default 10); the others wait for the next one', wholeNumber('--max-jobs'))
    .option('--no-redact', 'leave secrets where they are: the model that reads the sessions sees them')
    .option('--strict', 'exit with 1 where a record could not be read')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nNothing moves until commit has put what was learned into the store: preparing twice loses nothing. The second time\nmakes a new run with jobs of its own, and those of the first one are over.',
    )
    .action(async (flags: PrepareFlags) => {
      const { prepare } = await import('../../bridging/prepare.ts')
      const options = {
        ...directory('sessionDir', flags.sessionDir, context),
        ...directory('baseDir', flags.baseDir, context),
        ...(flags.maxJobs === undefined ? {} : { maxJobs: flags.maxJobs }),
        redact: flags.redact,
        signal: io.signal(),
      }
      refuseForeignLog('prepare', spec, options.sessionDir)
      await refuseKnownLog('prepare', options.sessionDir, context)
      const report = await withDeps(context, (deps) => prepare(options, deps))
      io.out(
        flags.json ? `${JSON.stringify(report)}\n` : prepareText(report, hostCommand(spec.binary, options.baseDir, io.system.platform)),
      )
      tell(io, report)
      exit(prepareExit(report, flags.strict === true))
    })
}

/** What was found and what to do with it; read by people and by the agent that does the jobs. */
export function prepareText(report: PrepareReport, { binary, suffix }: HostCommand): string {
  const { sessions, jobs, skipped, waiting, bad, redacted, mirror, self } = report
  const lines = [
    sessions.length === 0 ? 'No session has anything new: no jobs.' : `Sessions with something new: ${sessions.length}.`,
    ...sessions.map((session) => `  ${session.number}. ${sessionText(session)}`),
    ...(waiting === 0 ? [] : [`Waiting for the next run: ${waiting}.`]),
    passedOver(skipped),
    ...bad.map(badText),
    redactedText(redacted),
    ...(mirror === undefined ? [] : [`Memory files beside it: ${mirror.files}.`]),
    ...(self === undefined ? [] : [`This session, ${printable(self.id)}, is not mined. To undo that: ${self.undo}`]),
    ...(jobs.length === 0 ? [] : [`Jobs, to be done in order, each then marked with the command at its end:`]),
    ...jobs.map((job) => `  ${job.path}`),
    ...(jobs.length === 0 ? [] : [`Then: ${binary} commit${suffix}`]),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

export function badText({ path, session, count, firstOffset, firstRecord, reason }: PrepareReport['bad'][number]): string {
  const first =
    firstOffset !== undefined
      ? `, the first at byte ${firstOffset}`
      : firstRecord === undefined
        ? ''
        : `, the first is record ${firstRecord}`
  const why = reason === undefined ? '' : ` (${reason})`
  return printable(`Records skipped in the session ${session} of ${path}: ${count}${first}${why}.`)
}

/** Of slices and of memory files; empty where nothing was removed. */
export function redactedText(redacted: PrepareReport['redacted']): string {
  const counts = countsText(redacted)
  return counts === '' ? '' : `Secrets removed: ${counts}.`
}

function sessionText({ id, title, project, messages, tools, from, to, left_out, continues }: PrepareReport['sessions'][number]): string {
  const where = project === undefined ? '' : ` in ${project}`
  const when =
    from === undefined
      ? ''
      : `, ${from.slice(0, 10)}${to === undefined || to.slice(0, 10) === from.slice(0, 10) ? '' : ` to ${to.slice(0, 10)}`}`
  const cut = left_out === undefined ? '' : `, ${cutText(left_out)} left out`
  const more = continues ? '; the rest of it waits for the next run' : ''
  return printable(`${title ?? id}${where}${when}: ${messages} messages, ${tools} tool records${cut}${more}`)
}

function cutText({ images, characters }: NonNullable<PrepareReport['sessions'][number]['left_out']>): string {
  const parts = [
    ...(images === 0 ? [] : [`${images} ${images === 1 ? 'picture' : 'pictures'}`]),
    ...(characters === 0 ? [] : [`${Math.ceil(characters / 1000)} kB of data and long texts`]),
  ]
  return parts.join(', ')
}

function passedOver(skipped: PrepareReport['skipped']): string {
  const words = { unchanged: 'unchanged', self: 'our own', internal: 'the host’s own', nothingToMine: 'without conversation' } as const
  const parts = (Object.keys(words) as (keyof typeof words)[]).flatMap((key) =>
    skipped[key] === 0 ? [] : [`${skipped[key]} ${words[key]}`],
  )
  return parts.length === 0 ? '' : `Passed over: ${parts.join(', ')}.`
}
