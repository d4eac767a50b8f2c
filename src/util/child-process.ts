/** Runs one program to its end: text in, bounded text out, a time limit, and nothing of its process group left behind. */
import type { ChildProcess } from 'node:child_process'
import { MemuError } from './errors.ts'
import type { System } from './system.ts'

export interface ProgramRun {
  readonly path: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string
  readonly timeoutMs: number
  /** Milliseconds from asking the program to end to ending it; default 5,000. */
  readonly graceMs?: number
  /** Characters of standard output, above which the program is ended: `tooMuch` says so. Default: no bound, as lines are not kept. */
  readonly outputLimit?: number
  readonly signal: AbortSignal
  /** The program runs. */
  readonly onStart?: () => void
  /** Each whole line of standard output, as it comes. */
  readonly onLine: (line: string) => void
}

export interface ProgramEnd {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined
  readonly timedOut: boolean
  /** It wrote more than `outputLimit`; the lines until then were given out. */
  readonly tooMuch: boolean
  /** The last characters of standard error. */
  readonly errors: string
}

/** Between asking a program to end and ending it. */
const GRACE_MS = 5_000
/** After the end of the program: its last words are in the pipes by then, and only what left its group still holds them open. */
const PIPES_MS = 1_000
const ERRORS_KEPT = 4_000
/** A longer line is no report of a program; its rest is dropped. */
const LINE_LIMIT = 1_000_000

/** Errors: `program_failed` where it could not be started. Throws the signal's reason where it was aborted. */
export async function runProgram(run: ProgramRun, system: Pick<System, 'processes' | 'platform' | 'env'>): Promise<ProgramEnd> {
  run.signal.throwIfAborted()
  const { spawn } = system.processes()
  const { file, args, verbatim } = commandFor(run, system)
  const child = spawn(file, args, {
    cwd: run.cwd,
    env: { ...run.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: system.platform !== 'win32',
    windowsVerbatimArguments: verbatim,
    windowsHide: true,
  })
  let timedOut = false
  let tooMuch = false
  const stopper = stopping(child, system, run.graceMs ?? GRACE_MS)
  const timer = setTimeout(() => {
    timedOut = true
    stopper.stop()
  }, run.timeoutMs)
  const onAbort = (): void => stopper.stop()
  run.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const errors = tail(child)
    readLines(child, run.onLine, run.outputLimit ?? Number.POSITIVE_INFINITY, () => {
      tooMuch = true
      stopper.stop()
    })
    if (run.onStart !== undefined) child.once('spawn', run.onStart)
    child.stdin.on('error', () => {}) // It ended without reading its input: its exit code says why.
    child.stdin.end(run.input)
    const code = await ended(child, run.path, stopper.sweep)
    run.signal.throwIfAborted()
    return { code, timedOut, tooMuch, errors: errors() }
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', onAbort)
    stopper.sweep()
  }
}

/** A descendant in a session of its own may hold the pipes for hours: the run ends with the program, not with them. */
function ended(child: ChildProcess, path: string, sweep: () => void): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let pipes: NodeJS.Timeout | undefined
    child.once('error', (cause) => reject(new MemuError('program_failed', `cannot start ${path}: ${cause.message}`, { cause })))
    child.once('exit', () => {
      sweep()
      pipes = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
      }, PIPES_MS)
    })
    child.once('close', (code) => {
      clearTimeout(pipes)
      resolve(code ?? undefined)
    })
  })
}

function tail(child: ChildProcess): () => string {
  let kept = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    kept = (kept + text).slice(-ERRORS_KEPT)
  })
  return () => kept
}

function readLines(child: ChildProcess, onLine: (line: string) => void, limit: number, onTooMuch: () => void): void {
  let rest = ''
  let read = 0
  child.stdout
    ?.setEncoding('utf8')
    .on('data', (text: string) => {
      if (read > limit) return
      read += text.length
      if (read > limit) return onTooMuch()
      const lines = (rest + text).split('\n')
      rest = (lines.pop() ?? '').slice(0, LINE_LIMIT)
      for (const line of lines) onLine(line)
    })
    .on('close', () => {
      if (rest !== '') onLine(rest)
    })
}

/** Ends the whole group: asked first, then forced. */
function stopping(
  child: ChildProcess,
  { processes, platform }: Pick<System, 'processes' | 'platform'>,
  graceMs: number,
): { stop(): void; sweep(): void } {
  let force: NodeJS.Timeout | undefined
  const send = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return
    try {
      if (platform === 'win32') processes().spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { windowsHide: true })
      else process.kill(-child.pid, signal)
    } catch {
      // No such process group: everything has ended.
    }
  }
  return {
    stop() {
      if (force !== undefined) return
      send('SIGTERM')
      force = setTimeout(() => send('SIGKILL'), graceMs)
    },
    /** The program has ended; what it left running in its group does not outlive it. */
    sweep() {
      clearTimeout(force)
      send('SIGKILL')
    },
  }
}

/** npm installs programs on Windows as `.cmd` files, which only the command interpreter runs. */
function commandFor(
  { path, args }: Pick<ProgramRun, 'path' | 'args'>,
  { platform, env }: Pick<System, 'platform' | 'env'>,
): { readonly file: string; readonly args: readonly string[]; readonly verbatim: boolean } {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return { file: path, args, verbatim: false }
  const words = [path, ...args]
  const odd = words.find((word) => /["%!\r\n]/.test(word))
  if (odd !== undefined) {
    throw new MemuError('program_failed', `cannot start ${path}: the command interpreter would change the argument ${odd}`)
  }
  const line = words.map((word) => `"${word}"`).join(' ')
  return { file: env.ComSpec ?? env.COMSPEC ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}
