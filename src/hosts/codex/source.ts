/**
 * Codex's rollouts: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, cold ones compressed, archived ones in a
 * folder of their own. Copies of one rollout are one session here. A revert of a thread goes on in a file of its own
 * that does not repeat what came before: a session of its own, owned by the thread.
 */
import { dirname, join } from 'node:path'
import type { System } from '../../util/system.ts'
import { openCompressed } from '../compressed.ts'
import { child, entries, fileState, isDirectory, isLogFile, keepBetter } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { codexDialect } from './classify.ts'
import { uuidTime } from './fork.ts'
import { threadNames } from './thread-names.ts'

const COMPRESSED = '.zst'
const FILE = /^(.+)\.jsonl(\.zst)?$/
/** Local time, thread, and the id of the rollout that a revert began. */
const ROLLOUT = /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(_[\w-]+)?$/i
/** Year, month, day. */
const DEPTH = 3

interface RolloutFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modified: number
  readonly compressed: boolean
}

/** The sessions below all of these folders, beside the first of which Codex notes their names. */
export function codexSource(folders: readonly [string, ...string[]], system: System): TranscriptSource {
  let threads: ReadonlySet<string> | undefined
  let names: ReadonlyMap<string, string> | undefined

  function discover(report: Report): SessionRef[] {
    const files = new Map<string, RolloutFile>()
    for (const folder of folders) scan(folder, DEPTH, report, files)
    const sessions = identify([...files.values()])
    threads = new Set(sessions.map(({ owner }) => owner))
    names = undefined
    return sessions
  }

  return {
    exists: () => folders.some(isDirectory),
    discover,

    async read(session, since, emit, signal) {
      const isKnown = (thread: string): boolean => {
        // Unreadable directories were reported by the caller's own scan.
        if (threads === undefined) discover(() => {})
        return threads?.has(thread) ?? false
      }
      const dialect = codexDialect({ isKnown, now: system.now().getTime() })
      const read = { path: session.path, since, emit, signal }
      const isPacked = session.path.endsWith(COMPRESSED)
      const decompressor = isPacked ? (await import('fzstd')).Decompress : undefined
      const result = await readSession(dialect, {
        ...read,
        ...(decompressor && { open: (path: string) => openCompressed(path, decompressor) }),
      })
      names ??= threadNames(join(dirname(folders[0]), 'session_index.jsonl'))
      const title = names.get(session.owner)
      return title === undefined ? result : { ...result, facts: { ...result.facts, title } }
    },
  }
}

/** The rollout files below a directory by name; of the copies of one the plain one is the live one. */
function scan(directory: string, depth: number, report: Report, files: Map<string, RolloutFile>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (entry.isDirectory()) {
      if (depth > 0) scan(path, depth - 1, report, files)
      continue
    }
    const [, name, packed] = FILE.exec(entry.name) ?? []
    const state = name === undefined || !isLogFile(entry, path, report) ? undefined : fileState(path, report)
    if (name === undefined || state === undefined) continue
    keepBetter(files, name, { name, path, ...state, compressed: packed !== undefined }, isBetter)
  }
}

function isBetter(one: RolloutFile, other: RolloutFile): boolean {
  return one.compressed === other.compressed ? one.modified > other.modified : !one.compressed
}

/**
 * A thread's first rollout has the thread's id, every further one an id that adds to it. Which is the first is told by the file's own name
 * alone, so that an id stays whatever becomes of the other files: the thread's id holds the time at which it began, and the first rollout
 * was begun in the same moment. Of a thread whose id holds no time (before autumn 2025) each rollout has an id that adds to it.
 */
function identify(files: readonly RolloutFile[]): SessionRef[] {
  const taken = new Set<string>()
  const inOrder = [...files].sort((a, b) => (a.name < b.name ? -1 : 1))
  return inOrder.map(({ name, path, size, modified }) => {
    const [, written = '', thread, revert] = ROLLOUT.exec(name) ?? []
    const owner = thread?.toLowerCase() ?? name
    const isFirst = !taken.has(owner) && beganWith(owner, written)
    const id = revert !== undefined ? `${owner}${revert}` : isFirst ? owner : `${owner}_${written}`
    taken.add(id)
    return { id, owner, path, size, modified }
  })
}

/** Zones are whole quarters of an hour from UTC, at most 14 hours. */
const ZONES = 15 * 60_000
const FARTHEST_ZONE = 14 * 3_600_000
/** The file is named within a second of the thread; a machine that is busy gets more. */
const NAMING_TAKES = 10_000

/** Whether a rollout whose name says that it was written then, in local time, may be the one that its thread began with. */
function beganWith(thread: string, written: string): boolean {
  const born = uuidTime(thread)
  if (born === undefined) return false
  const [date, time = ''] = written.split('T')
  const apart = Date.parse(`${date}T${time.replaceAll('-', ':')}Z`) - born
  const offZone = Math.abs(apart - ZONES * Math.round(apart / ZONES))
  return Math.abs(apart) <= FARTHEST_ZONE + NAMING_TAKES && offZone <= NAMING_TAKES
}
