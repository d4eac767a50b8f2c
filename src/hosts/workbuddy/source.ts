/**
 * WorkBuddy's transcripts, and CodeBuddy's: `<slug>/<session>.jsonl`. Beside each may lie its meta data and the log of its file
 * changes, which are no sessions. The slug is lossy, so the project comes from the records.
 */
import type { System } from '../../util/system.ts'
import { child, entries, fileState, isDirectory } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { SessionRef, TranscriptSource } from '../transcript-source.ts'
import { workbuddyDialect } from './classify.ts'

const EXTENSION = '.jsonl'

/** The sessions below all of these folders, of which most will not be there. */
export function workbuddySource(folders: readonly string[], system: System): TranscriptSource {
  return {
    exists: () => folders.some(isDirectory),

    discover(report) {
      const sessions = new Map<string, SessionRef>()
      for (const folder of folders) {
        for (const project of entries(folder, report)) {
          if (!project.isDirectory()) continue
          const directory = child(folder, project.name)
          for (const entry of entries(directory, report)) {
            if (!entry.isFile() || !entry.name.endsWith(EXTENSION)) continue
            const path = child(directory, entry.name)
            const state = fileState(path, report)
            const id = entry.name.slice(0, -EXTENSION.length)
            // One id under two slugs is a project that was moved or copied: what was written last is the session.
            const isNewer = (sessions.get(id)?.modified ?? 0) < (state?.modified ?? 0)
            if (state !== undefined && isNewer) sessions.set(id, { id, owner: id, path, ...state })
          }
        }
      }
      return [...sessions.values()]
    },

    read: ({ path }, since, emit, signal) => readSession(workbuddyDialect(system.now().getTime()), { path, since, emit, signal }),
  }
}
