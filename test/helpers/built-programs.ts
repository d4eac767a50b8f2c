/** Our programs as users run them: bundled as for a release, started as processes of their own, in a scratch home. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import config from '../../rolldown.config.ts'

export interface Programs {
  /** The directory that holds `<program>.cjs`. */
  readonly bin: string
  run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>
  remove(): void
}

export interface RunOptions {
  readonly home: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Under `.cache` in the checkout, from where the programs find the model, the templates and what is not bundled. */
export async function buildPrograms(): Promise<Programs> {
  mkdirSync('.cache', { recursive: true })
  const directory = mkdtempSync(join('.cache', 'programs-'))
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  try {
    await bundleInto(directory)
  } catch (error) {
    remove()
    throw error
  }
  const bin = join(process.cwd(), directory, 'bin')
  return {
    bin,
    run: (program, args, options) => runProgram([join(bin, `${program}.cjs`), ...args], options),
    remove,
  }
}

async function bundleInto(directory: string): Promise<void> {
  const programs = (Array.isArray(config) ? config : [config])[0]!
  const bundle = await rolldown({ ...programs, output: undefined, input: entries() } as Parameters<typeof rolldown>[0])
  await bundle.write({ ...(programs.output as object), dir: directory })
  await bundle.close()
}

/** Runs a script with plain Node; the environment holds what is given and little else. */
export function runProgram(args: readonly string[], { home, stdin = '', env = {}, cwd = home }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { PATH = '', SystemRoot, TMPDIR } = process.env
    const base = { PATH, HOME: home, USERPROFILE: home, ...(SystemRoot ? { SystemRoot } : {}), ...(TMPDIR ? { TMPDIR } : {}) }
    const child = spawn(process.execPath, [...args], { cwd, env: { ...base, ...env } })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {}) // A program that does not read its input may be gone before it is written.
    child.stdin.end(stdin)
  })
}

function entries(): Record<string, string> {
  return Object.fromEntries(readdirSync('src/bin').map((file) => [basename(file, '.ts'), `src/bin/${file}`]))
}
