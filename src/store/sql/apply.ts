/** Writes a change that the engine planned: checks first that nothing it relied on has moved, then writes all of it. */
import { type FileKey, sameSpace } from '../../records.ts'
import { keyOf, numberOf } from '../chunk.ts'
import type { Change, FileChange, FileVersion, ResourceChange } from '../store.ts'
import { vectorBytes, vectorRows } from '../vectors/vector-rows.ts'
import { type CorpusRow, ensureCorpus, findCorpus, saveCorpus } from './corpora.ts'
import type { Driver, Value } from './driver.ts'
import { findFile, findResource, type SegmentRow, segmentsOf } from './find.ts'
import { type Indexer, indexer } from './indexer.ts'
import { readState, writeSpace } from './meta.ts'
import { type FileRow, provenanceJson } from './records.ts'
import { rewriteCorpus } from './rewrite.ts'
import { extendVectorCopy } from './vector-copy.ts'

/** A corpus is rewritten when more of its slots are dead than alive, but not for a handful. */
const FEW_DEAD = 1000

interface Stored<R> {
  readonly row: R | undefined
  readonly segments: readonly SegmentRow[]
}

/** Inside a write transaction. */
export async function apply(driver: Driver, change: Change): Promise<'applied' | 'conflict'> {
  const { space } = await readState(driver)
  if (space !== undefined && !sameSpace(space, change.space)) return 'conflict'

  const files = await readAll(driver, change, 'file', change.files, (corpus, file) => findFile(driver, corpus, file))
  const forgotten = await readAll(driver, change, 'file', change.forget, (corpus, { key }) => findFile(driver, corpus, key))
  const resources = await readAll(driver, change, 'resource', change.resources, (corpus, { url }) => findResource(driver, corpus, url))
  if (files === 'conflict' || forgotten === 'conflict' || resources === 'conflict') return 'conflict'
  if (change.files.some((file, index) => !hasAllVectors(file.segments, files[index]!.segments))) return 'conflict'
  if (
    change.resources.some(
      ({ caption, vector }, index) =>
        !hasAllVectors(
          [caption].map((text) => ({ text, ...(vector && { vector }) })),
          resources[index]!.segments,
        ),
    )
  ) {
    return 'conflict'
  }

  if (space === undefined) await writeSpace(driver, change.space)
  if (change.files.length + change.forget.length > 0) {
    const corpus = await ensureCorpus(driver, 'file', change.scope)
    const index = indexer(driver, corpus, change.space.dimensions)
    for (const [at, { key }] of change.forget.entries()) await forgetFile(driver, corpus, index, key, forgotten[at]!, change.now)
    for (const [at, file] of change.files.entries()) await writeFile(driver, corpus, index, file, files[at]!, change.now)
    await finish(driver, corpus, index, change.space.dimensions)
  }
  if (change.resources.length > 0) {
    const corpus = await ensureCorpus(driver, 'resource', change.scope)
    const index = indexer(driver, corpus, change.space.dimensions)
    for (const [at, resource] of change.resources.entries()) {
      await writeResource(driver, corpus, index, resource, resources[at]!, change.now)
    }
    await finish(driver, corpus, index, change.space.dimensions)
  }
  return 'applied'
}

async function readAll<C extends { readonly expected: number }, R extends { readonly key: number; readonly revision: number }>(
  driver: Driver,
  change: Change,
  kind: CorpusRow['kind'],
  items: readonly C[],
  find: (corpus: number, item: C) => Promise<R | undefined>,
): Promise<Stored<R>[] | 'conflict'> {
  if (items.length === 0) return []
  const corpus = await findCorpus(driver, kind, change.scope)
  const stored: Stored<R>[] = []
  for (const item of items) {
    const row = corpus === undefined ? undefined : await find(corpus.id, item)
    if ((row?.revision ?? 0) !== item.expected) return 'conflict'
    stored.push({ row, segments: row === undefined ? [] : await segmentsOf(driver, row.key) })
  }
  return stored
}

function hasAllVectors(wanted: FileChange['segments'], stored: readonly SegmentRow[]): boolean {
  const kept = new Set(stored.filter(({ vector_key }) => vector_key !== null).map(({ text }) => text))
  return wanted.every(({ text, vector }) => vector !== undefined || kept.has(text))
}

async function writeFile(
  driver: Driver,
  corpus: CorpusRow,
  index: Indexer,
  file: FileChange,
  { row, segments }: Stored<FileRow>,
  now: string,
): Promise<void> {
  const key = row?.key ?? keyOf(corpus.id, corpus.next_owner++)
  if (row === undefined) {
    await driver.run(
      `insert into files (key, corpus, id, track, name, revision, created_at, updated_at, provenance, description, content)
       values (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`,
      [key, corpus.id, file.id, file.track, file.name, now, now, provenanceJson(file.provenance), file.description, file.content],
    )
  } else if (file.change !== 'healed') {
    await driver.run(
      'update files set revision = revision + 1, updated_at = ?, provenance = ?, description = ?, content = ? where key = ?',
      [now, provenanceJson(file.provenance), file.description, file.content, key],
    )
  }
  if (file.change !== 'healed') {
    await addVersion(driver, corpus.id, { ...file, at: now, change: file.change })
    await driver.run('delete from tombstones where corpus = ? and track = ? and name = ?', [corpus.id, file.track, file.name])
  }
  await writeSegments(driver, corpus, index, key, file.segments, segments)
}

async function writeResource(
  driver: Driver,
  corpus: CorpusRow,
  index: Indexer,
  { id, url, caption, track, vector }: ResourceChange,
  { row, segments }: Stored<{ readonly key: number }>,
  now: string,
): Promise<void> {
  const key = row?.key ?? keyOf(corpus.id, corpus.next_owner++)
  if (row === undefined) {
    await driver.run(
      'insert into resources (key, corpus, id, url, track, revision, created_at, updated_at, caption) values (?, ?, ?, ?, ?, 1, ?, ?, ?)',
      [key, corpus.id, id, url, track, now, now, caption],
    )
  } else {
    await driver.run('update resources set revision = revision + 1, updated_at = ?, caption = ?, track = ? where key = ?', [
      now,
      caption,
      track,
      key,
    ])
  }
  await writeSegments(driver, corpus, index, key, [{ text: caption, ...(vector && { vector }) }], segments)
}

/** Keeps the segments whose text is still there, removes the others, and adds the new ones. */
async function writeSegments(
  driver: Driver,
  corpus: CorpusRow,
  index: Indexer,
  owner: number,
  wanted: FileChange['segments'],
  stored: readonly SegmentRow[],
): Promise<void> {
  const byText = new Map(stored.map((segment) => [segment.text, segment]))
  const added: Value[][] = []
  const moved: Value[][] = []
  const vectors: Value[][] = []
  for (const [ordinal, { text, vector }] of wanted.entries()) {
    const old = byText.get(text)
    byText.delete(text)
    let key = old?.key
    if (key === undefined) {
      key = keyOf(corpus.id, index.add(numberOf(owner), ordinal, text, vector))
      added.push([key, owner, ordinal, text])
    } else {
      if (old!.ordinal !== ordinal) {
        index.move(numberOf(key), ordinal)
        moved.push([ordinal, key])
      }
      if (vector !== undefined) index.setVector(numberOf(key), vector)
    }
    if (vector !== undefined) vectors.push([key, vectorBytes(vector)])
  }
  await removeSegments(driver, index, [...byText.values()])
  await driver.runMany('insert into segments (key, owner, ordinal, text) values (?, ?, ?, ?)', added)
  await driver.runMany('update segments set ordinal = ? where key = ?', moved)
  await driver.runMany('insert into vectors (key, vector) values (?, ?) on conflict (key) do update set vector = excluded.vector', vectors)
}

async function removeSegments(driver: Driver, index: Indexer, segments: readonly SegmentRow[]): Promise<void> {
  const keys = segments.map(({ key }) => [key])
  for (const { key } of segments) index.remove(numberOf(key))
  await driver.runMany('delete from vectors where key = ?', keys)
  await driver.runMany('delete from segments where key = ?', keys)
}

async function forgetFile(
  driver: Driver,
  corpus: CorpusRow,
  index: Indexer,
  { track, name }: FileKey,
  { row, segments }: Stored<FileRow>,
  now: string,
): Promise<void> {
  if (row === undefined) return
  await removeSegments(driver, index, segments)
  await driver.run('delete from files where key = ?', [row.key])
  await addVersion(driver, corpus.id, { track, name, description: row.description, content: row.content, change: 'forgotten', at: now })
  await driver.run(
    "insert into tombstones (corpus, track, name, text, at) values (?, ?, ?, '', ?) on conflict (corpus, track, name, text) do update set at = excluded.at",
    [corpus.id, track, name, now],
  )
}

function addVersion(driver: Driver, corpus: number, version: Omit<FileVersion, 'version'>): Promise<void> {
  const { track, name, change, at, description, content, provenance } = version
  return driver.run(
    `insert into versions (corpus, track, name, number, change, at, provenance, description, content)
     select cast(? as bigint), ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ? from versions where corpus = ? and track = ? and name = ?`,
    [corpus, track, name, change, at, provenanceJson(provenance), description, content, corpus, track, name],
  )
}

async function finish(driver: Driver, corpus: CorpusRow, index: Indexer, dimensions: number): Promise<void> {
  await index.flush()
  await saveCorpus(driver, corpus)
  if (corpus.dead > FEW_DEAD && corpus.dead * 2 > corpus.next_slot) await rewriteCorpus(driver, corpus, dimensions)
  await extendVectorCopy(driver, corpus, vectorRows(dimensions).stride)
}
