/**
 * WorkBuddy's transcripts, and CodeBuddy's: `<slug>/<session>.jsonl`. Beside each may lie its meta data and the log of its file
 * changes, which are no sessions. The slug is lossy, so the project comes from the records.
 */
import type { System } from '../../util/system.ts'
import { child, entries, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
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
          if (project.isDirectory()) scanProject(child(folder, project.name), report, sessions)
        }
      }
      return [...sessions.values()]
    },

    read: ({ path }, since, emit, signal) => readSession(workbuddyDialect(system.now().getTime()), { path, since, emit, signal }),
  }
}

function scanProject(directory: string, report: Report, sessions: Map<string, SessionRef>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (!entry.name.endsWith(EXTENSION) || !isLogFile(entry, path, report)) continue
    const id = entry.name.slice(0, -EXTENSION.length)
    keepFile(sessions, { id, owner: id, path }, report)
  }
}
