/**
 * Which sessions are runs of ours and passed over: those on the list of own sessions, and runs of registered jobs. The manifest notes each of
 * them as well (`SessionEntry.own`). So a damaged list loses none, ids stay on the lists as long as their sessions may come back, and one
 * that the user took from a list is told from one that was never on it: it is mined, whatever its prompt says.
 */
import { basename } from 'node:path'
import type { HostCommand } from './jobs.ts'
import type { Layout } from './layout.ts'
import type { Scan } from './missing-sessions.ts'
import { jobSessions } from './own-jobs.ts'
import type { SessionSlices } from './read-session.ts'
import { loadSelfSessions, rememberSelfSession, saveSelfSessions, withoutOldest } from './self-sessions.ts'
import { keepAside, type SessionEntry, type SessionManifest, saveSessionManifest } from './session-manifest.ts'

export interface OurSessions {
  /** Of sessions or of their owners. */
  readonly ids: ReadonlySet<string>
  /** With every session that is passed over noted in it; the same one where nothing was new. */
  readonly manifest: SessionManifest
  readonly notices: readonly string[]
}

/** `register` is the command that registers a job, for notices. The list of own sessions has been repaired where it was damaged. */
export function ourSessions(tree: Layout, scan: Scan, manifest: SessionManifest, register: HostCommand, now: Date): OurSessions {
  const there = new Set(scan.found.flatMap(({ id, owner }) => [id, owner]))
  const isKnown = (id: string): boolean => there.has(id) || manifest.sessions.has(id)
  const jobs = jobSessions(tree, scan.found, isKnown, register)
  const list = loadSelfSessions(tree) ?? []
  const kept = withoutOldest(list, isKnown)
  if (kept.length < list.length) saveSelfSessions(tree, kept)
  // Nothing was taken from a list that cannot be read.
  const ids = new Set([...list, ...(jobs.ids ?? passedOver(manifest))])
  return { ids, manifest: noted(manifest, scan, ids, now), notices: jobs.notice === undefined ? [] : [jobs.notice] }
}

function passedOver({ sessions }: SessionManifest): string[] {
  return [...sessions].filter(([, { own }]) => own === true).map(([id]) => id)
}

/** In place of a list that is damaged puts one of what the manifest knows; a sentence that says so. */
export function repairSelfSessions(tree: Layout, manifest: SessionManifest, register: HostCommand): string | undefined {
  if (loadSelfSessions(tree) !== undefined) return undefined
  const ofJobs = jobSessions(tree, [], () => true, register).ids
  const aside = keepAside(tree.selfSessions)
  saveSelfSessions(
    tree,
    passedOver(manifest).filter((id) => ofJobs?.has(id) !== true),
  )
  return `${tree.selfSessions}, the list of sessions that are runs of memU, was damaged and is kept as ${basename(aside)}. Those that were passed over before are in it again; others that were only in the old list are mined.`
}

function noted(manifest: SessionManifest, { found, log }: Scan, ids: ReadonlySet<string>, now: Date): SessionManifest {
  const fresh = new Map<string, SessionEntry>()
  for (const { id, owner, size, modified } of found) {
    const entry = manifest.sessions.get(id)
    if (entry?.own === true || !(ids.has(id) || ids.has(owner))) continue
    // Where it was mined before, its cursor stays: it goes on there when the user takes it back.
    fresh.set(id, { size, modified, mined: now.toISOString(), log, ...entry, own: true })
  }
  return fresh.size === 0 ? manifest : { ...manifest, sessions: new Map([...manifest.sessions, ...fresh]) }
}

/** Of a longer row the rest is counted. */
const MOST_NAMED = 5

/**
 * Remembers runs of ours that were known by their prompts, at once: no commit has to follow. The list comes first, since a session that the
 * manifest alone knows counts as taken back.
 */
export function passOver(
  tree: Layout,
  manifest: SessionManifest,
  own: readonly SessionSlices[],
): Pick<OurSessions, 'manifest' | 'notices'> {
  if (own.length === 0) return { manifest, notices: [] }
  for (const { session } of own) rememberSelfSession(tree, session.owner)
  const after = { ...manifest, sessions: new Map([...manifest.sessions, ...own.map(({ session, entry }) => [session.id, entry] as const)]) }
  saveSessionManifest(tree.sessionManifest, after)
  const ids = [...new Set(own.map(({ session }) => session.owner))]
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''
  const begin = ids.length === 1 ? 'begins with the prompt of a run of memU and is' : 'begin with the prompts of runs of memU and are'
  const undo = `To undo that, take ${ids.length === 1 ? 'its id' : 'the id'} out of ${tree.selfSessions}.`
  return { manifest: after, notices: [`${ids.slice(0, MOST_NAMED).join(', ')}${more} ${begin} not mined. ${undo}`] }
}
