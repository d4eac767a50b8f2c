/**
 * The text lane's arithmetic: BM25 of every document and of every owner as a whole, from the posting lists of a query's terms.
 * It runs as a small WebAssembly module (scan.wat): loops over a hundred thousand postings, in a process that answers one
 * query, are over before the compiler has made JavaScript fast.
 */
import { B, idf, K1 } from '../../text/bm25.ts'
import { plainPostingsScan } from './plain.ts'
import { wasmPostingsScan } from './wasm.ts'

/** The documents of a view, in parallel arrays. Owners count from 1; a document of owner 0 is no longer there and never counts. */
export interface Documents {
  readonly owner: Uint32Array
  /** How many index terms a document has, repeats counted. */
  readonly length: Uint32Array
  /** The highest owner number. */
  readonly owners: number
}

/** One posting list of a term; `base` is added to its slots and gives document numbers. */
export interface PostingBlob {
  readonly data: Uint8Array
  readonly base: number
}

export interface PostingScores {
  readonly documents: Float32Array
  /** By owner number; index 0 is not used. */
  readonly owners: Float32Array
  /** In how many documents each term occurs, in the order of the terms. */
  readonly frequencies: readonly number[]
}

export type PostingsScan = (documents: Documents, terms: readonly (readonly PostingBlob[])[], bm25: Bm25) => PostingScores

/** BM25 of one term in a document: `gain(documents, frequency) * tf / (tf + floor + slope * length / average length)`. */
export interface Bm25 {
  gain(documents: number, frequency: number): number
  readonly floor: number
  readonly slope: number
}

/** `text/bm25.ts` in the form that the loops use: what does not depend on the document is computed once a term. */
const BM25: Bm25 = { gain: (documents, frequency) => idf(documents, frequency) * (K1 + 1), floor: K1 * (1 - B), slope: K1 * B }

/**
 * Scores all terms (each with its lists, one a chunk). All statistics (count, frequency, average length) are those of the documents
 * that are there. Errors: `store_corrupt` where a list is damaged or names a document that does not exist.
 */
export function scanPostings(documents: Documents, terms: readonly (readonly PostingBlob[])[]): PostingScores {
  return (wasmPostingsScan() ?? plainPostingsScan)(documents, terms, BM25)
}
