/**
 * The records that travel between the engine, the stores, the programs and the wire: plain data, no behaviour.
 * Field names are those of the wire format (snake_case), so that a local answer and a server's answer are the same JSON.
 */

/** Who a memory belongs to. An absent part is the empty string inside the engine, and `default` on the wire to a server. */
export interface Scope {
  readonly user_id: string
  readonly agent_id: string
}

/** A filter on scope. An absent field matches every value. */
export interface Where {
  readonly user_id?: string
  readonly agent_id?: string
}

/** `memory` and `skill` are mined from sessions; `workspace` holds committed resources. Other tracks are allowed. */
export type Track = string

/** Where a version of a file came from. Every field may be absent: a person's `memu commit` has none of them. */
export interface Provenance {
  /** The host that wrote the version. */
  readonly host?: string
  /** All hosts whose sessions are in the file, the one that wrote last at the end; absent in what older versions of memU stored. */
  readonly hosts?: readonly string[]
  /** Ids of the sessions whose jobs produced the version, as the host names them. */
  readonly sessions?: readonly string[]
  /** Absolute working directories of those sessions. */
  readonly projects?: readonly string[]
  /** ISO time of the first and the last mined record. */
  readonly from?: string
  readonly to?: string
  /** The version came without a run: somebody edited the file. The other fields are then those of the versions before it. */
  readonly by_hand?: true
}

/** One markdown memory document; identity is `(track, name)` within a scope. */
export interface RecallFile extends Scope {
  readonly id: string
  readonly track: Track
  readonly name: string
  readonly description: string
  readonly content: string
  /** UTC ISO 8601 with milliseconds. Survives updates. */
  readonly created_at: string
  readonly updated_at: string
  readonly provenance?: Provenance
}

/** What a caller commits; `(track, name)` decides whether it creates or replaces. */
export interface RecallFileInput {
  readonly track?: Track
  readonly name: string
  readonly description?: string
  readonly content: string
  readonly provenance?: Provenance
}

/** A file on the user's machine with a short caption; identity is its path (`url`). */
export interface Resource extends Scope {
  readonly id: string
  readonly url: string
  readonly caption: string
  readonly track: Track
  readonly created_at: string
  readonly updated_at: string
}

export interface ResourceInput {
  readonly url: string
  readonly caption: string
}

/** The unit that is embedded and searched. `ordinal` is its place in the file, counted from 0. */
export interface Segment {
  readonly id: string
  readonly file_id: string
  readonly ordinal: number
  readonly text: string
}

/** Names one recall file. */
export interface FileKey {
  readonly track: Track
  readonly name: string
}

/** The identity of an embedder, which a store remembers: vectors of different spaces are never compared. */
export interface EmbeddingSpace {
  /** `local`, `openai`, `jina`, … */
  readonly provider: string
  /** The model's name; for `local` it ends in the first 12 hex digits of the table's SHA-256. */
  readonly model: string
  readonly dimensions: number
}

/** Two spaces are the same when all fields are equal. */
export function sameSpace(a: EmbeddingSpace, b: EmbeddingSpace): boolean {
  return a.provider === b.provider && a.model === b.model && a.dimensions === b.dimensions
}
