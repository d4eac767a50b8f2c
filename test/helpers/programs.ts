/** Programs for tests that need a process of their own: bundled as the product is, so that plain Node runs them. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '../..')

/** Bundles `test/programs/<name>.ts` into a folder from where the package's dependencies resolve; returns the file to run. */
export async function program(name: string): Promise<string> {
  const bundle = await rolldown({
    input: join(ROOT, 'test/programs', `${name}.ts`),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'silent',
  })
  const file = join(ROOT, '.cache/test-programs', `${name}-${process.pid}.cjs`)
  await bundle.write({ file, format: 'cjs', codeSplitting: false })
  await bundle.close()
  process.once('exit', () => rmSync(file, { force: true }))
  return file
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** Resolves when the program has printed this. */
  printed(text: string): Promise<void>
  readonly ended: Promise<Ended>
}

export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Running {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  const listeners = new Set<() => void>()
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const listener of listeners) listener()
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const printed = (text: string) =>
    Promise.race([
      new Promise<void>((resolve) => {
        const listener = () => {
          if (stdout.includes(text)) resolve()
        }
        listeners.add(listener)
        listener()
      }),
      ended.then(({ stderr: why }) => {
        if (!stdout.includes(text)) throw new Error(`the program ended before it printed ${text}: ${why}`)
      }),
    ])
  return { child, printed, ended }
}
