/** The first schema. See "Data" in docs/architecture.md; keys are explained in store/chunk.ts. */
import type { Dialect } from '../driver.ts'

export function initial({ integer, blob, text, clustered }: Dialect): string[] {
  return [
    // One row for each scope and kind. The counters hand out owner numbers and slots; `dead` counts slots given up since the last rewrite.
    `create table corpora (
      id ${integer} primary key, kind ${text} not null, user_id ${text} not null, agent_id ${text} not null,
      next_owner ${integer} not null, next_slot ${integer} not null, dead ${integer} not null,
      unique (kind, user_id, agent_id))`,

    `create table files (
      key ${integer} primary key, corpus ${integer} not null references corpora (id), id ${text} not null unique,
      track ${text} not null, name ${text} not null, revision ${integer} not null,
      created_at ${text} not null, updated_at ${text} not null, provenance ${text},
      description ${text} not null, content ${text} not null,
      unique (corpus, track, name))`,

    `create table resources (
      key ${integer} primary key, corpus ${integer} not null references corpora (id), id ${text} not null unique,
      url ${text} not null, track ${text} not null, revision ${integer} not null,
      created_at ${text} not null, updated_at ${text} not null, caption ${text} not null,
      unique (corpus, url))`,

    // A caption is the one segment of its resource. `owner` is the key of a file or of a resource.
    `create table segments (
      key ${integer} primary key, owner ${integer} not null, ordinal ${integer} not null, text ${text} not null)`,
    `create index segments_owner on segments (owner)`,
    // 32-bit floats, little-endian. Apart from the segments, so that reading texts does not read vectors.
    `create table vectors (key ${integer} primary key, vector ${blob} not null)`,

    `create table versions (
      corpus ${integer} not null references corpora (id), track ${text} not null, name ${text} not null, number ${integer} not null,
      change ${text} not null, at ${text} not null, provenance ${text}, description ${text} not null, content ${text} not null,
      primary key (corpus, track, name, number))`,
    // What was forgotten, so that it is not learned again from old logs. An empty text stands for the whole file.
    `create table tombstones (
      corpus ${integer} not null references corpora (id), track ${text} not null, name ${text} not null, text ${text} not null,
      at ${text} not null, primary key (corpus, track, name, text))`,

    // Derived: the indexes.
    `create table postings (
      corpus ${integer} not null, term ${text} not null, chunk ${integer} not null, data ${blob} not null,
      primary key (corpus, term, chunk))${clustered}`,
    `create table slots (
      corpus ${integer} not null, chunk ${integer} not null, data ${blob} not null, primary key (corpus, chunk))${clustered}`,
    `create table vector_chunks (
      corpus ${integer} not null, chunk ${integer} not null, data ${blob} not null, primary key (corpus, chunk))${clustered}`,
    // How many of the vector rows of a corpus lie in a file beside the database as well (vector-copy.ts).
    `create table vector_copies (corpus ${integer} primary key, name ${text} not null, size ${integer} not null)`,
  ]
}
