/**
 * pi's sessions. An old file is rewritten whole when pi opens it, and a fork begins with the entries of the session that it came
 * from: those are mined there, and from the fork only where that session's file is gone. (pi takes no entry away: what is left for
 * another branch stays in the file and is mined there.)
 */
import { basename, win32 } from 'node:path'
import type { System } from '../../util/system.ts'
import { isDirectory } from '../directory.ts'
import { entryDialect } from '../entry-tree/dialect.ts'
import { entryFileId, entryFiles } from '../entry-tree/files.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'

export function piSource(sessionDir: string, system: System): TranscriptSource {
  let known: ReadonlySet<string> | undefined

  function discover(report: Report): SessionRef[] {
    const sessions = entryFiles(sessionDir, report)
    known = new Set(sessions.map(({ id }) => id))
    return sessions
  }

  /** A header names the file of the session that it was forked from, wherever that lay then. */
  function isThere(file: string | undefined): boolean {
    const id = file === undefined ? undefined : entryFileId(basename(win32.basename(file)))
    if (id === undefined) return false
    // Unreadable directories were reported by the caller's own scan.
    if (known === undefined) discover(() => {})
    return known?.has(id) ?? false
  }

  return {
    exists: () => isDirectory(sessionDir),
    discover,
    read: ({ path }, since, emit, signal) => {
      const dialect = entryDialect({ now: system.now().getTime(), isCopy: (_, { parent }) => isThere(parent) })
      return readSession(dialect, { path, since, emit, signal })
    },
  }
}
