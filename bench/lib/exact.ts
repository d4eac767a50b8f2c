/**
 * The exact search that the product's answers are compared with: BM25 of every line and file by definition, the cosine of every line
 * from 32-bit floats, and the product's own fusion over all of them. No index, no pool, no quantised numbers; nothing of the store.
 */
import { localEmbedder } from '../../src/embedding/local/embedder.ts'
import { rank } from '../../src/memory/ranking.ts'
import { idf, textCeiling, weight } from '../../src/text/bm25.ts'
import { indexTerms, queryTerms } from '../../src/text/terms.ts'

interface Line {
  readonly text: string
  readonly file: number
  readonly ordinal: number
  readonly length: number
  readonly vector: Float32Array
}

export interface ExactSearch {
  readonly dimensions: number
  /** The vectors of all lines, back to back. */
  readonly vectors: Float32Array
  /** The texts of the best lines. */
  best(query: string, limit: number): Promise<string[]>
}

/** `files` are memory files as they are committed; every line that is not blank is one segment. */
export async function exactSearch(files: Iterable<{ readonly content: string }>): Promise<ExactSearch> {
  const embedder = localEmbedder()
  const { dimensions } = embedder.space
  const lines: Line[] = []
  /** The lines that hold a term, with the count. */
  const holders = new Map<string, Map<number, number>>()
  const fileLengths: number[] = []
  let file = 0
  for (const { content } of files) {
    const texts = [...new Set(content.split('\n').filter((line) => line !== ''))]
    const vectors = await embedder.embed(texts)
    let fileLength = 0
    for (const [ordinal, text] of texts.entries()) {
      const terms = indexTerms(text)
      for (const term of terms) {
        const counts = holders.get(term) ?? new Map<number, number>()
        holders.set(term, counts)
        counts.set(lines.length, (counts.get(lines.length) ?? 0) + 1)
      }
      lines.push({ text, file, ordinal, length: terms.length, vector: vectors[ordinal]! })
      fileLength += terms.length
    }
    fileLengths.push(fileLength)
    file++
  }
  const average = lines.reduce((sum, { length }) => sum + length, 0) / lines.length
  const fileAverage = fileLengths.reduce((sum, length) => sum + length, 0) / fileLengths.length
  const vectors = new Float32Array(lines.length * dimensions)
  for (const [index, { vector }] of lines.entries()) vectors.set(vector, index * dimensions)

  async function best(query: string, limit: number): Promise<string[]> {
    const lineScores = new Float64Array(lines.length)
    const fileScores = new Float64Array(fileLengths.length)
    const frequencies = new Map<string, number>()
    for (const term of queryTerms(query)) {
      const counts = holders.get(term) ?? new Map<number, number>()
      frequencies.set(term, counts.size)
      const fileCounts = new Map<number, number>()
      for (const [index, tf] of counts) {
        const line = lines[index]!
        lineScores[index]! += idf(lines.length, counts.size) * weight(tf, line.length, average)
        fileCounts.set(line.file, (fileCounts.get(line.file) ?? 0) + tf)
      }
      for (const [index, tf] of fileCounts) {
        fileScores[index]! += idf(fileLengths.length, fileCounts.size) * weight(tf, fileLengths[index]!, fileAverage)
      }
    }
    const queryVector = await embedder.embedQuery(query, (stem) => idf(lines.length, Math.max(1, frequencies.get(stem) ?? 0)))
    const segments = lines.map(({ file, ordinal, vector }, index) => ({
      id: String(index),
      file_id: String(file),
      ordinal,
      text_score: lineScores[index]!,
      similarity: dot(vector, queryVector),
    }))
    const files = Array.from(fileScores, (text_score, index) => ({ file_id: String(index), text_score }))
    return rank({ segments, files, text_ceiling: textCeiling(lines.length, frequencies.values()) }, limit)
      .segments.slice(0, limit)
      .map(({ index }) => lines[index]!.text)
  }

  return { dimensions, vectors, best }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
