/**
 * Gemini CLI's sessions: `<project>/chats/session-<minute>-<8 of the id>.jsonl`, in older versions `.json`, which stays beside the
 * newer file when a session is resumed. Those of subagents lie in `chats/<id of the session>/`.
 */
import { dirname } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, entries, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import { takenBack } from '../rewound.ts'
import { isSubagent } from '../subagent.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { geminiDialect, geminiUndoing } from './classify.ts'
import { openDocument } from './document.ts'
import { projectOf } from './project.ts'

const LINES = '.jsonl'
const DOCUMENT = '.json'
const SESSION = /^(session-.+-([\w-]{1,8}))(\.jsonl?)$/

export function geminiSource(sessionDir: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(sessionDir),

    discover(report) {
      const sessions = new Map<string, SessionRef>()
      for (const project of entries(sessionDir, report)) {
        if (!project.isDirectory()) continue
        const directory = child(sessionDir, project.name)
        const hasChats = entries(directory, report).some((entry) => entry.name === 'chats' && entry.isDirectory())
        if (hasChats) scanChats(child(directory, 'chats'), report, sessions)
      }
      return [...sessions.values()]
    },

    async read(session, since, emit, signal) {
      const { path } = session
      const isDocument = path.endsWith(DOCUMENT)
      const offset = typeof since?.offset === 'number' ? since.offset : 0
      const dialect = geminiDialect({
        isSubagent: isSubagent(session),
        takenBack: (fromStart) => (isDocument ? new Set() : takenBack(path, fromStart ? 0 : offset, geminiUndoing)),
        now: system.now().getTime(),
      })
      const result = await readSession(dialect, { path, since, emit, signal, ...(isDocument && { open: openDocument }) })
      const chats = isSubagent(session) ? dirname(dirname(path)) : dirname(path)
      const project = projectOf(chats, sessionDir)
      return { ...result, facts: { ...result.facts, ...(project && { project }) } }
    },
  }
}

function scanChats(chats: string, report: Report, sessions: Map<string, SessionRef>): void {
  /** The sessions of this folder by the first characters of their ids, by which subagents find them. */
  const owners = new Map<string, string>()
  const folders: string[] = []
  for (const entry of entries(chats, report)) {
    if (entry.isDirectory()) folders.push(entry.name)
    const path = child(chats, entry.name)
    const [, id, short] = SESSION.exec(entry.name) ?? []
    if (id === undefined || short === undefined || !isLogFile(entry, path, report)) continue
    owners.set(short, id)
    keepFile(sessions, { id, owner: id, path }, report, isBetter)
  }
  for (const folder of folders) {
    const owner = owners.get(folder.slice(0, 8)) ?? folder
    for (const entry of entries(child(chats, folder), report)) {
      const path = child(child(chats, folder), entry.name)
      if (!entry.name.endsWith(LINES) || !isLogFile(entry, path, report)) continue
      // The folder's name is in the id, not the owner's: the owner may be deleted, and the id must stay.
      keepFile(sessions, { id: `${folder}/${entry.name.slice(0, -LINES.length)}`, owner, path }, report)
    }
  }
}

/** Of one session in both formats the lines go on where the document ended; of one in two projects what was written last is it. */
function isBetter(found: SessionRef, known: SessionRef): boolean {
  const isLines = found.path.endsWith(LINES)
  return isLines === known.path.endsWith(LINES) ? found.modified > known.modified : isLines
}
