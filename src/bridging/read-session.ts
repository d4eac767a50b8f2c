/** One session's new part: read from where the last committed run left it, into slices. */
import { join } from 'node:path'
import { isSubagent } from '../hosts/subagent.ts'
import type { Emit, ReadResult, SessionFacts, SessionRef, TranscriptSource } from '../hosts/transcript-source.ts'
import { scratchFolder } from './done.ts'
import type { Layout } from './layout.ts'
import { keyList, minedBefore, readMinedKeys, writePendingKeys } from './mined-keys.ts'
import { cursorAfterLines } from './python-cursor.ts'
import { hasWaitedLong, pythonLines, type SessionEntry, type SessionManifest } from './session-manifest.ts'
import type { LeftOut, SessionGate, SliceGate } from './slice-gate.ts'
import { type SliceCounts, sliceWriter } from './slices.ts'

export interface SessionSlices {
  readonly session: SessionRef
  /** What the manifest says of the session once its jobs are committed. */
  readonly entry: SessionEntry
  /** Where the slices lie until the run numbers them; absent where there is nothing to mine. */
  readonly paths?: { readonly conversation: string; readonly full: string }
  readonly counts: SliceCounts
  readonly result: ReadResult
  /** What the source says of the session, without secrets. */
  readonly facts: SessionFacts
  /** `SessionRef.owner`, as it may be shown: people name files as they like. */
  readonly name: string
  /** Secrets removed, by rule, and what was cut. */
  readonly removed: ReadonlyMap<string, number>
  readonly left: LeftOut
  /** The Python memU's key that the entry replaces. */
  readonly replaces?: string
}

export interface ReadContext {
  readonly tree: Layout
  readonly host: string
  readonly source: TranscriptSource
  /** Which log it is, see `logName`. */
  readonly log: string
  readonly manifest: SessionManifest
  readonly gate: SliceGate
  readonly now: Date
  readonly signal?: AbortSignal
}

/**
 * Throws what the source throws where the session cannot be read; nothing is left behind then. What becomes of the new part, and of the
 * session's cursor, is `Outcome`'s.
 */
export async function readSession(session: SessionRef, index: number, context: ReadContext): Promise<SessionSlices> {
  const { tree, manifest } = context
  const known = manifest.sessions.get(session.id)
  const python = known === undefined ? pythonLines(manifest, session.path) : undefined
  const since =
    known?.cursor ?? (python && (await cursorAfterLines(context.source, session, python.lines, scratchFolder(tree), context.signal)))
  const paths = { conversation: join(tree.sessions, `new-${index}.jsonl`), full: join(tree.sessions, `new-${index}_full.jsonl`) }
  const slices = sliceWriter(paths.conversation, paths.full)
  const gate = context.gate.session(known?.openCalls)
  const before = readMinedKeys(tree, session.id)
  // Hosts repeat old records at the end of a log when they resume or compact a session; and a manifest may be lost.
  const isMined = minedBefore(before)
  const keys = keyList()
  const first = firstWords(gate, before.length > 0 || python !== undefined || known?.own !== undefined)
  let emitted = 0
  const emit: Emit = (record) => {
    emitted++
    const kept = gate.guard(record)
    if (kept?.role === 'user' && kept.text.trim() !== '') first.said(record.text)
    if (first.areRun) return 'enough'
    if (!isMined(record.key) && !slices.isFull) {
      const clean = kept === undefined ? undefined : gate.clean(kept, slices.most)
      if (clean === undefined || slices.write(clean)) keys.push(record.key)
    }
    return slices.hasEnough ? 'enough' : undefined
  }
  try {
    const result = await context.source.read(session, since, emit, context.signal)
    const facts = cleanFacts(result.facts, gate)
    const name = gate.field(session.owner)
    const { counts } = slices
    const becomes = outcome({
      session,
      known,
      result,
      counts,
      isOwn: first.areRun,
      isFirstRead: since === undefined,
      isFull: slices.isFull,
      now: context.now,
    })
    const seen = { size: session.size, modified: session.modified, mined: context.now.toISOString(), log: context.log }
    const place = becomes.moves
      ? { cursor: result.cursor, ...(gate.openCalls.length > 0 && { openCalls: gate.openCalls }) }
      : { ...(since && { cursor: since }), ...(known?.openCalls && { openCalls: known.openCalls }) }
    const isSilent = emitted === 0 && !result.facts.internal && (since === undefined || known?.silent === true)
    const entry = {
      ...place,
      ...seen,
      ...(isSilent && { silent: true as const }),
      ...(known?.own !== undefined && { own: false }),
      ...becomes.notes,
    }
    const read = {
      session,
      name,
      entry,
      counts,
      result,
      facts,
      removed: gate.removed,
      left: gate.left,
      ...(python && { replaces: python.key }),
    }
    if (!becomes.isMined) {
      slices.discard()
      return read
    }
    const { title, project, branch } = facts
    slices.finish({
      host: context.host,
      session: name,
      ...(project && { project }),
      ...(branch && { branch }),
      ...(title && { title }),
      redaction: context.gate.rules,
      ...leftOut(gate.left),
      ...(entry.hasMore && { continues: true }),
    })
    writePendingKeys(tree, session.id, [before, keys.bytes()], entry.hasMore === true)
    return { ...read, paths }
  } catch (error) {
    slices.discard()
    throw error
  }
}

/** The first thing that is said in a session tells whether it is a run of ours, in whichever read it comes. */
function firstWords(gate: SessionGate, wereSaid: boolean): { said(text: string): void; readonly areRun: boolean } {
  let isOver = wereSaid
  let areRun = false
  return {
    said(text) {
      if (!isOver) areRun = gate.isRun(text)
      isOver = true
    },
    get areRun() {
      return areRun
    },
  }
}

interface Outcome {
  readonly isMined: boolean
  /** Whether the cursor moves behind what was read. */
  readonly moves: boolean
  readonly notes: Pick<SessionEntry, 'own' | 'waits' | 'hasMore'>
}

interface PartRead {
  readonly session: SessionRef
  readonly known: SessionEntry | undefined
  readonly result: ReadResult
  readonly counts: SliceCounts
  readonly isOwn: boolean
  /** Nothing of the session had been passed before it. */
  readonly isFirstRead: boolean
  /** Records were left over that had been handed out. */
  readonly isFull: boolean
  readonly now: Date
}

/**
 * - A run of ours is passed over; its cursor stays, for a user who takes that back.
 * - Without conversation there is nothing to mine. Tool records then wait for the words that follow, with the cursor before them; only a
 *   subagent's transcript never has any. Where none have followed for some days, they are mined alone, and so they are behind what an
 *   earlier slice took: the words that they belong to may be in that one. (A subagent's records do not join those of the session that
 *   spawned it: what it found comes back there as the result of a call, and its own steps would crowd out the session's.)
 * - Where more is new than a slice may hold, the rest comes in a later run: from the cursor, which stays where records were left over. Then
 *   the keys of what was taken tell where to go on.
 */
function outcome({ session, known, result, counts, isOwn, isFirstRead, isFull, now }: PartRead): Outcome {
  const { internal } = result.facts
  if (isOwn) return { isMined: false, moves: false, notes: { own: true } }
  const isPart = isFull || result.more === true
  const isMinedAlone = isPart || known?.hasMore === true || hasWaitedLong(known, now)
  const isMined = !internal && (counts.messages > 0 || (counts.tools > 0 && isMinedAlone))
  if (isMined) return { isMined, moves: !isFull, notes: isPart ? { hasMore: true } : {} }
  const waits = counts.tools > 0 && !internal && !isSubagent(session)
  return { isMined, moves: !waits, notes: waits && !isFirstRead ? { waits } : {} }
}

/** They stand in headers, reports and provenance. */
function cleanFacts({ title, project, branch, internal }: SessionFacts, { field }: SessionGate): SessionFacts {
  return {
    ...(title && { title: field(title) }),
    ...(project && { project: field(project) }),
    ...(branch && { branch: field(branch) }),
    ...(internal && { internal }),
  }
}

function leftOut({ images, characters }: LeftOut): { readonly left_out?: Partial<LeftOut> } {
  if (images + characters === 0) return {}
  return { left_out: { ...(images > 0 && { images }), ...(characters > 0 && { characters }) } }
}
