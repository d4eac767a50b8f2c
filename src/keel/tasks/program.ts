/** Runs a task tool's program: for a list, and to add a task. No shell, nothing on its standard input, bounded in time and in what it prints. */
import { basename } from 'node:path'
import { type ProgramEnd, runProgram } from '../../util/child-process.ts'
import { reason, systemCode } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import type { System } from '../../util/system.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { argvSecrets } from './argv.ts'
import { notCreated, perhapsCreated, toolWords, unavailable } from './failures.ts'

export interface ToolProgram {
  /** For messages. */
  readonly name: string
  /** The program and what always stands before its other arguments. */
  readonly argv: readonly string[]
  /** What to do where the program is not found. */
  readonly hint: string
  readonly system: Pick<System, 'processes' | 'platform' | 'env' | 'home'>
  /** Characters that it may print. Default 1 MiB. */
  readonly outputLimit?: number
  /** For tests. Milliseconds. */
  readonly timeLimits?: { readonly list: number; readonly create: number }
}

/** A program that asks a server over the network is slow to start and slow to answer; nobody waits longer for it. */
const TIME_LIMITS_MS = { list: 15_000, create: 20_000 }
const OUTPUT_LIMIT = 1024 * 1024
/** After a list: nobody waits for a program that only prints. One that adds a task has the usual time to come to its end. */
const GRACE_MS = 1_000
/** Above it a shell says by which signal the program was ended that it ran; Windows says so with far greater numbers. */
const LAST_OWN_CODE = 128
/** The last lines of what a program complains of say what went wrong. */
const LAST_LINES = 3

interface Ran extends ProgramEnd {
  readonly output: string
}

/** What it prints. Errors: `tasks_unavailable`, or the reason of `signal`, at once. */
export async function listWith(tool: ToolProgram, args: readonly string[], signal: AbortSignal): Promise<string> {
  const timeoutMs = (tool.timeLimits ?? TIME_LIMITS_MS).list
  const path = located(tool, (why) => unavailable(tool.name, why, { hint: tool.hint }))
  const ran = await run(tool, { path, args, timeoutMs, signal, graceMs: GRACE_MS }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unavailable(tool.name, toolWords(reason(error), argvSecrets(tool.argv)), { cause: error, hint: startHint(tool, error) })
  })
  if (ran.timedOut || ran.tooMuch || ran.code !== 0) throw unavailable(tool.name, howItEnded(tool, ran, timeoutMs))
  return ran.output
}

/**
 * What it prints after it has added a task. Errors: `task_create_failed` where it never ran or says so itself, `task_create_unknown` where it,
 * or a program that it ran, was ended in the middle, by `signal` and for what it printed too: it may have done its work by then.
 */
export async function createWith(tool: ToolProgram, args: readonly string[], signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const timeoutMs = (tool.timeLimits ?? TIME_LIMITS_MS).create
  const path = located(tool, (why) => notCreated(tool.name, why, { hint: tool.hint }))
  const ran = await run(tool, { path, args, timeoutMs, signal }).catch((error: unknown) => {
    if (signal.aborted) throw perhapsCreated(tool.name, 'its program was ended in the middle', { cause: error })
    throw notCreated(tool.name, toolWords(reason(error), argvSecrets(tool.argv)), { cause: error, hint: startHint(tool, error) })
  })
  if (ran.timedOut || ran.tooMuch || ran.code === undefined || ran.code > LAST_OWN_CODE)
    throw perhapsCreated(tool.name, howItEnded(tool, ran, timeoutMs))
  if (ran.code !== 0) throw notCreated(tool.name, howItEnded(tool, ran, timeoutMs))
  return ran.output
}

function startHint({ hint, argv: [program = ''] }: ToolProgram, error: unknown): string {
  return systemCode(error instanceof Error ? error.cause : error) === 'EACCES' ? `Make it a program: chmod +x ${toolWords(program)}` : hint
}

function located({ argv: [program = ''], system }: ToolProgram, failed: (why: string) => Error): string {
  if (/[/\\]/.test(program)) return program
  const path = findProgram(program, system)
  // A daemon that was started at login has a short PATH, which is the usual reason.
  if (path === undefined)
    throw failed(`there is no program ${toolWords(program)} (PATH=${toolWords(system.env.PATH ?? system.env.Path ?? '')})`)
  return path
}

interface Run {
  readonly path: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** As in `ProgramRun`. */
  readonly graceMs?: number
}

/** Rejects as soon as `signal` aborts; the program may then take a few seconds more to end. */
async function run(tool: ToolProgram, { args, ...given }: Run): Promise<Ran> {
  const { signal, path } = given
  signal.throwIfAborted()
  const lines: string[] = []
  const running = runProgram(
    {
      ...given,
      args: [...tool.argv.slice(1), ...args].map((word) => forInterpreter(word, path, tool.system.platform)),
      cwd: tool.system.home,
      env: withoutOurs(tool.system.env),
      input: '',
      outputLimit: tool.outputLimit ?? OUTPUT_LIMIT,
      onLine: (line) => lines.push(line),
    },
    tool.system,
  )
  const ended = await untilAborted(running, signal, undefined)
  if (ended === undefined) throw signal.reason
  return { ...ended, output: lines.join('\n') }
}

/** Keel's own settings hold keys for other services, which no task tool needs. */
function withoutOurs(env: System['env']): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(given.filter(([name]) => !name.startsWith('KEEL_')))
}

/** The command interpreter of Windows, through which alone `.cmd` files run, would change these characters: their likes stand for them. */
function forInterpreter(word: string, path: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return word
  return word.replaceAll('"', "'").replaceAll('%', '％').replaceAll('!', '！')
}

function howItEnded({ argv }: ToolProgram, { code, timedOut, tooMuch, errors }: Ran, timeoutMs: number): string {
  const program = basename(argv[0]!)
  if (tooMuch) return `${program} printed too much, and was ended`
  const complaint = errors.trim().split('\n').slice(-LAST_LINES).join(' ')
  const said = complaint === '' ? '' : `: ${toolWords(complaint, argvSecrets(argv))}`
  if (timedOut) return `${program} did not end within ${timeoutMs / 1000} s${said}`
  return code === undefined ? `${program} was ended from outside${said}` : `${program} ended with code ${code}${said}`
}
