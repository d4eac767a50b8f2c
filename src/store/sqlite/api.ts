/**
 * The one file that loads SQLite: the runtime's own `node:sqlite` where it is stable enough (Node 22.13), else the same API
 * from `@photostructure/sqlite`, which ships prebuilt binaries. Described here is only what the driver uses of it.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type SqlValue = string | number | Uint8Array | null

export interface Statement {
  all(...params: readonly SqlValue[]): unknown[]
  get(...params: readonly SqlValue[]): unknown
  run(...params: readonly SqlValue[]): unknown
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
  if (major < 22 || (major === 22 && minor < 13)) return undefined
  // Loading it prints an experimental warning on some versions; stderr belongs to the commands.
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return (process.getBuiltinModule('node:sqlite') as unknown as { DatabaseSync: DatabaseClass } | undefined)?.DatabaseSync
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The package's binary for this platform, without the package's own way to it, which takes 3 ms: a tenth of what a retrieval may take. */
function packaged(): DatabaseClass {
  const require = createRequire(import.meta.url)
  const name = '@photostructure/sqlite'
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = join('prebuilds', `${process.platform}-${process.arch}`, `${name.replace('/', '+')}.${libc}.node`)
  try {
    return (require(join(dirname(require.resolve(`${name}/package.json`)), file)) as { DatabaseSync: DatabaseClass }).DatabaseSync
  } catch {
    // Compiled on this machine, or laid out otherwise: the package knows where its binary is.
    return (require(name) as { DatabaseSync: DatabaseClass }).DatabaseSync
  }
}
