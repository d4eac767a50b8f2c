/**
 * Codex's rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, cold ones compressed, archived ones in the folder
 * `archived_sessions` beside it. One thread can stand in several of these; the one that is read is chosen here.
 */
import { dirname, join } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, entries, fileState, isDirectory } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { codexDialect } from './classify.ts'
import { openCompressed } from './compressed.ts'

const COMPRESSED = '.zst'
const ROLLOUT = /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[\w-]+)?$/i
/** Year, month, day. */
const DEPTH = 3

/** A rollout file; `written` is the local time in its name, later for one that a revert of the thread began. */
interface Candidate extends SessionRef {
  readonly written: string
  readonly compressed: boolean
}

export function codexSource(sessionDir: string, system: System): TranscriptSource {
  const archive = join(dirname(sessionDir), 'archived_sessions')
  let known: ReadonlySet<string> | undefined

  function discover(report: Report): SessionRef[] {
    const threads = new Map<string, Candidate>()
    scan(sessionDir, DEPTH, report, threads)
    scan(archive, DEPTH, report, threads)
    known = new Set(threads.keys())
    return [...threads.values()].map(({ id, owner, path, size, modified }) => ({ id, owner, path, size, modified }))
  }

  return {
    exists: () => isDirectory(sessionDir) || isDirectory(archive),
    discover,

    async read(session, since, emit, signal) {
      const isKnown = (thread: string): boolean => {
        // Unreadable directories were reported by the caller's own scan.
        if (known === undefined) discover(() => {})
        return known?.has(thread) ?? false
      }
      const dialect = codexDialect({ isKnown, now: system.now().getTime() })
      const read = { path: session.path, since, emit, signal }
      if (!session.path.endsWith(COMPRESSED)) return readSession(dialect, read)
      const { Decompress } = await import('fzstd')
      return readSession(dialect, { ...read, open: (path) => openCompressed(path, Decompress) })
    },
  }
}

function scan(directory: string, depth: number, report: Report, threads: Map<string, Candidate>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.isDirectory()) {
      if (depth > 0) scan(path, depth - 1, report, threads)
    } else if (entry.isFile()) {
      const name = /^(.+)\.jsonl(\.zst)?$/.exec(entry.name)
      const state = name?.[1] === undefined ? undefined : fileState(path, report)
      if (name?.[1] === undefined || state === undefined) continue
      const rollout = ROLLOUT.exec(name[1])
      const id = rollout?.[2]?.toLowerCase() ?? name[1]
      const found = { id, owner: id, path, ...state, written: rollout?.[1] ?? '', compressed: name[2] !== undefined }
      const other = threads.get(id)
      if (other === undefined || isBetter(found, other)) threads.set(id, found)
    }
  }
}

/** The rollout begun last holds the thread as it stands; of its copies a plain one is the live one. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.written !== other.written) return one.written > other.written
  if (one.compressed !== other.compressed) return !one.compressed
  return one.modified > other.modified
}
