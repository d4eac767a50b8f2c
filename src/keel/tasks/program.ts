/** Runs a task tool's program: for a list, and to add a task. No shell, nothing on its standard input, bounded in time and in what it prints. */
import { basename } from 'node:path'
import { type ProgramEnd, runProgram } from '../../util/child-process.ts'
import { reason } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import type { System } from '../../util/system.ts'
import { argvSecrets } from './argv.ts'
import { notCreated, perhapsCreated, unavailable, words } from './failures.ts'

export interface ToolProgram {
  /** For messages. */
  readonly name: string
  /** The program and what always stands before its other arguments. */
  readonly argv: readonly string[]
  /** What to do where the program is not found. */
  readonly hint: string
  readonly system: Pick<System, 'processes' | 'platform' | 'env' | 'home'>
  /** Characters of a list. Default 1 MiB. */
  readonly outputLimit?: number
  /** For tests. Milliseconds. */
  readonly timeLimits?: { readonly list: number; readonly create: number }
}

/** A program that asks a server over the network is slow to start and slow to answer; nobody waits longer for it. */
const TIME_LIMITS_MS = { list: 15_000, create: 20_000 }
const OUTPUT_LIMIT = 1024 * 1024
/** The last lines of what a program complains of say what went wrong. */
const LAST_LINES = 3

interface Ran extends ProgramEnd {
  readonly output: string
}

/** What it prints. Errors: `tasks_unavailable`, or the reason of `signal`, at once. */
export async function listWith(tool: ToolProgram, args: readonly string[], signal: AbortSignal): Promise<string> {
  const timeoutMs = (tool.timeLimits ?? TIME_LIMITS_MS).list
  const path = located(tool, (why) => unavailable(tool.name, why, { hint: tool.hint }))
  const ran = await run(tool, { path, args, timeoutMs, signal, endsAtLimit: true }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unavailable(tool.name, words(reason(error), argvSecrets(tool.argv)), { cause: error })
  })
  if (ran.timedOut || ran.code !== 0) throw unavailable(tool.name, end(tool, ran, timeoutMs))
  return ran.output
}

/**
 * What it prints after it has added a task. Errors: `task_create_failed` where it never ran or says so itself, `task_create_unknown` where it
 * was ended in the middle, by `signal` too: it may have done its work by then.
 */
export async function createWith(tool: ToolProgram, args: readonly string[], signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const timeoutMs = (tool.timeLimits ?? TIME_LIMITS_MS).create
  const path = located(tool, (why) => notCreated(tool.name, why, { hint: tool.hint }))
  const ran = await run(tool, { path, args, timeoutMs, signal, endsAtLimit: false }).catch((error: unknown) => {
    if (signal.aborted) throw perhapsCreated(tool.name, 'its program was ended in the middle', { cause: error })
    throw notCreated(tool.name, words(reason(error), argvSecrets(tool.argv)), { cause: error, hint: tool.hint })
  })
  if (ran.timedOut || ran.code === undefined) throw perhapsCreated(tool.name, end(tool, ran, timeoutMs))
  if (ran.code !== 0) throw notCreated(tool.name, end(tool, ran, timeoutMs))
  return ran.output
}

function located({ argv: [program = ''], system }: ToolProgram, failed: (why: string) => Error): string {
  if (/[/\\]/.test(program)) return program
  const path = findProgram(program, system)
  // A daemon that was started at login has a short PATH, which is the usual reason.
  if (path === undefined) throw failed(`there is no program ${words(program)} in PATH=${words(system.env.PATH ?? system.env.Path ?? '')}`)
  return path
}

interface Run {
  readonly path: string
  readonly args: readonly string[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** A list without end is none; a program that adds a task is left to do so, whatever it prints. */
  readonly endsAtLimit: boolean
}

/** Rejects as soon as `signal` aborts; the program may then take a few seconds more to end. */
function run(tool: ToolProgram, { path, args, timeoutMs, signal, endsAtLimit }: Run): Promise<Ran> {
  const limit = tool.outputLimit ?? OUTPUT_LIMIT
  const flood = new AbortController()
  const lines: string[] = []
  let size = 0
  const onLine = (line: string): void => {
    size += line.length + 1
    if (size <= limit) lines.push(line)
    else if (endsAtLimit) flood.abort(new Error('its program printed too much'))
  }
  const all = [...tool.argv.slice(1), ...args].map((word) => forInterpreter(word, path, tool.system.platform))
  const either = AbortSignal.any([signal, flood.signal])
  const environment = withoutOurs(tool.system.env)
  const running = runProgram(
    { path, args: all, cwd: tool.system.home, env: environment, input: '', timeoutMs, signal: either, onLine },
    tool.system,
  ).then((ended) => ({ ...ended, output: lines.join('\n') }))
  return settledOrAborted(running, either)
}

function settledOrAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
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

function end({ argv }: ToolProgram, { code, timedOut, errors }: Ran, timeoutMs: number): string {
  const program = basename(argv[0]!)
  const complaint = errors.trim().split('\n').slice(-LAST_LINES).join(' ')
  const said = complaint === '' ? '' : `: ${words(complaint, argvSecrets(argv))}`
  if (timedOut) return `${program} did not end within ${timeoutMs / 1000} s${said}`
  return code === undefined ? `${program} was ended from outside${said}` : `${program} ended with code ${code}${said}`
}
