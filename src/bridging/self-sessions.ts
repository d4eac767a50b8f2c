/**
 * A run that is carried out by the host's own agent is logged by the host as a session like any other. Its id is remembered in
 * `.self_sessions.<host>.json`, so that memory is not made of making memory.
 *
 * Who runs and why come from two places: the host names the session in the environment, the launch says that it is a bridging run
 * (`MEMU_BRIDGING_RUN`, or the working directory being the tree). A person who runs `prepare` has their session mined.
 */
import * as fs from 'node:fs'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { SessionRef, TranscriptSource } from '../hosts/transcript-source.ts'
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { System } from '../util/system.ts'
import type { Layout } from './layout.ts'
import { keepAside } from './session-manifest.ts'

/** Of ids that nothing else knows any more: sessions that were never logged, and those that have been gone from their log for a year. */
const MOST_UNKNOWN = 1000
/** Where the launch does not say when it was: an agent that is told to prepare does so at the beginning of its session. */
const MAX_AGE_MS = 15 * 60 * 1000

/** The ids of sessions that were runs of ours; none where the list is damaged. */
export function selfSessions(tree: Layout): ReadonlySet<string> {
  return new Set(loadSelfSessions(tree))
}

/** The same as the file has them, oldest first. Undefined where it is there and is not a list. */
export function loadSelfSessions(tree: Layout): readonly string[] | undefined {
  const text = readTextIfExists(tree.selfSessions)
  if (text === undefined) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : undefined
  } catch {
    return undefined
  }
}

/** Adds an id; the caller holds the tree's lock. A damaged file is kept aside. */
export function rememberSelfSession(tree: Layout, id: string): void {
  const known = loadSelfSessions(tree)
  if (known === undefined) keepAside(tree.selfSessions)
  else if (known.includes(id)) return
  saveSelfSessions(tree, [...(known ?? []), id])
}

/** The file stays a plain list of strings, as the Python memU writes it. */
export function saveSelfSessions(tree: Layout, ids: readonly string[]): void {
  writeFileAtomic(tree.selfSessions, `${JSON.stringify(ids, null, 2)}\n`)
}

/** What is still known stays, whatever its number: an id that fell off would be a new session in the next run. Oldest first, both. */
export function withoutOldest(ids: readonly string[], isKnown: (id: string) => boolean): readonly string[] {
  let over = ids.filter((id) => !isKnown(id)).length - MOST_UNKNOWN
  return over <= 0 ? ids : ids.filter((id) => isKnown(id) || --over < 0)
}

/**
 * The session in which this process runs, if it is a bridging run's own; remembered before it is returned. Variables are
 * inherited by agents that agents start, so an id is believed only when that session exists and is no older than the run.
 */
export async function claimOwnSession(
  tree: Layout,
  spec: HostSpec,
  system: System,
  source: TranscriptSource,
  sessions: readonly SessionRef[],
): Promise<string | undefined> {
  const id = spec.sessionIdEnv === undefined ? undefined : system.env[spec.sessionIdEnv]
  if (!id || !isBridgingRun(tree, system)) return undefined
  const own = sessions.find((session) => session.id === id) ?? sessions.find((session) => session.owner === id)
  if (own === undefined) return undefined
  const began = await beginning(source, own)
  if (began === undefined || began < runStart(system)) return undefined
  rememberSelfSession(tree, id)
  return id
}

function isBridgingRun(tree: Layout, system: System): boolean {
  return Boolean(system.env.MEMU_BRIDGING_RUN) || realPath(system.cwd) === realPath(tree.base)
}

/** `MEMU_BRIDGING_RUN` may hold the time of the launch (ISO); any other value only says that it is a run. */
function runStart(system: System): number {
  const value = system.env.MEMU_BRIDGING_RUN ?? ''
  const launched = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(launched) ? system.now().getTime() - MAX_AGE_MS : launched
}

/** The time of the first record that has one; of the file, where none has. Milliseconds; undefined where it cannot be read. */
async function beginning(source: TranscriptSource, session: SessionRef): Promise<number | undefined> {
  const found = new AbortController()
  let at: string | undefined
  try {
    const emit = (record: { readonly at?: string }): void => {
      if (at !== undefined || record.at === undefined) return
      at = record.at
      found.abort()
    }
    await source.read(session, undefined, emit, found.signal)
  } catch {
    // Either it was found and the read stopped, or the session is not readable: then it is not claimed.
    if (at === undefined) return undefined
  }
  return at === undefined ? fs.statSync(session.path).birthtimeMs : Date.parse(at)
}

function realPath(path: string): string {
  try {
    return fs.realpathSync(path)
  } catch {
    return path // Not there yet: then nothing runs in it.
  }
}
