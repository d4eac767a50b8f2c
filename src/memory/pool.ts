/** The candidates of a retrieval: the best of each lane, and their neighbours in the same file. */
import type { Corpus, TextScores } from '../store/store.ts'
import { membersOf } from '../store/vectors/members.ts'
import { topIndexes } from '../store/vectors/top.ts'
import { textCeiling } from '../text/bm25.ts'
import type { CandidatePool } from './ranking.ts'

/** The best of each lane that enter the pool: fusion gains up to here, and hardly beyond. A caller who wants more gets more. */
const LANE_POOL = 60

/** Where the index only estimates cosines, so many times the lane's share are scored again to find the best. */
const COARSE_FACTOR = 2

/**
 * Candidates carry the document's number as their id and the owner's as their file. A lane that does not take part is undefined
 * and scores 0.
 */
export async function fillPool(
  corpus: Corpus,
  text: TextScores | undefined,
  vector: Float32Array | undefined,
  limit: number,
): Promise<CandidatePool> {
  const most = Math.max(LANE_POOL, limit)
  const members = new Set(text === undefined ? [] : topIndexes(text.documents, most, 0))
  const similarity = vector === undefined ? undefined : await vectorLane(corpus, vector, members, most)
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
  const owners = new Set(text === undefined ? [] : topIndexes(text.owners, most, 0))
  for (const document of documents) owners.add(corpus.owner[document]!)
  const files = [...owners].map((owner) => ({ file_id: String(owner), text_score: text?.owners[owner] ?? 0 }))
  const text_ceiling = text === undefined ? 0 : textCeiling(corpus.live, text.frequency.values())
  return { segments, files, text_ceiling }
}

type Similarity = (documents: readonly number[]) => Promise<ArrayLike<number>>

/** Adds the nearest documents to the members, and returns how to score any others. */
async function vectorLane(corpus: Corpus, vector: Float32Array, members: Set<number>, most: number): Promise<Similarity> {
  const { documents: scores, coarse } = await corpus.vector(vector)
  if (!coarse) {
    for (const document of topIndexes(scores, most, undefined, corpus.owner)) members.add(document)
    return async (documents) => documents.map((document) => scores[document]!)
  }
  const candidates = topIndexes(scores, most * COARSE_FACTOR, undefined, corpus.owner)
  const exact = await corpus.similarity(candidates, vector)
  for (const index of topIndexes(exact, most)) members.add(candidates[index]!)
  return (documents) => corpus.similarity(documents, vector)
}

/** Adds the documents directly before and behind the members in their files. */
function addNeighbours({ owner, ordinal, owners }: Corpus, members: Set<number>): void {
  // The members of each owner as a linked list in typed arrays: a prompt runs this once, before any of it is compiled.
  const first = new Int32Array(owners + 1)
  const next = new Int32Array(members.size + 1)
  const place = new Int32Array(members.size + 1)
  const wanted = new Uint8Array(owners + 1)
  let count = 0
  for (const document of members) {
    count++
    wanted[owner[document]!] = 1
    place[count] = ordinal[document]!
    next[count] = first[owner[document]!]!
    first[owner[document]!] = count
  }
  // A file's lines may lie anywhere among the slots, a line added later far from its neighbours: one pass finds them all.
  for (const document of membersOf(owner, wanted)) {
    for (let at = first[owner[document]!]!; at !== 0; at = next[at]!) {
      const distance = place[at]! - ordinal[document]!
      if (distance === 1 || distance === -1) members.add(document)
    }
  }
}
