/** A searchable view over the corpora that a query matches: the slot tables in memory, posting lists and vectors read on demand. */

import type { RecallFile, Resource, Where } from '../../records.ts'
import { MemuError } from '../../util/errors.ts'
import { keyOf, SLOT_CHUNK, slotChunk } from '../chunk.ts'
import { type Documents, type PostingBlob, scanPostings } from '../postings/scan.ts'
import type { Corpus, Kind, StoreState, TextScores, VectorScores } from '../store.ts'
import { dot, vectorOf, vectorRows } from '../vectors/vector-rows.ts'
import { matchingCorpora } from './corpora.ts'
import type { Driver } from './driver.ts'
import { FILES, type FileRow, fileOf, RESOURCES, type ResourceRow, resourceOf } from './records.ts'
import { scanVectorCopy } from './vector-copy.ts'

/** One corpus within the view: its documents and owners begin at these numbers. */
interface Part {
  readonly corpus: number
  readonly firstDocument: number
  readonly documents: number
  /** Owners count from 1, so that owner n of the corpus is number `firstOwner + n` of the view. */
  readonly firstOwner: number
  readonly owners: number
}

interface Blob {
  readonly chunk: number
  readonly data: Uint8Array
}

export async function openCorpus(driver: Driver, state: StoreState, kind: Kind, where: Where, track?: string): Promise<Corpus> {
  const parts: Part[] = []
  let size = 0
  let owners = 0
  let live = 0
  for (const { id, next_slot, next_owner, dead } of await matchingCorpora(driver, kind, where)) {
    parts.push({ corpus: id, firstDocument: size, documents: next_slot, firstOwner: owners, owners: next_owner - 1 })
    size += next_slot
    owners += next_owner - 1
    live += next_slot - dead
  }
  const slots = { owner: new Uint32Array(size), ordinal: new Uint32Array(size), length: new Uint32Array(size) }
  for (const part of parts) await readSlots(driver, part, slots)
  if (track !== undefined) live = await keepTrack(driver, kind, parts, track, slots.owner, owners)

  return {
    size,
    owners,
    live,
    owner: slots.owner,
    ordinal: slots.ordinal,
    text: (queryTerms) => scoreText(driver, parts, queryTerms, { ...slots, owners }),
    vector: (query) => scanVectors(driver, parts, state, size, query),
    async similarity(documents, query) {
      const rows = await byKey<{ key: number; vector: Uint8Array }>(
        driver,
        'select key, vector from vectors',
        'key',
        documentKeys(parts, documents),
      )
      return Float32Array.from(rows, (row) => (row === undefined ? 0 : dot(vectorOf(row.vector), query)))
    },
    async texts(documents) {
      const rows = await byKey<{ key: number; text: string }>(
        driver,
        'select key, text from segments',
        'key',
        documentKeys(parts, documents),
      )
      return rows.map((row) => row?.text ?? '')
    },
    async files(numbers): Promise<RecallFile[]> {
      const rows = await byKey<FileRow>(driver, FILES, 'f.key', ownerKeys(parts, numbers))
      return rows.map((row) => fileOf(row ?? missing(driver)))
    },
    async resources(numbers): Promise<Resource[]> {
      const rows = await byKey<ResourceRow>(driver, RESOURCES, 'r.key', ownerKeys(parts, numbers))
      return rows.map((row) => resourceOf(row ?? missing(driver)))
    },
  }
}

async function readSlots(
  driver: Driver,
  part: Part,
  slots: { owner: Uint32Array; ordinal: Uint32Array; length: Uint32Array },
): Promise<void> {
  for (const { chunk, data } of await driver.all<Blob>('select chunk, data from slots where corpus = ? order by chunk', [part.corpus])) {
    const from = chunk * SLOT_CHUNK
    const count = Math.min(SLOT_CHUNK, part.documents - from)
    const table = slotChunk(data)
    const at = part.firstDocument + from
    slots.owner.set(table.owner.subarray(0, count), at)
    slots.ordinal.set(table.ordinal.subarray(0, count), at)
    slots.length.set(table.length.subarray(0, count), at)
  }
  if (part.firstOwner === 0) return
  for (let document = part.firstDocument; document < part.firstDocument + part.documents; document++) {
    if (slots.owner[document] !== 0) slots.owner[document]! += part.firstOwner
  }
}

/** Takes the documents of other tracks out of the view, and returns how many are left. */
async function keepTrack(
  driver: Driver,
  kind: Kind,
  parts: readonly Part[],
  track: string,
  owner: Uint32Array,
  owners: number,
): Promise<number> {
  const kept = new Uint8Array(owners + 1)
  const table = kind === 'file' ? 'files' : 'resources'
  for (const part of parts) {
    const rows = await driver.all<{ key: number }>(`select key from ${table} where corpus = ? and track = ?`, [part.corpus, track])
    for (const { key } of rows) kept[part.firstOwner + (key - keyOf(part.corpus, 0))] = 1
  }
  let live = 0
  for (let document = 0; document < owner.length; document++) {
    if (kept[owner[document]!] === 1) live++
    else owner[document] = 0
  }
  return live
}

async function scoreText(driver: Driver, parts: readonly Part[], terms: readonly string[], documents: Documents): Promise<TextScores> {
  const lists = new Map<string, PostingBlob[]>(terms.map((term) => [term, []]))
  const sql = `select term, data from postings where corpus = ? and term in ${driver.dialect.strings} order by term, chunk`
  for (const { corpus, firstDocument } of parts) {
    for (const { term, data } of await driver.all<{ term: string; data: Uint8Array }>(sql, [corpus, JSON.stringify(terms)])) {
      lists.get(term)!.push({ data, base: firstDocument })
    }
  }
  const scores = scanPostings(documents, [...lists.values()])
  const frequency = new Map([...lists.keys()].map((term, index) => [term, scores.frequencies[index]!]))
  return { documents: scores.documents, owners: scores.owners, frequency }
}

async function scanVectors(
  driver: Driver,
  parts: readonly Part[],
  state: StoreState,
  size: number,
  query: Float32Array,
): Promise<VectorScores> {
  const documents = new Float32Array(size)
  if (state.space === undefined) return { documents, coarse: false }
  const { scan: scanWith, coarse, stride } = vectorRows(state.space.dimensions)
  const scan = scanWith(query)
  for (const { corpus, firstDocument, documents: documentsOf } of parts) {
    const copied = await scanVectorCopy(driver, corpus, stride, (rows, first) => scan(rows, documents, firstDocument + first))
    const sql = 'select chunk, data from vector_chunks where corpus = ? and chunk >= ? order by chunk'
    const chunks = copied === documentsOf ? [] : await driver.all<Blob>(sql, [corpus, Math.floor(copied / SLOT_CHUNK)])
    for (const { chunk, data } of chunks) scan(data, documents, firstDocument + chunk * SLOT_CHUNK)
  }
  return { documents, coarse }
}

function documentKeys(parts: readonly Part[], documents: readonly number[]): number[] {
  return documents.map((document) => {
    const part = parts.findLast(({ firstDocument }) => firstDocument <= document)!
    return keyOf(part.corpus, document - part.firstDocument)
  })
}

function ownerKeys(parts: readonly Part[], owners: readonly number[]): number[] {
  return owners.map((owner) => {
    const part = parts.findLast(({ firstOwner }) => firstOwner < owner)!
    return keyOf(part.corpus, owner - part.firstOwner)
  })
}

function missing(driver: Driver): never {
  throw new MemuError('store_corrupt', `The store ${driver.location} is damaged: its index names a file that is not there.`, {
    hint: 'Run `memu reindex`: it rebuilds the index from what is stored; `memu doctor` says more.',
  })
}

/** Rows by their keys, in the order of the keys. */
async function byKey<R extends { readonly key: number }>(
  driver: Driver,
  select: string,
  column: string,
  keys: readonly number[],
): Promise<(R | undefined)[]> {
  if (keys.length === 0) return []
  const rows = await driver.all<R>(`${select} where ${column} in ${driver.dialect.integers}`, [JSON.stringify(keys)])
  const found = new Map(rows.map((row) => [row.key, row]))
  return keys.map((key) => found.get(key))
}
