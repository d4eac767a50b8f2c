/**
 * The backend port: exactly three operations. The local engine implements it in process, the cloud client over HTTP;
 * every command, hook, server route and the bridging pipeline reaches memory through it and through nothing else.
 * No implementation ever calls a language model.
 */
import type { FileKey, RecallFile, RecallFileInput, Resource, ResourceInput, Where } from '../records.ts'

export interface MemoryBackend {
  /**
   * One page of recall files, ordered by `(track, name, id)` in byte order (UTF-8), the same in every store.
   * `next_cursor` is null on the last page; the cursor is opaque (base64url of the tuple).
   * Errors: `invalid_cursor`, `invalid_limit` (1–1000; default 50).
   */
  listAllRecallFiles(query?: ListQuery): Promise<ListPage>

  /**
   * What memory holds about `query`, best first, without vectors. One shot, no model call.
   * Any text is a valid query; a blank one is the error `empty_query`. Nothing close: empty lists and a `notice`.
   */
  progressiveRetrieve(query: string, options?: RetrieveOptions): Promise<Retrieved>

  /**
   * Writes files, resources and removals in one transaction: all of it or nothing. Idempotent: committing what is
   * stored already changes nothing. A repeated `(track, name)` or path in one payload: the last one wins.
   * Errors: `changed_meanwhile` where a file is not as `seen` says; nothing is written then.
   */
  commitResults(payload: CommitPayload): Promise<CommitReceipt>

  /** Releases files and sockets. Safe to call twice. */
  close(): Promise<void>
}

export interface ListQuery {
  readonly where?: Where
  readonly cursor?: string | null
  readonly limit?: number
}

export interface ListPage {
  readonly recall_files: readonly RecallFile[]
  readonly next_cursor: string | null
  /** On the first page: files that were forgotten and not stored again. What is neither listed nor here was never stored, or is lost. */
  readonly forgotten?: readonly FileKey[]
  /**
   * Which store answered: whoever keeps a copy of memory tells by it that this is not the one the copy was made from. Absent where
   * the store has none (an old one that nothing has written to since).
   */
  readonly store_id?: string
}

export interface RetrieveOptions {
  readonly where?: Where
  /** How many segments, files and resources at the most; default 5. */
  readonly limit?: number
  /** Only files of this track. */
  readonly track?: string
  /**
   * Where nothing shares a word with the query and nothing is at least as similar as this, the answer is empty and says so. Default: 0.2
   * where the embedded model embeds (see `LOCAL_FLOOR` in ranking.ts); none elsewhere, as providers' cosines differ; -1: none.
   */
  readonly floor?: number
}

export interface Scores {
  /** Fused, 0–1 within one answer: good for order, not for comparing answers. */
  readonly score: number
  /** Cosine similarity to the query, −1…1: absolute, so that a floor can be set. 0 where the vector lane did not run. */
  readonly similarity: number
  /** BM25 of the text lane, 0 and up: absolute. */
  readonly text_score: number
}

export interface RetrievedSegment extends Scores {
  readonly id: string
  readonly text: string
  readonly track: string
  readonly name: string
  readonly ordinal: number
}

export type RetrievedFile = RecallFile & Scores
export type RetrievedResource = Resource & Scores

export interface Retrieved {
  readonly segments: readonly RetrievedSegment[]
  readonly files: readonly RetrievedFile[]
  readonly resources: readonly RetrievedResource[]
  /** Set when the answer is partial or empty, in words for a person: for example that the text lane answered alone. */
  readonly notice?: string
}

export interface CommitPayload {
  readonly recall_files?: readonly RecallFileInput[]
  readonly resource?: readonly ResourceInput[]
  /** Files to forget: removed from search at once, kept in the history. */
  readonly forget?: readonly FileKey[]
  /** For writers that merge: what they read of the files that they replace or forget. */
  readonly seen?: readonly SeenFile[]
  readonly user?: Where
}

export interface SeenFile extends FileKey {
  /** As it was listed (times are too coarse to tell versions apart); null where there was no such file. */
  readonly version: Pick<RecallFile, 'description' | 'content'> | null
}

export interface CommitReceipt {
  readonly recall_files: readonly {
    readonly id: string
    readonly track: string
    readonly name: string
    readonly change: 'created' | 'updated' | 'unchanged'
  }[]
  readonly resources: readonly { readonly id: string; readonly url: string; readonly change: 'created' | 'updated' | 'unchanged' }[]
  readonly forgotten: readonly FileKey[]
}
