/**
 * BM25 as every store computes it. A score is the sum over the query's terms of `idf(…) * weight(…)`.
 * The constants fit short lines, where a repeated word says little and length says less: on LoCoMo +1.5 points of
 * recall@10 and +2.4 of MRR over the usual 1.2 and 0.75.
 */
export const K1 = 0.9
export const B = 0.4

/** How telling a term is that `frequency` of `documents` hold; always positive. */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** The share of a term that a document of `length` terms holds `tf` times; 0 to `K1 + 1`. */
export function weight(tf: number, length: number, averageLength: number): number {
  return (tf * (K1 + 1)) / (tf + K1 * (1 - B + B * (length / averageLength)))
}

/** What a document of average length scores that holds every term once: the measure of a full match. */
export function textCeiling(documents: number, frequencies: Iterable<number>): number {
  let sum = 0
  for (const frequency of frequencies) sum += idf(documents, frequency) // Its weight is 1.
  return sum
}
