/**
 * Keeps the derived indexes of one corpus in step with its segments: notes what changes, then rewrites each touched chunk once.
 * Used inside one write transaction; nothing is written before `flush`.
 */
import { indexTerms } from '../../text/terms.ts'
import { POSTING_CHUNK, SLOT_CHUNK, slotChunk } from '../chunk.ts'
import { appendPostings, encodePostings } from '../postings/postings.ts'
import { vectorRows } from '../vectors/vector-rows.ts'
import { type CorpusRow, saveCorpus } from './corpora.ts'
import type { Driver, Value } from './driver.ts'
import { dropVectorCopy } from './vector-copy.ts'

export interface Indexer {
  /** Gives a segment the next slot of its corpus, and returns it. */
  add(owner: number, ordinal: number, text: string, vector: Float32Array | undefined): number
  /** Marks a slot dead: its postings and its vector stay until the corpus is rewritten, and count no more. */
  remove(slot: number): void
  /** The segment has another place in its file. */
  move(slot: number, ordinal: number): void
  /** The segment has a vector now. */
  setVector(slot: number, vector: Float32Array): void
  flush(): Promise<void>
}

interface SlotEdit {
  readonly slot: number
  readonly owner?: number
  readonly ordinal?: number
  readonly length?: number
}

/** A posting that is being counted. */
interface Count {
  readonly slot: number
  tf: number
}

export function indexer(driver: Driver, corpus: CorpusRow, dimensions: number): Indexer {
  const edits: SlotEdit[] = []
  const postings = new Map<number, Map<string, Count[]>>()
  const vectors: { slot: number; vector: Float32Array }[] = []

  return {
    add(owner, ordinal, text, vector) {
      const slot = corpus.next_slot++
      const terms = indexTerms(text)
      edits.push({ slot, owner, ordinal, length: terms.length })
      addPostings(postings, slot, terms)
      if (vector !== undefined) vectors.push({ slot, vector })
      return slot
    },
    remove(slot) {
      corpus.dead++
      edits.push({ slot, owner: 0 })
    },
    move(slot, ordinal) {
      edits.push({ slot, ordinal })
    },
    setVector(slot, vector) {
      vectors.push({ slot, vector })
    },
    async flush() {
      await flushSlots(driver, corpus.id, edits)
      await flushPostings(driver, corpus.id, postings)
      await flushVectors(driver, corpus.id, vectors, dimensions)
      await saveCorpus(driver, corpus)
      edits.length = 0
      postings.clear()
      vectors.length = 0
    },
  }
}

function addPostings(postings: Map<number, Map<string, Count[]>>, slot: number, terms: readonly string[]): void {
  const chunk = Math.floor(slot / POSTING_CHUNK)
  let lists = postings.get(chunk)
  if (lists === undefined) {
    lists = new Map()
    postings.set(chunk, lists)
  }
  for (const term of terms) {
    const list = lists.get(term)
    const last = list?.at(-1)
    if (list === undefined) lists.set(term, [{ slot, tf: 1 }])
    else if (last!.slot === slot) last!.tf++
    else list.push({ slot, tf: 1 })
  }
}

async function flushSlots(driver: Driver, corpus: number, edits: readonly SlotEdit[]): Promise<void> {
  const rows: Value[][] = []
  for (const [chunk, group] of byChunk(edits)) {
    const stored = await driver.get<{ data: Uint8Array }>('select data from slots where corpus = ? and chunk = ?', [corpus, chunk])
    const table = slotChunk(stored?.data)
    for (const edit of group) {
      const at = edit.slot % SLOT_CHUNK
      if (edit.owner !== undefined) table.owner[at] = edit.owner
      if (edit.ordinal !== undefined) table.ordinal[at] = edit.ordinal
      if (edit.length !== undefined) table.length[at] = edit.length
    }
    rows.push([corpus, chunk, table.bytes])
  }
  await driver.runMany(upsert('slots'), rows)
}

async function flushPostings(driver: Driver, corpus: number, postings: Map<number, Map<string, Count[]>>): Promise<void> {
  for (const [chunk, lists] of postings) {
    const terms = [...lists.keys()]
    const stored = new Map<string, Uint8Array>()
    const sql = `select term, data from postings where corpus = ? and chunk = ? and term in ${driver.dialect.strings}`
    for (const row of await driver.all<{ term: string; data: Uint8Array }>(sql, [corpus, chunk, JSON.stringify(terms)])) {
      stored.set(row.term, row.data)
    }
    // In the order of the primary key, so that neighbouring rows are written while their page is at hand.
    const rows = terms.sort().map((term) => {
      const old = stored.get(term)
      const list = lists.get(term)!
      return [corpus, term, chunk, old === undefined ? encodePostings(list) : appendPostings(old, list)]
    })
    await driver.runMany(
      'insert into postings (corpus, term, chunk, data) values (?, ?, ?, ?) on conflict (corpus, term, chunk) do update set data = excluded.data',
      rows,
    )
  }
}

async function flushVectors(
  driver: Driver,
  corpus: number,
  vectors: readonly { readonly slot: number; readonly vector: Float32Array }[],
  dimensions: number,
): Promise<void> {
  if (vectors.length === 0) return
  await dropVectorCopy(driver, corpus, Math.min(...vectors.map(({ slot }) => slot)))
  const { stride, encode } = vectorRows(dimensions)
  const rows: Value[][] = []
  for (const [chunk, group] of byChunk(vectors)) {
    const stored = await driver.get<{ data: Uint8Array }>('select data from vector_chunks where corpus = ? and chunk = ?', [corpus, chunk])
    const old = stored?.data ?? new Uint8Array(0)
    const length = Math.max(old.length, ...group.map(({ slot }) => ((slot % SLOT_CHUNK) + 1) * stride))
    // Slots without a vector keep a row of zeros, which is similar to nothing.
    const data = new Uint8Array(length)
    data.set(old)
    for (const { slot, vector } of group) data.set(encode(vector), (slot % SLOT_CHUNK) * stride)
    rows.push([corpus, chunk, data])
  }
  await driver.runMany(upsert('vector_chunks'), rows)
}

function byChunk<T extends { readonly slot: number }>(items: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const chunk = Math.floor(item.slot / SLOT_CHUNK)
    const group = groups.get(chunk)
    if (group === undefined) groups.set(chunk, [item])
    else group.push(item)
  }
  return groups
}

function upsert(table: 'slots' | 'vector_chunks'): string {
  return `insert into ${table} (corpus, chunk, data) values (?, ?, ?) on conflict (corpus, chunk) do update set data = excluded.data`
}
