/** A searchable view over the corpora that a query matches: the slot tables in memory, posting lists and vectors read on demand. */

import type { RecallFile, Resource, Where } from '../../records.ts'
import { idf, weight } from '../../text/bm25.ts'
import { keyOf, SLOT_CHUNK, slotChunk } from '../chunk.ts'
import { decodePostings, postingCount } from '../postings.ts'
import type { Corpus, Kind, StoreState, TextScores } from '../store.ts'
import { dot, vectorOf, vectorRows } from '../vector-rows.ts'
import { matchingCorpora } from './corpora.ts'
import type { Driver } from './driver.ts'
import { FILES, type FileRow, fileOf, RESOURCES, type ResourceRow, resourceOf } from './records.ts'

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
  for (const { id, next_slot, next_owner } of await matchingCorpora(driver, kind, where)) {
    parts.push({ corpus: id, firstDocument: size, documents: next_slot, firstOwner: owners, owners: next_owner - 1 })
    size += next_slot
    owners += next_owner - 1
  }
  const slots = { owner: new Uint32Array(size), ordinal: new Uint32Array(size), length: new Uint32Array(size) }
  for (const part of parts) await readSlots(driver, part, slots)
  if (track !== undefined) await keepTrack(driver, kind, parts, track, slots.owner, owners)

  const ownerLength = new Uint32Array(owners + 1)
  const seen = new Uint8Array(owners + 1)
  let live = 0
  let liveOwners = 0
  let terms = 0
  for (let document = 0; document < size; document++) {
    const owner = slots.owner[document]!
    if (owner === 0) continue
    const length = slots.length[document]!
    live++
    terms += length
    ownerLength[owner]! += length
    if (seen[owner] === 0) {
      seen[owner] = 1
      liveOwners++
    }
  }

  return {
    size,
    owners,
    live,
    owner: slots.owner,
    ordinal: slots.ordinal,
    text: (queryTerms) => scoreText(driver, parts, queryTerms, { ...slots, ownerLength, live, liveOwners, terms }),
    vector: (query) => scanVectors(driver, parts, state, slots.owner, query),
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
      return rows.map((row) => fileOf(row!))
    },
    async resources(numbers): Promise<Resource[]> {
      const rows = await byKey<ResourceRow>(driver, RESOURCES, 'r.key', ownerKeys(parts, numbers))
      return rows.map((row) => resourceOf(row!))
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

/** Takes the documents of other tracks out of the view. */
async function keepTrack(
  driver: Driver,
  kind: Kind,
  parts: readonly Part[],
  track: string,
  owner: Uint32Array,
  owners: number,
): Promise<void> {
  const kept = new Uint8Array(owners + 1)
  const table = kind === 'file' ? 'files' : 'resources'
  for (const part of parts) {
    const rows = await driver.all<{ key: number }>(`select key from ${table} where corpus = ? and track = ?`, [part.corpus, track])
    for (const { key } of rows) kept[part.firstOwner + (key - keyOf(part.corpus, 0))] = 1
  }
  for (let document = 0; document < owner.length; document++) if (kept[owner[document]!] === 0) owner[document] = 0
}

interface Lengths {
  readonly owner: Uint32Array
  readonly length: Uint32Array
  readonly ownerLength: Uint32Array
  readonly live: number
  readonly liveOwners: number
  /** The sum of all lengths. */
  readonly terms: number
}

async function scoreText(driver: Driver, parts: readonly Part[], queryTerms: readonly string[], lengths: Lengths): Promise<TextScores> {
  const { owner, length, ownerLength, live, liveOwners } = lengths
  const documents = new Float32Array(owner.length)
  const ofOwners = new Float32Array(ownerLength.length)
  const frequency = new Map<string, number>()
  const lists = await readPostings(driver, parts, queryTerms)

  let most = 0
  for (const list of lists.values()) most = Math.max(most, list.count)
  const slots = new Uint32Array(most)
  const tfs = new Uint32Array(most)
  // Per owner the term's count, zeroed again through `touched` after each term.
  const ownerTf = new Uint32Array(ownerLength.length)
  const touched = new Uint32Array(Math.min(most, ownerLength.length))
  const average = lengths.terms / Math.max(1, live)
  const ownerAverage = lengths.terms / Math.max(1, liveOwners)

  for (const term of queryTerms) {
    const list = lists.get(term)
    if (list === undefined) continue
    let count = 0
    for (const { data, firstDocument } of list.blobs) {
      const end = count + decodePostings(data, slots, tfs, count)
      // Dead and filtered documents drop out here, so that the frequency is that of the view.
      for (let index = count; index < end; index++) {
        const document = slots[index]! + firstDocument
        if (owner[document] === 0) continue
        slots[count] = document
        tfs[count++] = tfs[index]!
      }
    }
    frequency.set(term, count)
    const share = idf(live, count)
    let ownerCount = 0
    for (let index = 0; index < count; index++) {
      const document = slots[index]!
      const tf = tfs[index]!
      documents[document]! += share * weight(tf, length[document]!, average)
      const its = owner[document]!
      if (ownerTf[its] === 0) touched[ownerCount++] = its
      ownerTf[its]! += tf
    }
    const ownerShare = idf(liveOwners, ownerCount)
    for (let index = 0; index < ownerCount; index++) {
      const its = touched[index]!
      ofOwners[its]! += ownerShare * weight(ownerTf[its]!, ownerLength[its]!, ownerAverage)
      ownerTf[its] = 0
    }
  }
  return { documents, owners: ofOwners, frequency }
}

interface PostingList {
  count: number
  readonly blobs: { readonly data: Uint8Array; readonly firstDocument: number }[]
}

async function readPostings(driver: Driver, parts: readonly Part[], terms: readonly string[]): Promise<Map<string, PostingList>> {
  const lists = new Map<string, PostingList>()
  const sql = `select term, data from postings where corpus = ? and term in ${driver.dialect.strings} order by term, chunk`
  for (const { corpus, firstDocument } of parts) {
    for (const { term, data } of await driver.all<{ term: string; data: Uint8Array }>(sql, [corpus, JSON.stringify(terms)])) {
      let list = lists.get(term)
      if (list === undefined) {
        list = { count: 0, blobs: [] }
        lists.set(term, list)
      }
      list.count += postingCount(data)
      list.blobs.push({ data, firstDocument })
    }
  }
  return lists
}

async function scanVectors(
  driver: Driver,
  parts: readonly Part[],
  state: StoreState,
  owner: Uint32Array,
  query: Float32Array,
): Promise<Float32Array> {
  const scores = new Float32Array(owner.length)
  if (state.space === undefined) return scores
  const { rows, cosine } = vectorRows(state.space.dimensions).scan(query)
  for (const { corpus, firstDocument } of parts) {
    const chunks = await driver.all<Blob>('select chunk, data from vector_chunks where corpus = ? order by chunk', [corpus])
    for (const { chunk, data } of chunks) rows(data, scores, firstDocument + chunk * SLOT_CHUNK)
  }
  for (let document = 0; document < scores.length; document++) {
    scores[document] = owner[document] === 0 ? 0 : cosine(scores[document]!)
  }
  return scores
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
