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
}

export interface Ranked {
  /** Indexes into `pool.segments`, best first. */
  readonly segments: readonly { readonly index: number; readonly score: number }[]
  readonly files: readonly { readonly file_id: string; readonly score: number; readonly similarity: number; readonly text_score: number }[]
}

/** Which lanes take part: `hybrid` is the product, the others are the baselines of the benchmark and the fallback of a store that waits for vectors. */
export type Lanes = 'hybrid' | 'text' | 'vector'

export function rank(_pool: CandidatePool, _limit: number, _lanes: Lanes = 'hybrid'): Ranked {
  throw new Error('to be written')
}
