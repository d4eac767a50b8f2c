/**
 * Claude Cowork, the agent inside Claude Desktop: `<root>/local-agent-mode-sessions/<uuid>/<uuid>/local_<uuid>/`. Each such folder is one
 * session, whatever ids its records carry. It is read from its `audit.jsonl`, or where there is none from the Claude Code transcripts
 * inside it; never from both, and never is the `.audit-key` beside them opened.
 */
import { basename, dirname, sep } from 'node:path'
import type { JsonObject } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, inFolder, isDirectory, isInnerFolder } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import { type Dialect, readSession } from '../jsonl-session.ts'
import type { Report, SessionFacts, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { claudeCodeDialect, type State } from './classify.ts'
import { copyTest, siblings } from './copies.ts'
import { coworkDialect } from './cowork-audit.ts'
import type { CoworkRoot } from './cowork-roots.ts'
import { claudeCodeTranscripts, isOldSubagent } from './transcripts.ts'

const SESSIONS = 'local-agent-mode-sessions'
const AUDIT = 'audit.jsonl'
/** `<uuid>/<uuid>/agent/local_ditto_<uuid>` is the deepest that is known. */
const DEPTH = 4
/** Not sessions: the skills of the app, which may hold whole projects. */
const SKILLS = 'skills-plugin'
/** The largest description of a session that is read: its lists of tools can be long. */
const DESCRIPTION_BYTES = 1024 * 1024

export function coworkSource(root: CoworkRoot, system: System): TranscriptSource {
  const folder = basename(root.path) === SESSIONS ? root.path : child(root.path, SESSIONS)
  const sessions = coworkSessions(folder, system)
  return {
    ...sessions,
    // A root that the user named and that is missing has to be told, also where nothing else is found.
    exists: () => root.declared || sessions.exists(),
    discover(report) {
      if (root.declared && !isDirectory(root.path)) {
        report({ path: root.path, reason: 'MEMU_COWORK_ROOTS names it, and there is no such folder' })
      }
      return sessions.discover(report)
    },
  }
}

/** `directory` is the `local-agent-mode-sessions` of a root. */
export function coworkSessions(directory: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(directory),
    discover: (report) => sessionFolders(directory, report).flatMap((folder) => sessionsOf(folder, system, report)),
    async read(session, since, emit, signal) {
      const result = await readSession(coworkRecords(session, system), { path: session.path, since, emit, signal })
      return { ...result, facts: { ...result.facts, ...factsOf(session) } }
    },
  }
}

function sessionFolders(directory: string, report: Report, depth = DEPTH): string[] {
  return entries(directory, report)
    .filter((entry) => entry.isDirectory() && entry.name !== SKILLS)
    .flatMap(({ name }) => {
      const path = child(directory, name)
      if (name.startsWith('local_')) return [path]
      return depth > 1 ? sessionFolders(path, report, depth - 1) : []
    })
}

/** The session of a folder and the transcripts of its subagents; none where nothing was logged yet. */
function sessionsOf(folder: string, system: System, report: Report): SessionRef[] {
  const id = basename(folder)
  const inside = entries(folder, report)
  const audit = child(folder, AUDIT)
  const state = inside.some(({ name }) => name === AUDIT) ? fileState(audit, report) : undefined
  const audited = state === undefined ? [] : [{ id, owner: id, path: audit, ...state }]
  if (state !== undefined && state.size > 0) return audited
  const settings = child(folder, '.claude')
  const projects = child(settings, 'projects')
  const isFolder = inside.some((entry) => entry.name === '.claude' && entry.isDirectory())
  if (!isFolder || !isInnerFolder(projects, inFolder(settings, report))) return audited
  const inner = claudeCodeTranscripts(projects, system).discover(report)
  const main = mainTranscript(
    inner.filter((session) => session.owner === session.id && !isOldSubagent(session.id)),
    folder,
  )
  return inner.map((session) => ({ ...session, id: session === main ? id : `${id}/${session.id}`, owner: id }))
}

/** How the records of a session are told apart. `onCopy` is told of each that was copied from another session and is left to that one. */
export function coworkRecords(session: SessionRef, system: System, onCopy: () => void = () => {}): Dialect<State> {
  const now = system.now().getTime()
  if (isAudit(session)) return coworkDialect(now)
  const name = basename(session.path, '.jsonl')
  const isSubagent = isOldSubagent(name) || session.path.includes(`${sep}subagents${sep}`)
  // A session that was resumed may begin with the records of the one before it, which lies beside it.
  const copies = (fromStart: boolean) => {
    const isCopied = isSubagent ? () => false : copyTest(session.path, name, fromStart, siblings())
    return (record: JsonObject): boolean => {
      const isCopy = isCopied(record)
      if (isCopy) onCopy()
      return isCopy
    }
  }
  return claudeCodeDialect({ isSubagent, copies, now })
}

export function isAudit(session: SessionRef): boolean {
  return basename(session.path) === AUDIT
}

/** The transcript that the description names, or else the one that was written last. */
function mainTranscript(sessions: readonly SessionRef[], folder: string): SessionRef | undefined {
  if (sessions.length < 2) return sessions[0]
  const named = describe(folder)?.cliSessionId
  return sessions.find(({ id }) => id === named) ?? [...sessions].sort((a, b) => b.modified - a.modified)[0]
}

/** Cowork runs in a machine of its own, whose paths mean nothing here: the project is the folder that the user gave to it. */
function factsOf(session: SessionRef): SessionFacts {
  const about = describe(folderOf(session))
  const title = asText(about?.title)
  const selected: unknown = Array.isArray(about?.userSelectedFolders) ? about.userSelectedFolders[0] : undefined
  const project = [selected, about?.cwd].map(asText).find((path) => path !== undefined && !path.startsWith('/sessions/'))
  return { ...(title && { title: title.trim() }), ...(project && { project }) }
}

function folderOf({ owner, path }: SessionRef): string {
  const at = path.lastIndexOf(`${sep}${owner}${sep}`)
  return at < 0 ? dirname(path) : path.slice(0, at + 1 + owner.length)
}

/** `local_<uuid>.json` beside the folder; undefined where it is missing or damaged: it only adds. */
function describe(folder: string): Readonly<Record<string, unknown>> | undefined {
  const path = `${folder}.json`
  if (fileState(path, () => {}) === undefined) return undefined
  try {
    return asObject(JSON.parse(headOfFile(path, DESCRIPTION_BYTES) ?? ''))
  } catch {
    return undefined // Half written: the session goes without its title this time.
  }
}
