/** The pipeline as a program of its own, in scratch homes: bundled once a test file, run as often as needed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'rolldown'
import { assistant, sessionId, user } from '../../hosts-unit/claude-code-lines.ts'

export interface Ended {
  readonly killed: boolean
  readonly result: unknown
}

export interface Program {
  /** For homes; removed by `end`. */
  readonly scratch: string
  /** Runs a verb in a home, killed at its `killAt`-th write. Anything but success or that kill is an error. */
  run(
    home: string,
    verb: string,
    options?: { readonly killAt?: number; readonly tree?: string; readonly sessions?: string },
  ): Promise<Ended>
  end(): void
}

export async function bundledProgram(): Promise<Program> {
  // Inside the project, so that the bundle finds the installed SQLite.
  fs.mkdirSync('node_modules/.cache', { recursive: true })
  const bundle = fs.mkdtempSync('node_modules/.cache/memu-kill-')
  const scratch = fs.mkdtempSync(join(tmpdir(), 'memu-kill-'))
  await build({
    input: join(import.meta.dirname, 'program.ts'),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    output: { dir: bundle, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  })
  return {
    scratch,
    async run(home, verb, { killAt = 0, tree = 'tree', sessions = '.claude' } = {}) {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, sessions),
        TREE: tree,
        KILL_AT: String(killAt),
        KILL_COUNT: join(home, `${tree}-writes.json`),
      }
      const hook = join(import.meta.dirname, 'kill-hook.cjs')
      const child = spawn(process.execPath, ['--require', hook, join(bundle, 'program.mjs'), verb], { env })
      const [out, err, [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      const killed = signal === 'SIGKILL'
      if (!killed && (status !== 0 || killAt > 0)) throw new Error(`${verb} ended with ${status}: ${err}`)
      return { killed, result: killed ? undefined : JSON.parse(out) }
    },
    end() {
      for (const path of [bundle, scratch]) fs.rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Appends lines to a session of Claude Code. */
export function log(home: string, session: number, lines: readonly string[], sessions = '.claude'): void {
  const directory = join(home, sessions, 'projects', '-home-u-shop')
  fs.mkdirSync(directory, { recursive: true })
  fs.appendFileSync(join(directory, `${sessionId(session)}.jsonl`), lines.map((line) => `${line}\n`).join(''))
}

/** Messages of a session by their numbers, from both sides in turn. */
export function said(session: number, ...numbers: number[]): string[] {
  return numbers.map((number) => (number % 2 === 1 ? user : assistant)(sessionId(session), number, `line ${session}.${number}`))
}
