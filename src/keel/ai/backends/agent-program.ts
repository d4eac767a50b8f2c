/** Runs an agent program for one answer: in an empty folder of its own, with the prompt on standard input, and bounded in time and output. */
import { mkdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type ProgramEnd, runProgram } from '../../../util/child-process.ts'
import { MemuError, reason } from '../../../util/errors.ts'
import { findProgram } from '../../../util/find-program.ts'
import { redact } from '../../../util/redact.ts'
import type { System } from '../../../util/system.ts'
import { newTemporaryFolder } from '../../../util/temporary-folder.ts'
import { oneLine, shortened } from '../proposal.ts'
import { TIME_LIMIT_MS } from '../service.ts'
import { AI_KEYS } from '../settings.ts'
import { agentEnvironment } from './agent-environment.ts'

export interface AgentProgram {
  /** `claude` */
  readonly name: string
  /** `Claude Code` */
  readonly title: string
  /** A name on PATH or an absolute path. */
  readonly program: string
  readonly system: System
  readonly env?: Readonly<Record<string, string>>
}

/** Where a run works: `work` is empty and its working directory; `files` is for what we give it and it gives us. */
export interface AgentFolders {
  readonly work: string
  readonly files: string
}

export interface AgentRun {
  readonly cwd: string
  readonly input: string
  readonly signal: AbortSignal
  /** The program runs, and gets its input. */
  readonly onSent?: (() => void) | undefined
}

export interface AgentAnswer extends ProgramEnd {
  readonly output: string
}

/** Characters. A proposal has a thousand, and what agents write around it a few more. */
const OUTPUT_LIMIT = 1024 * 1024
/** After a cancel: a daemon that stops waits two seconds for what it started. */
const GRACE_MS = 1_000

/** Gives `work` its folders and takes them away afterwards. Both are private to the user. */
export async function inAgentFolders<Result>(work: (folders: AgentFolders) => Promise<Result>): Promise<Result> {
  // The real path: agents compare their working directory with it.
  const base = newTemporaryFolder('keel-ai-')
  try {
    const folders = { work: join(base.path, 'work'), files: join(base.path, 'files') }
    for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 })
    return await work(folders)
  } finally {
    base.remove()
  }
}

/**
 * Errors: `ai_unavailable` where the program is not there or cannot be started, `ai_timeout`, `ai_failed` where it writes without end.
 * Any exit code is an answer: what it means is the caller's business.
 */
export async function runAgent(
  agent: AgentProgram,
  args: readonly string[],
  { cwd, input, signal, onSent }: AgentRun,
): Promise<AgentAnswer> {
  const lines: string[] = []
  const end = await start(agent, {
    path: locate(agent),
    args,
    cwd,
    env: agentEnvironment(agent.system.env, agent.env),
    input,
    timeoutMs: TIME_LIMIT_MS,
    graceMs: GRACE_MS,
    outputLimit: OUTPUT_LIMIT,
    signal,
    ...(onSent === undefined ? {} : { onStart: onSent }),
    onLine: (line) => lines.push(line),
  })
  if (end.timedOut) throw new MemuError('ai_timeout', `${agent.title} gave no answer within ${TIME_LIMIT_MS / 1000} s.`)
  if (end.tooMuch) throw new MemuError('ai_failed', `${agent.title} wrote more than ${OUTPUT_LIMIT >> 20} MiB and was stopped.`)
  return { ...end, output: lines.join('\n') }
}

async function start({ title, system }: AgentProgram, run: Parameters<typeof runProgram>[0]): Promise<ProgramEnd> {
  try {
    return await runProgram(run, system)
  } catch (error) {
    run.signal.throwIfAborted()
    throw new MemuError('ai_unavailable', `${title} could not be started: ${reason(error)}`, { cause: error })
  }
}

/** The file to run. Errors: `ai_unavailable`, with the places that were searched. */
function locate({ title, program, system }: AgentProgram): string {
  const found = findProgram(program, system)
  if (found !== undefined) return found
  const where = isAbsolute(program) ? '' : ` (PATH=${system.env.PATH ?? system.env.Path ?? ''})`
  throw new MemuError('ai_unavailable', `${program} was not found${where}.`, {
    hint: `Install ${title}, or set ${AI_KEYS.program} to the whole path of the program: services that start at login have a short PATH.`,
  })
}

/** How a program without an answer ended, and its last words. `prompt` is what it may repeat and nobody shall read in a log. */
export function howItEnded({ code, errors }: ProgramEnd, prompt: string, { env }: Pick<System, 'env'>): string {
  const asked = oneLine(prompt)
  const last = errors
    .split('\n')
    .map((line) => spoken(line, { env }))
    .findLast((line) => line !== '' && !asked.includes(line))
  const how = code === undefined ? 'was ended by a signal' : `ended with code ${code}`
  return last === undefined ? how : `${how}: ${last}`
}

/** An argument that the program does not know: what it would leave on is not left on, so that it is not tried without. */
export function tooOld({ title }: AgentProgram, { errors }: ProgramEnd): MemuError | undefined {
  const option = /(?:unknown option|unexpected argument) '?(--?[\w-]+)/i.exec(errors)?.[1]
  if (option === undefined) return undefined
  return new MemuError('ai_unavailable', `${title} does not know ${option}: this version is too old.`, { hint: `Update ${title}.` })
}

/** Words of a program, for a person: one short line without colours, and without the keys that it has from the environment. */
export function spoken(words: string, { env }: Pick<System, 'env'>): string {
  const secrets = Object.entries(env).flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : []))
  return shortened(oneLine(redact(words.slice(0, 4_000).replace(/\u001b\[[0-9;]*[A-Za-z]/g, ''), secrets)), 300)
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD/i
