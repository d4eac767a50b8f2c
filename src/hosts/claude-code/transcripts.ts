/**
 * Claude Code's transcripts: `<slug>/<session>.jsonl`, and those of subagents under `<slug>/<session>/subagents/`.
 * The slug is lossy, so the project comes from the records.
 */
import type { System } from '../../util/system.ts'
import { child, entries, inFolder, isDirectory, isInnerFolder, isLogFile, keepFile } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import { isSubagent } from '../subagent.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { claudeCodeDialect } from './classify.ts'
import { copyTest, siblings } from './copies.ts'

const EXTENSION = '.jsonl'
const AGENT = 'agent-'
/** `subagents/workflows/wf_<id>/agent-<id>.jsonl` is the deepest that is known. */
const SUBAGENT_DEPTH = 4

export function claudeCodeTranscripts(sessionDir: string, system: System): TranscriptSource {
  let beside = siblings()
  return {
    exists: () => isDirectory(sessionDir),

    discover(report) {
      beside = siblings()
      const sessions = new Map<string, SessionRef>()
      scanProject(sessionDir, report, sessions)
      for (const entry of entries(sessionDir, report)) {
        if (entry.isDirectory()) scanProject(child(sessionDir, entry.name), report, sessions, true)
      }
      return [...sessions.values()]
    },

    async read(session, since, emit, signal) {
      const isOld = isOldSubagent(session.id)
      const isOfSubagent = isOld || isSubagent(session)
      const dialect = claudeCodeDialect({
        isSubagent: isOfSubagent,
        // In a subagent's transcript `sessionId` is the session that spawned it: no sign of a copy.
        copies: (fromStart) => (isOfSubagent ? () => false : copyTest(session.path, session.id, fromStart, beside)),
        now: system.now().getTime(),
      })
      const result = await readSession(dialect, { path: session.path, since, emit, signal })
      return isOld ? { ...result, facts: { ...result.facts, internal: true } } : result
    },
  }
}

/** Older versions kept the transcripts of subagents beside the sessions. Whose they are, only their records say. */
export function isOldSubagent(name: string): boolean {
  return name.startsWith(AGENT)
}

/** The sessions directly in a directory, and with `deep` the subagents of each. */
function scanProject(directory: string, report: Report, sessions: Map<string, SessionRef>, deep = false): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.name.endsWith(EXTENSION) && isLogFile(entry, path, report)) {
      const id = entry.name.slice(0, -EXTENSION.length)
      keepFile(sessions, { id, owner: id, path }, report)
    } else if (deep && entry.isDirectory()) {
      const subagents = child(path, 'subagents')
      // Asked first: most session folders have none, and a failed listing costs more than the question.
      const isThere = isInnerFolder(subagents, inFolder(path, report))
      if (isThere) scanSubagents(subagents, entry.name, entry.name, report, sessions, SUBAGENT_DEPTH)
    }
  }
}

function scanSubagents(
  directory: string,
  owner: string,
  prefix: string,
  report: Report,
  sessions: Map<string, SessionRef>,
  depth: number,
): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.name.endsWith(EXTENSION) && isLogFile(entry, path, report)) {
      keepFile(sessions, { id: `${prefix}/${entry.name.slice(0, -EXTENSION.length)}`, owner, path }, report)
    } else if (entry.isDirectory() && depth > 1) {
      scanSubagents(path, owner, `${prefix}/${entry.name}`, report, sessions, depth - 1)
    }
  }
}
