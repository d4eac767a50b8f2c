/** The candidates of a retrieval: the best of each lane, and their neighbours in the same file. */
import type { Corpus, TextScores } from '../store/store.ts'
import { topIndexes } from '../store/vectors/top.ts'
import { textCeiling } from '../text/bm25.ts'
import type { CandidatePool } from './ranking.ts'

/** The best of each lane that enter the pool: fusion gains up to here, and hardly beyond. */
const LANE_POOL = 100

/** Where the index only estimates cosines, so many are scored again to find the best: 0.99 of an exact search's top 10 is among them. */
const COARSE_POOL = 200

/**
 * Candidates carry the document's number as their id and the owner's as their file. A lane that does not take part is undefined
 * and scores 0.
 */
export async function fillPool(corpus: Corpus, text: TextScores | undefined, vector: Float32Array | undefined): Promise<CandidatePool> {
  const members = new Set(text === undefined ? [] : topIndexes(text.documents, LANE_POOL, 0))
  const similarity = vector === undefined ? undefined : await vectorLane(corpus, vector, members)
  addNeighbours(corpus, members)
  const documents = [...members]
  const similarities = await similarity?.(documents)
  const segments = documents.map((document, index) => ({
    id: String(document),
    file_id: String(corpus.owner[document]!),
    ordinal: corpus.ordinal[document]!,
    text_score: text?.documents[document] ?? 0,
    similarity: similarities?.[index] ?? 0,
  }))
  const owners = new Set(text === undefined ? [] : topIndexes(text.owners, LANE_POOL, 0))
  for (const document of documents) owners.add(corpus.owner[document]!)
  const files = [...owners].map((owner) => ({ file_id: String(owner), text_score: text?.owners[owner] ?? 0 }))
  const text_ceiling = text === undefined ? 0 : textCeiling(corpus.live, text.frequency.values())
  return { segments, files, text_ceiling }
}

type Similarity = (documents: readonly number[]) => Promise<ArrayLike<number>>

/** Adds the nearest documents to the members, and returns how to score any others. */
async function vectorLane(corpus: Corpus, vector: Float32Array, members: Set<number>): Promise<Similarity> {
  const { documents: scores, coarse } = await corpus.vector(vector)
  if (!coarse) {
    for (const document of topIndexes(scores, LANE_POOL, undefined, corpus.owner)) members.add(document)
    return async (documents) => documents.map((document) => scores[document]!)
  }
  const candidates = topIndexes(scores, COARSE_POOL, undefined, corpus.owner)
  const exact = await corpus.similarity(candidates, vector)
  for (const index of topIndexes(exact, LANE_POOL)) members.add(candidates[index]!)
  return (documents) => corpus.similarity(documents, vector)
}

/** Adds the documents directly before and behind the members in their files. */
function addNeighbours({ owner, ordinal, owners, size }: Corpus, members: Set<number>): void {
  // Per file the places of its members as a list: most files have one or two.
  const places: (number[] | undefined)[] = []
  const wanted = new Uint8Array(owners + 1)
  for (const document of members) {
    const its = owner[document]!
    wanted[its] = 1
    const beside = places[its]
    if (beside === undefined) places[its] = [ordinal[document]!]
    else beside.push(ordinal[document]!)
  }
  // A file's lines may lie anywhere among the slots, a line added later far from its neighbours: one pass finds them all.
  for (let document = 0; document < size; document++) {
    const its = owner[document]!
    if (its === 0 || wanted[its] === 0) continue
    const at = ordinal[document]!
    for (const place of places[its]!) {
      if (place - at === 1 || at - place === 1) {
        members.add(document)
        break
      }
    }
  }
}
