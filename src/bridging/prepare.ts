/**
 * The first half of a run: finds what is new in the host's session log, writes it as slices, writes the store as a mirror beside
 * it, and one job file for each task an agent has to do. Moves no cursor: `commit` does, when the store has what was learned.
 */
import * as fs from 'node:fs'
import type { SessionRef, TranscriptSource } from '../hosts/transcript-source.ts'
import { MemuError } from '../util/errors.ts'
import { acquireLock } from '../util/lock.ts'
import { type BridgingDeps, gateOptions, type Problem, scopeOf, type TreeOptions } from './bridging-deps.ts'
import { closeRun, openRun, refuseDuringRun } from './bridging-run.ts'
import { clearRun } from './done.ts'
import { withoutSecrets } from './files-gate.ts'
import { hostCommand, jobsOfSession, planJobs, slicePaths, writeJobs } from './jobs.ts'
import type { Layout } from './layout.ts'
import { dropKeys, dropPendingKeys, promoteKeys } from './mined-keys.ts'
import { type MirrorReport, writeMirror } from './mirror.ts'
import { logName, type Scan, withoutMissing } from './missing-sessions.ts'
import type { Gates } from './open-gates.ts'
import { ourSessions, passOver, repairSelfSessions } from './our-sessions.ts'
import { claimTree, ownTree } from './own-tree.ts'
import { dropPending, loadPending, type PendingSession, savePending } from './pending.ts'
import { badRecords, type PrepareReport, preparedSession } from './prepare-report.ts'
import { readChanged } from './read-changed.ts'
import type { SessionSlices } from './read-session.ts'
import { summedCounts } from './rule-counts.ts'
import { claimOwnSession } from './self-sessions.ts'
import { isUnchanged, loadSessionManifest, type SessionManifest, saveSessionManifest } from './session-manifest.ts'
import { storedFiles } from './stored-files.ts'
import { shippedTemplates } from './templates.ts'
import { told } from './told.ts'
import { refuseUnknownLog } from './unknown-log.ts'

export interface PrepareOptions extends TreeOptions {
  /** Another place of the host's session log than its own. */
  readonly sessionDir?: string
  /** How many sessions a run takes at the most; 10. */
  readonly maxJobs?: number
  readonly signal?: AbortSignal
}

export { type PrepareReport, prepareExit } from './prepare-report.ts'

const DEFAULT_MAX_JOBS = 10

export async function prepare(options: PrepareOptions, deps: BridgingDeps): Promise<PrepareReport> {
  const maxJobs = options.maxJobs ?? DEFAULT_MAX_JOBS
  if (!Number.isSafeInteger(maxJobs) || maxJobs < 1) {
    throw new MemuError('invalid_max_jobs', `--max-jobs is a number of sessions from 1 up, not ${maxJobs}.`, { exit: 2 })
  }
  const sessionDir = options.sessionDir ?? deps.spec.sessionDir(deps.system)
  if (sessionDir === undefined) {
    throw new MemuError('session_dir_required', `${deps.spec.binary} does not know where the sessions lie.`, {
      hint: `Name the folder with --session-dir; ${deps.spec.binary} detect finds it.`,
      exit: 2,
    })
  }
  const source = await deps.spec.source(sessionDir, deps.system)
  if (!source.exists()) {
    throw new MemuError('no_session_log', `${deps.spec.title} has no session log in ${sessionDir}.`, {
      hint: `Give its place with --session-dir, or use ${deps.spec.title} once on this machine.`,
      exit: 2,
    })
  }
  const tree = ownTree(options, deps)
  const lock = acquireLock(tree.lock, { purpose: 'prepare', token: options.lockToken, now: deps.system.now })
  try {
    claimTree(tree)
    return await prepareLocked(tree, source, { ...options, maxJobs, log: logName(sessionDir), readDir: sessionDir }, deps)
  } finally {
    lock.release()
  }
}

async function prepareLocked(
  tree: Layout,
  source: TranscriptSource,
  options: PrepareOptions & { readonly maxJobs: number; readonly log: string; readonly readDir: string },
  deps: BridgingDeps,
): Promise<PrepareReport> {
  const { spec, system } = deps
  const problems: Problem[] = []
  const found = source.discover(({ path, reason }) => problems.push({ on: path, reason }))
  const scan: Scan = { found, log: options.log, isWhole: problems.length === 0 }
  const loaded = loadSessionManifest(tree.sessionManifest)
  const command = hostCommand(spec.binary, options.baseDir, system.platform)
  const repaired = repairSelfSessions(tree, loaded, command)
  const self = await claimOwnSession(tree, spec, system, source, found)
  refuseDuringRun(tree, self, found, system.now())
  forgetLastRun(tree, loaded)
  const started = system.now()
  const present = withoutMissing(loaded, scan, started)
  const ours = ourSessions(tree, scan, present.manifest, command, started)
  if (ours.manifest !== loaded || loaded.notice !== undefined) saveSessionManifest(tree.sessionManifest, ours.manifest)
  for (const id of present.forgotten) dropKeys(tree, id)
  const { manifest } = ours
  const { changed, skipped } = sift(found, manifest, ours.ids, started)
  // Most runs find nothing new, and load neither guard nor rules.
  let gates: Gates | undefined
  const opened = async (): Promise<Gates> => {
    gates ??= (await import('./open-gates.ts')).gates(gateOptions(options, deps))
    return gates
  }
  const { mined, nothing, own, subagents, waiting, unread } = await readChanged(changed, options, async () => ({
    tree,
    host: spec.host,
    source,
    log: options.log,
    manifest,
    gate: await (await opened()).slices(tree),
    now: started,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }))
  const run = `${started.toISOString().replace(/\D/g, '')}-${process.pid}` // Names files, and stands in commands.
  const jobs = planJobs(tree, mined.length)
  const passedOver = passOver(tree, manifest, own)
  const pending = [...mined, ...nothing].map((slices) => pendingSession(slices, mined))
  let mirror: MirrorReport | undefined
  if (mined.length === 0) {
    const known = remember(tree, passedOver.manifest, pending)
    const isNamed = options.sessionDir !== undefined
    if (unread.length + problems.length === 0) {
      refuseUnknownLog({ spec, system, sessionDir: options.readDir, isNamed, found, manifest: known })
    }
  } else {
    openRun(tree, { run, started: started.toISOString(), ...(self === undefined ? {} : { session: self }) })
    for (const [at, slices] of mined.entries()) numberSlices(tree, slices, at + 1)
    const stored = await storedFiles(await deps.backend(), scopeOf(deps))
    mirror = await writeMirror(tree, { ...stored, files: withoutSecrets(stored.files, await (await opened()).files()) })
    writeJobs(tree, run, jobs, deps.templates ?? shippedTemplates(), command)
    // Who holds the lock across prepare and commit has an executor of its own, and knows what became of it.
    const by = options.lockToken === undefined ? {} : { prepared_by: 'bridge' as const }
    const agent = spec.agentName?.(options.readDir, system)
    savePending(tree, {
      run,
      started: started.toISOString(),
      sessions: pending,
      resourceJob: 2 * mined.length + 1,
      ...by,
      ...(agent === undefined ? {} : { agent }),
    })
  }

  const bad = [...mined, ...nothing].flatMap(badRecords)
  const seen = [...problems, ...unread, ...(mirror?.problems ?? [])]
  const notices = [...[loaded.notice, repaired].filter((notice) => notice !== undefined), ...ours.notices, ...passedOver.notices]
  const isNaming = seen.length + bad.length + notices.length > 0
  const names = isNaming ? (await (await opened()).files()).text : (text: string): string => text
  const internal = nothing.filter(({ facts }) => facts.internal).length
  return {
    base: tree.base,
    run,
    sessions: mined.map(preparedSession),
    jobs,
    waiting,
    skipped: {
      unchanged: skipped.unchanged,
      self: skipped.self + own.length + subagents,
      internal,
      nothingToMine: nothing.length - internal,
    },
    bad: told(bad, names),
    redacted: summedCounts(mined.map(({ removed }) => removed)),
    problems: told(seen, names),
    ...(mirror === undefined ? {} : { mirror: { files: mirror.files, kept: mirror.kept } }),
    ...(self === undefined ? {} : { self: { id: self, undo: `remove its id from ${tree.selfSessions}` } }),
    notices: [...told(notices, names), ...unredacted(options, mined.length), ...(mirror?.notices ?? [])],
  }
}

function unredacted({ redact = true }: PrepareOptions, sessions: number): string[] {
  return redact || sessions === 0 ? [] : ['Secrets were not removed from the slices (--no-redact): the model that reads them sees them.']
}

/** Leaves nothing of a run that was not committed but what its agent wrote in the mirror: its cursors never moved. */
function forgetLastRun(tree: Layout, manifest: SessionManifest): void {
  const last = loadPending(tree)
  for (const session of last?.sessions ?? []) {
    // A commit that was cut off right after it moved the cursors.
    if (manifest.sessions.get(session.id)?.mined === session.entry.mined) promoteKeys(tree, session.id)
  }
  dropPending(tree)
  dropPendingKeys(tree)
  clearRun(tree)
  closeRun(tree)
}

interface Sifted {
  readonly changed: readonly SessionRef[]
  readonly skipped: { readonly unchanged: number; readonly self: number }
}

function sift(found: readonly SessionRef[], manifest: SessionManifest, own: ReadonlySet<string>, now: Date): Sifted {
  const foreign = found.filter((session) => !own.has(session.owner) && !own.has(session.id))
  const changed = foreign.filter((session) => !isUnchanged(manifest.sessions.get(session.id), session, now))
  return { changed, skipped: { unchanged: foreign.length - changed.length, self: found.length - foreign.length } }
}

function numberSlices(tree: Layout, slices: SessionSlices, number: number): void {
  if (slices.paths === undefined) return
  const named = slicePaths(tree, number)
  fs.renameSync(slices.paths.conversation, named.conversation)
  fs.renameSync(slices.paths.full, named.full)
}

function pendingSession(slices: SessionSlices, mined: readonly SessionSlices[]): PendingSession {
  const { session, name, entry, counts, facts, replaces } = slices
  const at = mined.indexOf(slices)
  return {
    id: session.id,
    owner: name,
    entry,
    jobs: at < 0 ? [] : jobsOfSession(at + 1, mined.length),
    ...(facts.project ? { project: facts.project } : {}),
    ...(counts.from ? { from: counts.from } : {}),
    ...(counts.to ? { to: counts.to } : {}),
    ...(replaces === undefined ? {} : { replaces }),
  }
}

/** Without a single job there will be no commit and nothing to lose: what was looked at is remembered now. */
function remember(tree: Layout, manifest: SessionManifest, looked: readonly PendingSession[]): SessionManifest {
  if (looked.length === 0) return manifest
  const sessions = new Map(manifest.sessions)
  for (const { id, entry } of looked) sessions.set(id, entry)
  const replaced = new Set(looked.map((session) => session.replaces))
  const known = { sessions, python: new Map([...manifest.python].filter(([key]) => !replaced.has(key))) }
  saveSessionManifest(tree.sessionManifest, known)
  return known
}
