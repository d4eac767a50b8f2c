/** The exact search's answers to queries (exact.ts), over the same text that the stores hold. */
import { importSource } from './bundle.mjs'
import { memoryFiles } from './text.mjs'

/** The texts of the best lines for each query, best first. */
export async function exactAnswers(segments, queries, limit) {
  const search = await exactOf(segments)
  const answers = []
  for (const query of queries) answers.push(await search.best(query, limit))
  return answers
}

export async function exactOf(segments) {
  const { exactSearch } = await importSource('bench/lib/exact.ts')
  return exactSearch(memoryFiles(segments))
}
