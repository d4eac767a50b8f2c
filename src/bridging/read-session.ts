/** One session's new part: read from where the last committed run left it, into slices. */
import { join } from 'node:path'
import { isSubagent } from '../hosts/subagent.ts'
import type { ReadResult, SessionFacts, SessionRecord, SessionRef, TranscriptSource } from '../hosts/transcript-source.ts'
import { scratchFolder } from './done.ts'
import type { Layout } from './layout.ts'
import { keyList, minedBefore, readMinedKeys, writePendingKeys } from './mined-keys.ts'
import { cursorAfterLines } from './python-cursor.ts'
import { rememberSelfSession } from './self-sessions.ts'
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
  /** It is a run of ours, by its prompt; from now on it is passed over unread. */
  readonly own?: true
  /** What the source says of the session, without secrets. */
  readonly facts: SessionFacts
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
  readonly manifest: SessionManifest
  readonly gate: SliceGate
  readonly now: Date
  readonly signal?: AbortSignal
}

/**
 * Throws what the source throws where the session cannot be read; nothing is left behind then. A new part without conversation
 * gives no slices. If it held tool records, the cursor stays: they belong to the words that follow, which only a subagent's
 * transcript never has. Where none have followed for some days, they are mined without. (A subagent's records do not join those of the
 * session that spawned it: what it found comes back there as the result of a call, and its own steps would crowd out the session's.)
 *
 * Where more is new than a slice may hold, the cursor stays as well, and the keys of what was taken tell the next run where to go on.
 */
export async function readSession(session: SessionRef, index: number, context: ReadContext): Promise<SessionSlices> {
  const { tree, manifest } = context
  const known = manifest.sessions.get(session.id)
  const python = known === undefined ? pythonLines(manifest, session.path) : undefined
  const since =
    known?.cursor ?? (python && (await cursorAfterLines(context.source, session, python.lines, scratchFolder(tree), context.signal)))
  const paths = { conversation: join(tree.sessions, `new-${index}.jsonl`), full: join(tree.sessions, `new-${index}_full.jsonl`) }
  const slices = sliceWriter(paths.conversation, paths.full)
  const gate = context.gate.session(known?.open)
  const before = readMinedKeys(tree, session.id)
  // Also where the read goes on: hosts repeat old records at the end of a log when they resume or compact a session.
  const isMined = since !== undefined || known?.rest ? minedBefore(before) : () => false
  const keys = keyList()
  let first: string | undefined
  const emit = (record: SessionRecord): void => {
    if (record.kind === 'message') first ??= record.text
    const own = gate.guard(record)
    if (isMined(record.key) || slices.isFull) return
    const clean = own === undefined ? undefined : gate.clean(own, slices.most)
    if (clean === undefined || slices.write(clean)) keys.push(record.key)
  }
  try {
    const result = await context.source.read(session, since, emit, context.signal)
    const { counts, isFull } = slices
    const facts = cleanFacts(result.facts, gate)
    const done = { session, counts, result, facts, removed: gate.removed, left: gate.left, ...(python && { replaces: python.key }) }
    const seen = { size: session.size, modified: session.modified, mined: context.now.toISOString() }
    const stays = { ...(since && { cursor: since }), ...seen, ...(known?.open && { open: known.open }) }
    const moves = { cursor: result.cursor, ...seen, ...(gate.open.length > 0 && { open: gate.open }) }
    // Behind what an earlier slice took, too: the words that they belong to may be in that one.
    const minedAlone = isFull || known?.rest || (since !== undefined && hasWaitedLong(known, context.now))
    if (since === undefined && first !== undefined && gate.isRun(first)) {
      slices.discard()
      rememberSelfSession(tree, session.owner)
      return { ...done, entry: moves, own: true }
    }
    if (facts.internal || (counts.messages === 0 && !(minedAlone && counts.tools > 0))) {
      slices.discard()
      const awaitsWords = counts.tools > 0 && !facts.internal && !isSubagent(session)
      return { ...done, entry: awaitsWords ? { ...stays, ...(since && { waits: true }) } : moves }
    }
    const { title, project, branch } = facts
    slices.finish({
      host: context.host,
      session: session.owner,
      ...(project && { project }),
      ...(branch && { branch }),
      ...(title && { title }),
      redaction: context.gate.rules,
      ...leftOut(gate.left),
    })
    writePendingKeys(tree, session.id, before, keys.bytes())
    return { ...done, entry: isFull ? { ...stays, rest: true } : moves, paths }
  } catch (error) {
    slices.discard()
    throw error
  }
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
