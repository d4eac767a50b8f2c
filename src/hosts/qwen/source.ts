/**
 * Qwen Code's transcripts: `<slug>/chats/<session>.jsonl`, those that the user put away in `chats/archive/`, and those of subagents
 * under `<slug>/subagents/<session>/`. The slug is lossy, so the project comes from the records.
 */
import type { Dirent } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, entries, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { type HandedOut, handedOut } from '../forks.ts'
import { readSession } from '../jsonl-session.ts'
import { takenBack } from '../rewound.ts'
import { isSubagent, refId } from '../subagent.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { qwenDialect, qwenRecords, qwenUndoing } from './classify.ts'

const EXTENSION = '.jsonl'
const ARCHIVE = 'archive'

export function qwenSource(sessionDir: string, system: System): TranscriptSource {
  let ids = handedOut(qwenRecords)
  return {
    exists: () => isDirectory(sessionDir),

    discover(report) {
      ids = handedOut(qwenRecords)
      const sessions = new Map<string, SessionRef>()
      for (const project of entries(sessionDir, report)) {
        if (!project.isDirectory()) continue
        const directory = child(sessionDir, project.name)
        for (const { name } of entries(directory, report).filter((entry) => entry.isDirectory())) {
          if (name === 'chats') scanChats(child(directory, name), report, sessions)
          if (name === 'subagents') scanSubagents(child(directory, name), report, sessions)
        }
      }
      return [...sessions.values()]
    },

    read(session, since, emit, signal) {
      const { path } = session
      const offset = typeof since?.offset === 'number' ? since.offset : 0
      const dialect = qwenDialect({
        isSubagent: isSubagent(session),
        handsOut: originTest(path, ids),
        takenBack: (fromStart) => takenBack(path, fromStart ? 0 : offset, qwenUndoing),
        now: system.now().getTime(),
      })
      return readSession(dialect, { path, since, emit, signal })
    },
  }
}

function scanChats(directory: string, report: Report, sessions: Map<string, SessionRef>, isArchive = false): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (isLog(entry, path, report)) add(sessions, report, path, entry.name)
    else if (entry.isDirectory() && entry.name === ARCHIVE && !isArchive) scanChats(path, report, sessions, true)
  }
}

function scanSubagents(directory: string, report: Report, sessions: Map<string, SessionRef>): void {
  for (const session of entries(directory, report)) {
    if (!session.isDirectory()) continue
    const folder = child(directory, session.name)
    for (const entry of entries(folder, report)) {
      const path = child(folder, entry.name)
      if (isLog(entry, path, report)) add(sessions, report, path, entry.name, session.name)
    }
  }
}

function isLog(entry: Dirent, path: string, report: Report): boolean {
  return entry.name.endsWith(EXTENSION) && isLogFile(entry, path, report)
}

function add(sessions: Map<string, SessionRef>, report: Report, path: string, name: string, owner?: string): void {
  const stem = name.slice(0, -EXTENSION.length)
  const id = refId(stem, owner ?? stem)
  keepFile(sessions, { id, owner: owner ?? id, path }, report)
}

/** A fork names the session that it came from, which lies beside it or in the archive. Each is looked for once. */
function originTest(path: string, ids: HandedOut): (session: string, record: string) => boolean {
  const origins = new Map<string, ReadonlySet<string>>()
  const chats = basename(dirname(path)) === ARCHIVE ? dirname(dirname(path)) : dirname(path)
  return (session, record) => {
    const known = origins.get(session) ?? idsOf(session)
    origins.set(session, known)
    return known.has(record)
  }

  function idsOf(session: string): ReadonlySet<string> {
    const found = new Map<string, SessionRef>()
    const places = /^[\w-]+$/.test(session) ? [chats, join(chats, ARCHIVE)] : []
    for (const place of places) add(found, () => {}, join(place, session + EXTENSION), session + EXTENSION)
    const origin = found.get(session)
    return origin === undefined ? new Set() : ids(origin.path)
  }
}
