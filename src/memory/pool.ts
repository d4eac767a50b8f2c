/** The candidates of a retrieval: the best of each lane, and their neighbours in the same file. */
import type { Corpus, TextScores } from '../store/store.ts'
import { topIndexes } from '../store/vectors/top.ts'
import type { CandidatePool } from './ranking.ts'

/** The best of each lane that enter the pool: fusion gains up to here, and hardly beyond. */
const LANE_POOL = 100

/**
 * Candidates carry the document's number as their id and the owner's as their file. A lane that does not take part is undefined
 * and scores 0.
 */
export async function fillPool(corpus: Corpus, text: TextScores | undefined, vector: Float32Array | undefined): Promise<CandidatePool> {
  const members = new Set<number>()
  if (text !== undefined) for (const document of topIndexes(text.documents, LANE_POOL, 0)) members.add(document)
  if (vector !== undefined) {
    const nearest = topIndexes(await corpus.vector(vector), LANE_POOL, Number.NEGATIVE_INFINITY, corpus.owner)
    for (const document of nearest) members.add(document)
  }
  addNeighbours(corpus, members)

  const documents = [...members]
  const similarities = vector === undefined ? undefined : await corpus.similarity(documents, vector)
  const segments = documents.map((document, index) => ({
    id: String(document),
    file_id: String(corpus.owner[document]!),
    ordinal: corpus.ordinal[document]!,
    text_score: text?.documents[document] ?? 0,
    similarity: similarities?.[index] ?? 0,
  }))
  const owners = new Set(text === undefined ? [] : topIndexes(text.owners, LANE_POOL, 0))
  for (const document of documents) owners.add(corpus.owner[document]!)
  return { segments, files: [...owners].map((owner) => ({ file_id: String(owner), text_score: text?.owners[owner] ?? 0 })) }
}

/** Adds the documents directly before and behind the members in their files. */
function addNeighbours({ owner, ordinal, owners, size }: Corpus, members: Set<number>): void {
  const places = new Map<number, Set<number>>()
  const wanted = new Uint8Array(owners + 1)
  for (const document of members) {
    const its = owner[document]!
    wanted[its] = 1
    const at = ordinal[document]!
    const beside = places.get(its) ?? new Set()
    places.set(its, beside.add(at - 1).add(at + 1))
  }
  // A file's lines may lie anywhere among the slots, a line added later far from its neighbours: one pass finds them all.
  for (let document = 0; document < size; document++) {
    const its = owner[document]!
    if (wanted[its] === 1 && its !== 0 && places.get(its)!.has(ordinal[document]!)) members.add(document)
  }
}
