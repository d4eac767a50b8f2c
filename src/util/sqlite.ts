/**
 * The one file that loads SQLite: the runtime's own `node:sqlite` where it can do all that is needed (URLs: Node 22.15), else the same API
 * from `@photostructure/sqlite`, which ships prebuilt binaries. Described here is only what is used of it.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from './package-root.ts'

export type SqlValue = string | number | Uint8Array | null

export interface Statement {
  all(...params: readonly SqlValue[]): unknown[]
  /** Row by row; the statement stays open until the iterator ends or is closed. */
  iterate(...params: readonly SqlValue[]): IterableIterator<unknown>
  get(...params: readonly SqlValue[]): unknown
  run(...params: readonly SqlValue[]): unknown
  /** Whole numbers as `bigint`: else one over 2^53 is an error. */
  setReadBigInts(enabled: boolean): void
}

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export type DatabaseClass = new (path: string, options: { readonly readOnly?: boolean; readonly timeout?: number }) => Database

let loaded: DatabaseClass | undefined

export function sqliteClass(): DatabaseClass {
  loaded ??= builtin() ?? packaged()
  return loaded
}

function builtin(): DatabaseClass | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 15)) return undefined
  // Loading it prints an experimental warning on some versions; stderr belongs to the commands.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return (process.getBuiltinModule('node:sqlite') as unknown as { DatabaseSync: DatabaseClass } | undefined)?.DatabaseSync
  } finally {
    process.emitWarning = emitWarning
  }
}

const PACKAGE = '@photostructure/sqlite'

/**
 * The package's binary for this platform, where an installation puts it: the way through the package itself takes 5 ms, a tenth of what
 * a whole retrieval may take.
 */
function packaged(): DatabaseClass {
  const require = createRequire(import.meta.url)
  const load = (what: string) => (require(what) as { readonly DatabaseSync: DatabaseClass }).DatabaseSync
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = join(PACKAGE, 'prebuilds', `${process.platform}-${process.arch}`, `${PACKAGE.replace('/', '+')}.${libc}.node`)
  // Beside us in the folder that we were installed into, or below us in a checkout.
  for (const folder of [dirname(packageRoot()), join(packageRoot(), 'node_modules')]) {
    const binary = join(folder, file)
    if (!existsSync(binary)) continue
    try {
      return load(binary)
    } catch {
      break // Another libc than it seems: the package knows which binary is right.
    }
  }
  return load(PACKAGE)
}
