/** From the address of a store (`MEMU_DB`) to the store: the only place that knows which kinds there are. */
import { resolve } from 'node:path'
import { MemuError } from '../util/errors.ts'
import { expandHome, requireHome } from '../util/home.ts'
import type { System } from '../util/system.ts'
import type { OpenOptions } from './sqlite/open.ts'
import type { Store } from './store.ts'

/**
 * A path, `~/…`, `sqlite:///…` (three slashes: relative; four: absolute) or `:memory:`. `undefined` where a store is to be read that
 * does not exist yet. Errors: those of the store (`store_newer`, `store_corrupt`, …), `store_unsupported`; `no_home`
 * (exit 2).
 */
export async function openStore(address: string, system: System, options: OpenOptions = {}): Promise<Store | undefined> {
  if (address === ':memory:' || address === 'sqlite://' || address === 'sqlite:///:memory:') {
    const { memoryStore } = await import('./memory-store.ts')
    return memoryStore()
  }
  if (/^postgres(ql)?:/.test(address)) {
    throw new MemuError('store_unsupported', 'MEMU_DB names a Postgres database, which this version does not open yet.', {
      hint: 'Set MEMU_DB to a file, for example ~/.memu/memory.db',
      exit: 2,
    })
  }
  const { openSqlite } = await import('./sqlite/open.ts')
  const path = storePath(address, system)
  if (!options.readOnly) requireHome(system.home, path)
  return openSqlite(path, options)
}

/** The file that an address names. */
export function storePath(address: string, system: System): string {
  const path = address.startsWith('sqlite:///') ? address.slice('sqlite:///'.length) : address
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(path)
  if (scheme !== null) {
    throw new MemuError('store_unsupported', `MEMU_DB names a store of an unknown kind, ${scheme[1]}.`, {
      hint: 'Use a path, sqlite:///path or :memory:',
      exit: 2,
    })
  }
  return resolve(system.cwd, expandHome(path, system.home))
}
