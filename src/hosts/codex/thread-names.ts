/** The names that people gave their threads: `session_index.jsonl` beside the sessions, one line a renaming. */
import { openFile, parseLine, readLines } from '../../util/jsonl.ts'
import { asText } from '../fields.ts'

/** Thread id to name, the last one given. Empty where there is no such file: names are a comfort, not a need. */
export function threadNames(path: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  let source: ReturnType<typeof openFile>
  try {
    source = openFile(path)
  } catch {
    return names // Without it the sessions have no titles, as those that nobody named.
  }
  try {
    for (const { bytes } of readLines(source, 0)) {
      for (const { id, thread_name } of parseLine(bytes?.toString('utf8') ?? '', () => true).records) {
        const name = asText(thread_name)
        if (typeof id === 'string' && name !== undefined) names.set(id.toLowerCase(), name.trim())
      }
    }
  } finally {
    source.close()
  }
  return names
}
