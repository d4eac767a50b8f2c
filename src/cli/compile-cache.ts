/**
 * Bytecode from one run to the next, for the verbs that run on every prompt: compiling our chunks and each of their functions anew is a
 * third of what such a run costs. Kept beside the user's other files; losing it costs milliseconds and nothing else.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { makeDirectory, writeFileAtomic } from '../util/fs.ts'

/** What is used of the module loader beyond its public types. */
interface Loader {
  /** From Node.js 22.8 on. */
  readonly enableCompileCache?: (directory: string) => unknown
  wrap(source: string): string
  readonly prototype: { _compile(this: NodeModule, source: string, filename: string): unknown }
}

/** Uses and keeps bytecode under `~/.memu/cache` for the chunks that load from here on. A home without `~/.memu` is left alone. */
export function useCompileCache(home: string): void {
  const memu = join(home, '.memu')
  if (process.env.NODE_DISABLE_COMPILE_CACHE || !existsSync(memu)) return
  const directory = join(memu, 'cache')
  const loader = process.getBuiltinModule('node:module') as unknown as Loader
  if (loader.enableCompileCache === undefined) {
    compileThrough(loader, directory)
    return
  }
  try {
    // Node.js would make it readable to everyone.
    makeDirectory(directory)
  } catch {
    return // A home that cannot be written: compiled from the source.
  }
  loader.enableCompileCache(directory)
}

/** What Node.js 22 has built in, by hand for Node.js 20, whose loader does not change any more. */
function compileThrough(loader: Loader, directory: string): void {
  const ours = dirname(fileURLToPath(import.meta.url))
  const compile = loader.prototype._compile
  loader.prototype._compile = function (source, filename) {
    if (dirname(filename) !== ours) return compile.call(this, source, filename)
    // A chunk's name holds a hash of its content.
    const path = join(directory, `${basename(filename)}-${process.version}-${process.arch}`)
    const cachedData = read(path)
    const script = new Script(loader.wrap(source), { filename, ...(cachedData === undefined ? {} : { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) process.once('exit', () => keep(path, script))
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

/** After the run, when the functions that it needed are compiled. */
function keep(path: string, script: Script): void {
  try {
    writeFileAtomic(path, script.createCachedData())
  } catch {
    // A home that cannot be written: the next run compiles again.
  }
}
