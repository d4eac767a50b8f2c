/**
 * The sessions of an agent that has no program of its own: every JSON-lines file and JSON document below the folder that the user
 * named, each record read by its shape. The path below that folder is a session's id.
 */
import type { System } from '../../util/system.ts'
import { child, entries, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { agentDialect } from './classify.ts'
import { isDocument, isLogFolder, isLogName, withoutExtension } from './log-files.ts'
import { readDocument } from './read-document.ts'

/** No agent nests its sessions deeper; a folder that holds a copy of itself ends here. */
const DEPTH = 12
/** The folder below a session's own in which several agents keep what its subagents logged. */
const SUBAGENTS = '/subagents/'

export function agentSource(sessionDir: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(sessionDir),

    discover(report) {
      const found = new Map<string, SessionRef>()
      scan(sessionDir, '', DEPTH, report, found)
      return [...found.values()]
    },

    async read({ id, owner, path }, since, emit, signal) {
      const reading = { isSubagent: id !== owner, now: system.now().getTime() }
      const document = isDocument(path) ? await readDocument({ ...reading, path, since, emit, signal }) : undefined
      return document ?? readSession(agentDialect(reading), { path, since, emit, signal })
    },
  }
}

function scan(directory: string, prefix: string, depth: number, report: Report, found: Map<string, SessionRef>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.isDirectory()) {
      if (depth > 1 && isLogFolder(entry.name)) scan(path, `${prefix}${entry.name}/`, depth - 1, report, found)
    } else if (isLogName(entry.name) && isLogFile(entry, path, report)) {
      add(found, path, prefix + withoutExtension(entry.name), report)
    }
  }
}

/** Of `x.json` and `x.jsonl` the one written last is the session: programs move from the one to the other. */
function add(found: Map<string, SessionRef>, path: string, id: string, report: Report): void {
  const within = id.indexOf(SUBAGENTS)
  keepFile(found, { id, owner: within > 0 ? id.slice(0, within) : id, path }, report)
}
