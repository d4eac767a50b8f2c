/** The store as the pipeline reads it: which store it is, and its files. */
import type { ListPage, MemoryBackend } from '../memory/backend.ts'
import type { RecallFile } from '../records.ts'
import { MIRRORED_TRACKS } from './mirror-files.ts'
import { keyOf, type LoadedSnapshot } from './snapshot.ts'

export interface StoredFiles {
  /** Tells one store from another; absent where the backend does not say. */
  readonly store?: string
  /** Keys (`keyOf`) of the files that somebody forgot on purpose. */
  readonly forgotten: ReadonlySet<string>
  /** Whether there is no file at all. */
  readonly isEmpty: boolean
  /** Every recall file of the scope in `memory` and `skill`, one page at a time; to be read once. */
  readonly files: AsyncIterable<RecallFile>
}

/** Reads the first page at once, the others when they are asked for. */
export async function storedFiles(
  backend: MemoryBackend,
  scope: { readonly user_id: string; readonly agent_id: string },
): Promise<StoredFiles> {
  const page = (cursor: string | null): Promise<ListPage> => backend.listAllRecallFiles({ where: scope, cursor, limit: 200 })
  const first = await page(null)
  async function* files(): AsyncGenerator<RecallFile> {
    for (let at = first; ; at = await page(at.next_cursor)) {
      for (const file of at.recall_files) if ((MIRRORED_TRACKS as readonly string[]).includes(file.track)) yield file
      if (at.next_cursor === null) return
    }
  }
  return {
    ...(first.store_id === undefined ? {} : { store: first.store_id }),
    forgotten: new Set((first.forgotten ?? []).map(keyOf)),
    isEmpty: first.recall_files.length === 0,
    files: files(),
  }
}

/**
 * Whether the mirror was written from another store than this one: a store that was moved away, replaced or begun anew. What it
 * lacks was not forgotten then, and the mirror may be the last copy. Without ids, an empty store is taken for another one.
 */
export function isOtherStore({ entries, store: before }: LoadedSnapshot, { store: now, isEmpty }: StoredFiles): boolean {
  return before !== undefined && now !== undefined ? before !== now : isEmpty && entries.size > 0
}
