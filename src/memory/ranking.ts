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

/** The share of the text lane; the vector lane has the rest. */
const TEXT_SHARE = 0.4
/** A file counts its best segments, each less than the one before, and its own text. */
const FILE_SHARES = [1, 1 / 2, 1 / 3]
const FILE_TEXT_SHARE = 0.3

/** A first version, until the constants are measured: min–max fusion over the pool, and the roll-up to files. */
export function rank(pool: CandidatePool, limit: number, lanes: Lanes = 'hybrid'): Ranked {
  const text = scaled(pool.segments.map((segment) => segment.text_score))
  const similarity = scaled(pool.segments.map((segment) => segment.similarity))
  const share = lanes === 'text' ? 1 : lanes === 'vector' ? 0 : TEXT_SHARE
  const scored = pool.segments.map((_, index) => ({ index, score: share * text[index]! + (1 - share) * similarity[index]! }))
  scored.sort((a, b) => b.score - a.score || a.index - b.index)

  const ofFile = new Map<string, { score: number; count: number; similarity: number; text_score: number }>()
  const fileText = scaled(pool.files.map((file) => file.text_score))
  for (const [index, { file_id, text_score }] of pool.files.entries()) {
    ofFile.set(file_id, { score: share * FILE_TEXT_SHARE * fileText[index]!, count: 0, similarity: 0, text_score })
  }
  for (const { index, score } of scored) {
    const segment = pool.segments[index]!
    const file = ofFile.get(segment.file_id) ?? { score: 0, count: 0, similarity: 0, text_score: 0 }
    file.score += score * (FILE_SHARES[file.count++] ?? 0)
    file.similarity = Math.max(file.similarity, segment.similarity)
    ofFile.set(segment.file_id, file)
  }
  const files = [...ofFile].map(([file_id, { score, similarity: best, text_score }]) => ({ file_id, score, similarity: best, text_score }))
  files.sort((a, b) => b.score - a.score)
  return { segments: scored.slice(0, limit), files: files.slice(0, limit) }
}

function scaled(values: readonly number[]): number[] {
  const least = Math.min(...values)
  const range = Math.max(...values) - least
  return values.map((value) => (range === 0 ? 0 : (value - least) / range))
}
