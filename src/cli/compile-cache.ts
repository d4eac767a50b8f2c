/**
 * Bytecode from one run to the next, for the verbs that run again and again: compiling our chunks and each of their functions anew is a
 * third of what such a run costs. Kept beside the user's other files; losing it costs milliseconds and nothing else. This module runs
 * before any other of ours and is part of each program's own file: it imports nothing of ours.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** Each has bytecode of its own, which holds the functions that it needs. The others are typed by people, who do not see a hundredth of a second. */
const VERBS: readonly (string | undefined)[] = ['retrieve', 'prepare', 'bridge']

/** What is used of the module loader beyond its public types. */
interface Loader {
  /** From Node.js 22.8 on. */
  readonly enableCompileCache?: (directory: string) => unknown
  wrap(source: string): string
  readonly prototype: { _compile(this: NodeModule, source: string, filename: string): unknown }
}

/** Uses and keeps bytecode under `~/.memu/cache` for the chunks that load from here on. A home without `~/.memu` is left alone. */
export function useCompileCache(): void {
  const memu = join(homeOrNowhere(), '.memu')
  const verb = process.argv[2]
  if (verb === undefined || !VERBS.includes(verb) || process.env.NODE_DISABLE_COMPILE_CACHE || !isAbsolute(memu) || !existsSync(memu))
    return
  const directory = join(memu, 'cache', verb)
  const loader = process.getBuiltinModule('node:module') as unknown as Loader
  if (loader.enableCompileCache === undefined) {
    compileThrough(loader, directory)
    return
  }
  try {
    // Node.js would make it readable to everyone.
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch {
    return // A home that cannot be written: compiled from the source.
  }
  loader.enableCompileCache(directory)
}

/** Relative or empty where HOME is, or where nobody knows the user. */
function homeOrNowhere(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** What Node.js 22 has built in, by hand for Node.js 20, whose loader does not change any more. */
function compileThrough(loader: Loader, directory: string): void {
  const ours = join(dirname(fileURLToPath(import.meta.url)), '..', 'chunks')
  const compile = loader.prototype._compile
  const fresh = new Map<string, Script>()
  process.once('exit', () => {
    for (const [path, script] of fresh) keep(path, script)
  })
  loader.prototype._compile = function (source, filename) {
    if (dirname(filename) !== ours) return compile.call(this, source, filename)
    // A chunk's name holds a hash of its content.
    const path = join(directory, `${basename(filename)}-${process.version}-${process.arch}`)
    const cachedData = read(path)
    const script = new Script(loader.wrap(source), { filename, ...(cachedData === undefined ? {} : { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) fresh.set(path, script)
    const evaluate = script.runInThisContext() as (...args: unknown[]) => unknown
    return evaluate.call(this.exports, this.exports, createRequire(filename), this, filename, dirname(filename))
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined // Not there, or not ours to read: compiled from the source.
  }
}

/** After the run, when the functions that it needed are compiled. A reader sees all of it or nothing: V8 does not check the content. */
function keep(path: string, script: Script): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600, flush: true })
    renameSync(temporary, path)
  } catch {
    // A home that cannot be written: the next run compiles again.
  }
}
