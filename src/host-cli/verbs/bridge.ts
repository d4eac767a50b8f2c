/** `bridge`: the whole cycle in one command: prepare, an executor that does the jobs, commit. */
import { type Command, Option } from 'commander'
import { EXECUTOR_CHOICES } from '../../bridging/executors/open.ts'
import { wholeNumber } from '../../cli/program.ts'
import { loadSettings } from '../../config/load.ts'
import { printable } from '../../util/printable.ts'
import { bridgeText } from '../bridge-text.ts'
import { refuseKnownLog } from '../known-log.ts'
import { BASE_DIR, directory, JSON_OUTPUT, SESSION_DIR, tell, type VerbContext, withDeps } from '../verb.ts'

interface BridgeFlags {
  readonly executor: string
  readonly sessionDir?: string
  readonly baseDir?: string
  readonly maxJobs?: number
  readonly timeout?: number
  readonly redact: boolean
  readonly json?: true
}

export function addBridge(program: Command, context: VerbContext): void {
  const { io, spec, exit } = context
  program
    .command('bridge')
    .description(`learn from what is new in the sessions of ${spec.title}`)
    .addOption(new Option('--executor <name>', 'who does the jobs').choices(EXECUTOR_CHOICES).default('auto'))
    .option('--max-jobs <n>', 'sessions a run at the most (default 10)', wholeNumber('--max-jobs'))
    .option('--timeout <minutes>', 'how long the host’s own program may work', wholeNumber('--timeout'))
    .option(...SESSION_DIR)
    .option(...BASE_DIR)
    .option('--no-redact', 'leave secrets where they are: the model sees them, and they may be stored')
    .option(...JSON_OUTPUT)
    .addHelpText('after', executorHelp(spec.headless?.program))
    .action(async (flags: BridgeFlags) => {
      const { bridge, bridgeExit, bridgeProblems } = await import('../../bridging/bridge.ts')
      const { value } = loadSettings(io.system)
      const options = {
        executor: flags.executor,
        ...directory('sessionDir', flags.sessionDir, context),
        ...directory('baseDir', flags.baseDir, context),
        ...(flags.maxJobs === undefined ? {} : { maxJobs: flags.maxJobs }),
        ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 60_000 }),
        redact: flags.redact,
        signal: io.signal(),
      }
      await refuseKnownLog('bridge', options.sessionDir, context)
      const report = await withDeps(context, (deps) => bridge(options, { ...deps, value }))
      io.out(flags.json ? `${JSON.stringify(report)}\n` : bridgeText(report, io.terminal()))
      tell(io, { notices: report.notices, problems: bridgeProblems(report) })
      if (report.outcome === 'failed' && !flags.json)
        io.err(
          `error: ${printable(report.reason ?? 'The run failed.')}\n  What was finished is kept; the rest comes again in the next run.\n`,
        )
      exit(bridgeExit(report))
    })
}

function executorHelp(program: string | undefined): string {
  const own = program === undefined ? '' : `\n  host      ${program}, without a person: the best memory, at the price of its model`
  return `
Executors:
  auto      host where its program is installed, else builtin${own}
  builtin   rules alone: no model, offline, free; learns what is said plainly
  openai    an OpenAI-compatible endpoint: MEMU_EXECUTOR_BASE_URL, MEMU_EXECUTOR_MODEL, MEMU_EXECUTOR_API_KEY
  ollama    a local model: MEMU_EXECUTOR_MODEL

Of two runs at once one works; the other says so and exits with 0.`
}
