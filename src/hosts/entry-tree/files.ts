/** Finding entry logs: `<folder of the project or channel>/<time>_<session>.jsonl`, or such files in the directory itself. */
import { child, entries, keepFile } from '../directory.ts'
import type { Report, SessionRef } from '../transcript-source.ts'

const EXTENSION = '.jsonl'

/** The sessions below a directory. */
export function entryFiles(directory: string, report: Report): SessionRef[] {
  const sessions = new Map<string, SessionRef>()
  for (const entry of entries(directory, report)) {
    if (entry.isFile()) add(sessions, directory, entry.name, report)
    if (!entry.isDirectory()) continue
    const folder = child(directory, entry.name)
    for (const file of entries(folder, report)) if (file.isFile()) add(sessions, folder, file.name, report)
  }
  return [...sessions.values()]
}

/** The id in a file's name, which is the one in its header; undefined for files that are no log. */
export function entryFileId(name: string): string | undefined {
  if (!name.endsWith(EXTENSION)) return undefined
  const stem = name.slice(0, -EXTENSION.length)
  return stem.slice(stem.indexOf('_') + 1) || undefined // A time holds no underscore; an id may.
}

function add(sessions: Map<string, SessionRef>, folder: string, name: string, report: Report): void {
  const id = entryFileId(name)
  if (id !== undefined) keepFile(sessions, { id, owner: id, path: child(folder, name) }, report)
}
