/** Finding entry logs: `<folder of the project or channel>/<time>_<session>.jsonl`, or such files in the directory itself. */
import type { Dirent } from 'node:fs'
import { child, entries, isLogFile, keepFile } from '../directory.ts'
import type { Report, SessionRef } from '../transcript-source.ts'

const EXTENSION = '.jsonl'

/** The sessions below a directory. */
export function entryFiles(directory: string, report: Report): SessionRef[] {
  const sessions = new Map<string, SessionRef>()
  for (const entry of entries(directory, report)) {
    add(sessions, directory, entry, report)
    if (!entry.isDirectory()) continue
    const folder = child(directory, entry.name)
    for (const file of entries(folder, report)) add(sessions, folder, file, report)
  }
  return [...sessions.values()]
}

/** The id in a file's name, which is the one in its header; undefined for files that are no log. */
export function entryFileId(name: string): string | undefined {
  if (!name.endsWith(EXTENSION)) return undefined
  const stem = name.slice(0, -EXTENSION.length)
  return stem.slice(stem.indexOf('_') + 1) || undefined // A time holds no underscore; an id may.
}

function add(sessions: Map<string, SessionRef>, folder: string, entry: Dirent, report: Report): void {
  const id = entryFileId(entry.name)
  const path = child(folder, entry.name)
  if (id !== undefined && isLogFile(entry, path, report)) keepFile(sessions, { id, owner: id, path }, report)
}
