/**
 * Claude Code's transcripts: `<slug>/<session>.jsonl`, and those of subagents under `<slug>/<session>/subagents/`.
 * The slug is lossy, so the project comes from the records.
 */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, isDirectory } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { claudeCodeDialect } from './classify.ts'

const EXTENSION = '.jsonl'
/** Older versions kept the transcripts of subagents beside the sessions, under this name. */
const AGENT = 'agent-'
/** `subagents/workflows/wf_<id>/agent-<id>.jsonl` is the deepest that is known. */
const SUBAGENT_DEPTH = 4

export function claudeCodeSource(sessionDir: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(sessionDir),

    discover(report) {
      const sessions = new Map<string, SessionRef>()
      scanProject(sessionDir, report, sessions)
      for (const entry of entries(sessionDir, report)) {
        if (entry.isDirectory()) scanProject(child(sessionDir, entry.name), report, sessions, true)
      }
      return [...sessions.values()]
    },

    read(session, since, emit, signal) {
      const dialect = claudeCodeDialect({
        isSubagent: session.owner !== session.id || session.id.startsWith(AGENT),
        isCopy: copyTest(session),
        now: system.now().getTime(),
      })
      return readSession(dialect, { path: session.path, since, emit, signal })
    },
  }
}

/** The sessions directly in a directory, and with `deep` the subagents of each. */
function scanProject(directory: string, report: Report, sessions: Map<string, SessionRef>, deep = false): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.isFile() && entry.name.endsWith(EXTENSION)) {
      const id = entry.name.slice(0, -EXTENSION.length)
      add(sessions, report, { id, owner: id, path })
    } else if (deep && entry.isDirectory()) {
      const subagents = child(path, 'subagents')
      // Asked first: most session folders have none, and a failed listing costs more than the question.
      if (isDirectory(subagents)) scanSubagents(subagents, entry.name, entry.name, report, sessions, SUBAGENT_DEPTH)
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
    if (entry.isFile() && entry.name.endsWith(EXTENSION)) {
      add(sessions, report, { id: `${prefix}/${entry.name.slice(0, -EXTENSION.length)}`, owner, path })
    } else if (entry.isDirectory() && depth > 1) {
      scanSubagents(path, owner, `${prefix}/${entry.name}`, report, sessions, depth - 1)
    }
  }
}

/** One id under two slugs is a project that was moved or copied: the transcript that was written last is the session. */
function add(sessions: Map<string, SessionRef>, report: Report, found: Pick<SessionRef, 'id' | 'owner' | 'path'>): void {
  const state = fileState(found.path, report)
  if (state === undefined) return
  const known = sessions.get(found.id)
  if (known === undefined || known.modified < state.modified) sessions.set(found.id, { ...found, ...state })
}

/**
 * A fork or a branch begins with the records of the session that it came from. They are mined there; only where that
 * session's transcript is gone are they taken from the copy.
 */
function copyTest(session: SessionRef): (record: Readonly<Record<string, unknown>>) => boolean {
  const there = new Map<string, boolean>()
  const exists = (id: string): boolean => {
    let known = there.get(id)
    if (known === undefined) {
      known = /^[\w-]+$/.test(id) && fs.existsSync(join(dirname(session.path), id + EXTENSION))
      there.set(id, known)
    }
    return known
  }
  // In a subagent's transcript `sessionId` is the session that spawned it.
  if (session.owner !== session.id || session.id.startsWith(AGENT)) return () => false
  return (record) => {
    const origin = asText(asObject(record.forkedFrom)?.sessionId) ?? asText(record.sessionId)
    return origin !== undefined && origin !== session.id && exists(origin)
  }
}
