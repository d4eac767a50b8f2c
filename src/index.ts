/** What a program that imports the package gets: the engine over a local store. */
export type { Embedder, EmbeddingSpace } from './embedding/embedder.ts'
export type {
  CommitPayload,
  CommitReceipt,
  ListPage,
  ListQuery,
  MemoryBackend,
  Retrieved,
  RetrievedFile,
  RetrievedResource,
  RetrievedSegment,
  RetrieveOptions,
  Scores,
} from './memory/backend.ts'
export type { LocalBackend, ReindexReport, RestoreOptions } from './memory/local.ts'
export { type OpenLocalOptions, openLocal } from './memory/open.ts'
export type { ReindexOptions } from './memory/reindex.ts'
export type { LaneOptions } from './memory/retrieve.ts'
export type { FileKey, Provenance, RecallFile, RecallFileInput, Resource, ResourceInput, Scope, Where } from './records.ts'
export type { FileVersion, StoreReport } from './store/store.ts'
export { MemuError } from './util/errors.ts'
