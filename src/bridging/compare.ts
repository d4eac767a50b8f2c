/** What a commit has to bring to the store: what changed on disk since both agreed, or everything where it is another store. */
import { type BridgingDeps, scopeOf } from './bridging-deps.ts'
import { findChanges, type MirrorChanges } from './changes.ts'
import type { Layout } from './layout.ts'
import { loadSnapshot, type Snapshot } from './snapshot.ts'
import { isOtherStore, storedFiles } from './stored-files.ts'

export interface Compared {
  readonly snapshot: Snapshot
  /** Of the store that the snapshot is compared with. */
  readonly store?: string
  readonly changes: MirrorChanges
  /** The store is not the one that the mirror was written from: everything in it counts as changed. */
  readonly isOther: boolean
  readonly notices: readonly string[]
}

/**
 * What changed in the mirror. Over another store than the one it was written from, everything counts as changed: the mirror may be
 * the last copy. `look` asks the store even where no file has changed, which costs opening it.
 */
export async function compare(tree: Layout, look: boolean, deps: BridgingDeps): Promise<Compared> {
  const loaded = loadSnapshot(tree)
  const notices = loaded.notice === undefined ? [] : [loaded.notice]
  const changes = findChanges(tree, loaded.entries)
  const before = {
    snapshot: loaded.entries,
    changes,
    notices,
    isOther: false,
    ...(loaded.store === undefined ? {} : { store: loaded.store }),
  }
  const isAsked = changes.changed.length + changes.deleted.length > 0 || (look && loaded.entries.size > 0)
  if (!isAsked) return before
  const stored = await storedFiles(await deps.backend(), scopeOf(deps))
  const store = stored.store === undefined ? {} : { store: stored.store }
  if (!isOtherStore(loaded, stored)) return { ...before, ...store }
  const other = `The store is another one than at the last run: all memory files under ${tree.base} were put into it.`
  return { snapshot: new Map(), changes: findChanges(tree, new Map()), isOther: true, notices: [...notices, other], ...store }
}
