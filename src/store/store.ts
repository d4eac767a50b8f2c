/**
 * The store port: where memory lies. A store knows files, resources, their segments with vectors, and how to search them;
 * it knows nothing of embedding, planning or ranking, which the engine (`memory/`) does.
 */
import type { EmbeddingSpace, FileKey, Provenance, RecallFile, Resource, Scope, Where } from '../records.ts'

/** What is searched: the segments of recall files, or the captions of resources. Each is a corpus of its own in every scope. */
export type Kind = 'file' | 'resource'

export interface Store {
  readonly kind: 'sqlite' | 'postgres' | 'memory'
  /** For messages: the path or the address without its password. */
  readonly location: string

  /** What the store remembers about itself. */
  state(): Promise<StoreState>

  /** Up to `limit` files after `after` (exclusive), ordered by `(track, name, id)` in byte order. */
  list(where: Where, after: ListKey | null, limit: number): Promise<RecallFile[]>

  /** The files that were forgotten and not stored again since. Any order. */
  forgotten(where: Where): Promise<FileKey[]>

  /** The stored files among `keys`, with their segments; absent ones are left out. Any order. */
  findFiles(scope: Scope, keys: readonly FileKey[]): Promise<StoredFile[]>

  /** The stored resources among `urls`; absent ones are left out. Any order. */
  findResources(scope: Scope, urls: readonly string[]): Promise<StoredResource[]>

  /**
   * Writes the change in one transaction, all of it or nothing. `conflict` and nothing written where a revision, the space or
   * a vector that the plan relied on is no longer what it was: then plan again.
   */
  apply(change: Change): Promise<'applied' | 'conflict'>

  /** One consistent view for as long as `use` runs; a writer in another process neither waits for it nor is waited for. */
  read<T>(use: (snapshot: Snapshot) => Promise<T>): Promise<T>

  /** Every version of a file, newest first, forgets included. */
  history(scope: Scope, key: FileKey): Promise<FileVersion[]>

  /**
   * Starts to re-embed: from here on the store belongs to `space`, holds no vectors, and says `pending` until `finishReindex`.
   * Does nothing where it already belongs to that space.
   */
  startReindex(space: EmbeddingSpace): Promise<void>

  /** Up to `limit` segments without a vector, in the order of their keys after `after`. */
  withoutVector(after: number, limit: number): Promise<PendingSegment[]>

  /** Stores vectors for segments that still are what they were. `conflict` where the store has left `space` meanwhile. */
  putVectors(space: EmbeddingSpace, vectors: readonly EmbeddedSegment[]): Promise<'applied' | 'conflict'>

  /** Rebuilds the derived indexes from the plain tables, and ends `pending` where no vector is missing any more. */
  finishReindex(): Promise<void>

  /** Counts, and what an integrity check found (empty: nothing wrong). The check reads everything. */
  inspect(options?: { readonly integrity?: boolean }): Promise<StoreReport>

  /** Safe to call twice. */
  close(): Promise<void>
}

export interface StoreState {
  /** Made at random with the store and never changed: tells it from another one at the same place. Absent until a writer opens an old store. */
  readonly id?: string
  readonly schema: number
  /** Absent until the first vector is stored. */
  readonly space?: EmbeddingSpace
  /** True while a re-embedding has begun and not ended. */
  readonly pending: boolean
}

export interface PendingSegment {
  /** The store's own name of the segment, good until its file changes. */
  readonly key: number
  readonly text: string
}

export interface EmbeddedSegment extends PendingSegment {
  readonly vector: Float32Array
}

export interface ListKey extends FileKey {
  readonly id: string
}

export interface StoredFile extends RecallFile {
  /** Grows with every change; what `expected` of a change is compared with. */
  readonly revision: number
  readonly segments: readonly StoredSegment[]
}

export interface StoredResource extends Resource {
  readonly revision: number
  readonly hasVector: boolean
}

export interface StoredSegment {
  readonly text: string
  readonly hasVector: boolean
}

/** One transaction's worth of writing, decided by the engine. */
export interface Change {
  readonly scope: Scope
  readonly space: EmbeddingSpace
  readonly now: string
  readonly files: readonly FileChange[]
  readonly resources: readonly ResourceChange[]
  readonly forget: readonly { readonly key: FileKey; readonly expected: number }[]
}

export interface FileChange extends FileKey {
  /** Of a new file; a stored one keeps its own. */
  readonly id: string
  readonly description: string
  readonly content: string
  readonly provenance?: Provenance
  /** The revision that the plan saw; 0: no such file. */
  readonly expected: number
  /** `created`, `updated` and `restored` write a version; `healed` only adds vectors that were missing. */
  readonly change: 'created' | 'updated' | 'restored' | 'healed'
  /** The whole file in order, texts unique. Without a vector: the stored segment of this text keeps its own. */
  readonly segments: readonly { readonly text: string; readonly vector?: Float32Array }[]
}

export interface ResourceChange {
  readonly id: string
  readonly url: string
  readonly caption: string
  readonly track: string
  readonly expected: number
  /** Absent: the caption is unchanged and keeps its vector. */
  readonly vector?: Float32Array
}

export interface FileVersion {
  /** 1 for the first of its file; a number is never given again. */
  readonly version: number
  readonly track: string
  readonly name: string
  readonly description: string
  readonly content: string
  readonly change: 'created' | 'updated' | 'restored' | 'forgotten'
  readonly at: string
  readonly provenance?: Provenance
}

export interface Snapshot {
  readonly state: StoreState
  /** Opens the documents of one kind in all scopes that `where` matches; with `track`, those of that track alone. */
  corpus(kind: Kind, where: Where, track?: string): Promise<Corpus>
}

/**
 * Documents are numbered 0 … `size - 1` and owners (files or resources) 1 … `owners`, both within this view alone.
 * All statistics (count, length, frequency) are those of the live documents of this view.
 */
export interface Corpus {
  readonly size: number
  readonly owners: number
  readonly live: number
  /** The owner of each document; 0: no longer there, or not of the track asked for. */
  readonly owner: Uint32Array
  /** The place of each document in its owner. */
  readonly ordinal: Uint32Array

  /** BM25 of every document and of every owner as a whole. */
  text(terms: readonly string[]): Promise<TextScores>

  /** The cosine of every document to a unit vector. Those of owner 0 have any score. */
  vector(query: Float32Array): Promise<VectorScores>

  /** The exact cosine of some documents, in their order; 0 without a vector. */
  similarity(documents: readonly number[], query: Float32Array): Promise<Float32Array>

  /** The texts of some documents, in their order. */
  texts(documents: readonly number[]): Promise<string[]>

  /** The owners' records, in the order asked for. */
  files(owners: readonly number[]): Promise<RecallFile[]>
  resources(owners: readonly number[]): Promise<Resource[]>
}

export interface VectorScores {
  readonly documents: Float32Array
  /** The cosines are estimates, good for a choice of candidates alone; else they are right to two digits or better. */
  readonly coarse: boolean
}

export interface TextScores {
  readonly documents: Float32Array
  /** By owner number; index 0 is not used. */
  readonly owners: Float32Array
  /** In how many documents each of the terms occurs. */
  readonly frequency: ReadonlyMap<string, number>
}

export interface StoreReport {
  readonly kind: Store['kind']
  readonly location: string
  readonly id?: string
  readonly schema: number
  readonly space?: EmbeddingSpace
  readonly pending: boolean
  readonly files: number
  readonly segments: number
  readonly resources: number
  /** Segments and captions without a vector. */
  readonly withoutVector: number
  /** Only where it was asked for. Sentences for a person. */
  readonly problems?: readonly string[]
}
