/**
 * How candidates become an answer: the one place that knows fusion, neighbours and the roll-up from lines to files.
 * Pure, so that the benchmark tunes exactly what the product runs.
 */

/** A segment from the store's two lanes. The pool also holds the direct neighbours of the best, with their own scores. */
export interface Candidate {
  readonly id: string
  readonly file_id: string
  readonly ordinal: number
  /** BM25, 0 where no term matched. */
  readonly text_score: number
  /** Cosine, 0 where the vector lane did not run. */
  readonly similarity: number
}

export interface CandidatePool {
  readonly segments: readonly Candidate[]
  /** BM25 of whole files, over the files that hold a matching term (the best of them). */
  readonly files: readonly { readonly file_id: string; readonly text_score: number }[]
  /** BM25 of a segment of average length that holds every term of the query once; default 0: unknown. */
  readonly text_ceiling?: number
}

export interface Ranked {
  /** Indexes into `pool.segments`, best first. */
  readonly segments: readonly { readonly index: number; readonly score: number }[]
  readonly files: readonly { readonly file_id: string; readonly score: number; readonly similarity: number; readonly text_score: number }[]
}

/** Which lanes take part: `hybrid` is the product, the others are the baselines of the benchmark and the fallback of a store that waits for vectors. */
export type Lanes = 'hybrid' | 'text' | 'vector'

// Chosen with `bench/recall.mjs`, where none of them is sharp, and with the notes in `test/recall/`: a larger text share or a smaller
// full match gains a point there and loses paraphrases here.

/** The text lane's share of the fused score; the rest is the vector lane's. */
const TEXT_SHARE = 0.6
/** The share of the text ceiling from which on a match counts in full. */
const FULL_MATCH = 0.4
/** What a segment gains from the better of its two neighbours: the answer often stands beside the line that the query names. */
const NEIGHBOUR_SHARE = 0.3
/** What the best segments of a file add to it: three that match tell more than one, the more the less. */
const DISCOUNTS: readonly number[] = [1, 1 / 2, 1 / 3]
/** What the text of the whole file adds: its words may lie in different lines. */
const FILE_TEXT_SHARE = 0.3

/**
 * The least cosine of the embedded model that is an answer where no word is shared, and far from sharp: among the notes of `test/recall/`
 * the nearest line to a question that has an answer there is at 0.22 or more; to nonsense and small talk ("xyzzy frobnicate", "hi") at
 * 0.17 or less, and the same among 1,850 lines of documentation. Chosen to lose no answer, so that some noise stays: "what is the
 * weather" (0.23) is as near to a note about lunch as "when do we eat together" (0.22).
 */
export const LOCAL_FLOOR = 0.2

/** Whether anything in the pool is near the query: shares a word with it, or is as similar as `floor`. */
export function isClose({ segments }: CandidatePool, floor: number): boolean {
  return segments.some(({ text_score, similarity }) => text_score > 0 || similarity >= floor)
}

/**
 * Fuses both lanes and ranks segments and files. Equal scores keep the order of the pool. A lane that is left out, or that found
 * nothing, leaves the other one's order alone. Scores are 0–1 and mean something within this answer only; `limit` cuts both lists.
 */
export function rank(pool: CandidatePool, limit: number, lanes: Lanes = 'hybrid'): Ranked {
  const fused = fuse(pool, lanes)
  const members = membersOf(pool.segments)
  return { segments: rankSegments(pool, members, fused).slice(0, limit), files: rankFiles(pool, members, fused, lanes).slice(0, limit) }
}

/**
 * A score 0–1 for every segment. BM25 counts as a share of the best in the pool, or of half the ceiling where all fall short of
 * that: one common word of a long question is no match. Cosine counts from the pool's lowest, because in some embedding spaces even
 * unrelated texts are 0.7 alike; in the embedded one they lie around 0.
 */
function fuse({ segments, text_ceiling = 0 }: CandidatePool, lanes: Lanes): number[] {
  const similarities = segments.map(({ similarity }) => similarity)
  const bestText = best([...segments.map(({ text_score }) => text_score), FULL_MATCH * text_ceiling])
  const floor = Math.max(
    0,
    similarities.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  )
  const range = best(similarities.map((value) => value - floor))
  const textShare = lanes === 'text' ? 1 : lanes === 'vector' ? 0 : TEXT_SHARE
  return segments.map(({ text_score, similarity }) => {
    return textShare * (Math.max(0, text_score) / bestText) + (1 - textShare) * (Math.max(0, similarity - floor) / range)
  })
}

/** The candidates of each file: ordinal to index. */
type Members = ReadonlyMap<string, ReadonlyMap<number, number>>

function membersOf(segments: readonly Candidate[]): Members {
  const members = new Map<string, Map<number, number>>()
  for (const [index, { file_id, ordinal }] of segments.entries()) {
    const lines = members.get(file_id)
    if (lines === undefined) members.set(file_id, new Map([[ordinal, index]]))
    else lines.set(ordinal, index)
  }
  return members
}

function rankSegments({ segments }: CandidatePool, members: Members, fused: readonly number[]): Ranked['segments'] {
  const scored = segments.map(({ file_id, ordinal }, index) => {
    const lines = members.get(file_id)!
    const neighbour = Math.max(fused[lines.get(ordinal - 1) ?? -1] ?? 0, fused[lines.get(ordinal + 1) ?? -1] ?? 0)
    return { index, score: (fused[index]! + NEIGHBOUR_SHARE * neighbour) / (1 + NEIGHBOUR_SHARE) }
  })
  return scored.sort((a, b) => b.score - a.score)
}

function rankFiles({ segments, files }: CandidatePool, members: Members, fused: readonly number[], lanes: Lanes): Ranked['files'] {
  const textScores = new Map(files.map(({ file_id, text_score }) => [file_id, text_score]))
  const fileTextShare = lanes === 'vector' ? 0 : FILE_TEXT_SHARE
  const bestText = best([...textScores.values()])
  const most = DISCOUNTS.reduce((sum, discount) => sum + discount, fileTextShare)
  const scored = [...members].map(([file_id, lines]) => {
    const indexes = [...lines.values()]
    const text_score = textScores.get(file_id) ?? 0
    const descending = indexes.map((index) => fused[index]!).sort((a, b) => b - a)
    const together = DISCOUNTS.reduce((sum, discount, place) => sum + discount * (descending[place] ?? 0), 0)
    return {
      file_id,
      score: (together + fileTextShare * (text_score / bestText)) / most,
      similarity: indexes.reduce((highest, index) => Math.max(highest, segments[index]!.similarity), Number.NEGATIVE_INFINITY),
      text_score,
    }
  })
  return scored.sort((a, b) => b.score - a.score)
}

/** The largest score above 0, or 1 where there is none: what the others are measured by. */
function best(scores: readonly number[]): number {
  const highest = scores.reduce((most, score) => Math.max(most, score), 0)
  return highest > 0 ? highest : 1
}
