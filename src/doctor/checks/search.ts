/** A real search: a line that is stored has to be found by its own words. */
import { type Check, fail, ok, warn } from '../check.ts'
import { withLocalStore } from './local-store.ts'

export const searchCheck: Check = {
  name: 'search',
  async run(context) {
    const findings = await withLocalStore(context, async (backend) => {
      const page = await backend.listAllRecallFiles()
      const file = page.recall_files.find(({ content }) => content.trim() !== '')
      const query = (file && sample(file.content)) ?? 'memory'
      const began = performance.now()
      const found = await backend.progressiveRetrieve(query, { limit: 20 })
      const took = `${Math.round(performance.now() - began)} ms`
      if (file === undefined) return [ok('answers; there is nothing to find yet.')]
      if (found.notice !== undefined) return [warn(found.notice, 'memu reindex, or see the check of the embedding.')]
      if (found.files.some(({ id }) => id === file.id)) return [ok(`finds a stored line by its words (${took}).`)]
      return [fail(`A line of ${file.track}/${file.name} was not found by its own words.`, 'memu reindex rebuilds the indexes.')]
    })
    return findings ?? []
  },
}

/** The longest of the first lines: the least likely to stand elsewhere too. */
function sample(content: string): string | undefined {
  const lines = content.split('\n').filter((line) => /\p{L}/u.test(line) && !/^\s*#/.test(line))
  return lines.slice(0, 20).sort((a, b) => b.length - a.length)[0]
}
