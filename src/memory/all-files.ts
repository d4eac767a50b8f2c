/** Follows the pages of a listing, for whoever needs the whole store. */
import type { RecallFile, Where } from '../records.ts'
import type { ListPage, MemoryBackend } from './backend.ts'

/** Files in one page: fewer questions than the default, and still little memory. */
const PAGE = 200

/** Every recall file that `where` matches, in the order of the listing, one page in memory at a time. */
export async function* allFiles(backend: Pick<MemoryBackend, 'listAllRecallFiles'>, where: Where = {}): AsyncGenerator<RecallFile> {
  let cursor: string | null = null
  do {
    const page: ListPage = await backend.listAllRecallFiles({ where, cursor, limit: PAGE })
    yield* page.recall_files
    cursor = page.next_cursor
  } while (cursor !== null)
}
