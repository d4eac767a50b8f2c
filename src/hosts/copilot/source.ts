/**
 * Copilot CLI's sessions: `session-state/<session>/events.jsonl`; older versions wrote `session-state/<session>.jsonl`, and put away
 * what they no longer showed in `history-session-state`, in either form.
 */
import { dirname, join } from 'node:path'
import { type ByteSource, openFile } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, inFolder, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { type Family, family, handedOut } from '../forks.ts'
import { readSession } from '../jsonl-session.ts'
import { takenBack } from '../rewound.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { copilotDialect, copilotRecords, copilotUndoing } from './classify.ts'
import { headsOf } from './forks.ts'
import { parseWorkspace, type Workspace } from './workspace.ts'

const EVENTS = 'events.jsonl'
const EXTENSION = '.jsonl'
const WORKSPACE = 'workspace.yaml'
/** The events of a session that has only notes yet. */
const NOTHING: ByteSource = { readAt: () => 0, close: () => {} }
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The first event is short; the notes beside a session are shorter. */
const HEAD_BYTES = 64 * 1024

/** The sessions in all of these folders. */
export function copilotSource(places: readonly string[], system: System): TranscriptSource {
  let known: readonly SessionRef[] | undefined
  let beside: Family | undefined

  function discover(report: Report): SessionRef[] {
    const sessions = new Map<string, SessionRef>()
    for (const place of places) scan(place, report, sessions)
    for (const place of places) scanBegun(place, sessions)
    known = [...sessions.values()]
    beside = undefined
    return [...known]
  }

  return {
    exists: () => places.some(isDirectory),
    discover,

    async read({ id, path }, since, emit, signal) {
      const offset = typeof since?.offset === 'number' ? since.offset : 0
      // Unreadable directories were reported by the caller's own scan.
      beside ??= family(() => headsOf(known ?? discover(() => {})), handedOut(copilotRecords))
      const { isCopy } = beside
      const dialect = copilotDialect({
        isCopy: (event, beginning) => isCopy(event, { session: id, ...beginning }),
        takenBack: (fromStart) => takenBack(path, fromStart ? 0 : offset, copilotUndoing),
        now: system.now().getTime(),
      })
      const open = path.endsWith(WORKSPACE) ? () => NOTHING : openFile
      const result = await readSession(dialect, { path, open, since, emit, signal })
      const { name, cwd, branch } = workspaceOf(path)
      return {
        ...result,
        facts: { ...(name && { title: name }), ...(cwd && { project: cwd }), ...(branch && { branch }), ...result.facts },
      }
    },
  }
}

function scan(place: string, report: Report, sessions: Map<string, SessionRef>): void {
  for (const entry of entries(place, report)) {
    const path = child(place, entry.name)
    if (entry.name.endsWith(EXTENSION) && isLogFile(entry, path, report))
      add(sessions, report, path, entry.name.slice(0, -EXTENSION.length))
    else if (entry.isDirectory()) add(sessions, inFolder(path, report), child(path, EVENTS), entry.name)
  }
}

/**
 * The program makes the folder and its notes at once, and writes the events some seconds into the first turn: until then a tool that
 * asks for its session, such as a run of ours, finds it by them.
 */
function scanBegun(place: string, sessions: Map<string, SessionRef>): void {
  for (const entry of entries(place, () => {})) {
    if (!entry.isDirectory() || !UUID.test(entry.name) || sessions.has(entry.name)) continue
    const path = child(child(place, entry.name), WORKSPACE)
    const notes = fileState(path, () => {}) // What cannot be read was reported by `scan`.
    if (notes !== undefined) sessions.set(entry.name, { id: entry.name, owner: entry.name, path, size: 0, modified: notes.modified })
  }
}

function add(sessions: Map<string, SessionRef>, report: Report, path: string, name: string): void {
  const id = UUID.test(name) ? name : (startedAs(path) ?? name)
  keepFile(sessions, { id, owner: id, path }, report)
}

/** The program names a folder by the session's id. Only of one that has another name, which a person gave it, the first event is asked. */
function startedAs(path: string): string | undefined {
  return /^\{[^\n]*?"sessionId":"([\w-]+)"/.exec(headOfFile(path, HEAD_BYTES) ?? '')?.[1]
}

/** `path` is that of the events, or of the notes themselves. */
function workspaceOf(path: string): Workspace {
  const isFolder = path.endsWith(EVENTS) || path.endsWith(WORKSPACE)
  return isFolder ? parseWorkspace(headOfFile(join(dirname(path), WORKSPACE), HEAD_BYTES) ?? '') : {}
}
