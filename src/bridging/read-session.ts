/** One session's new part: read from where the last committed run left it, into slices. */
import { join } from 'node:path'
import type { ReadResult, SessionRef, TranscriptSource } from '../hosts/transcript-source.ts'
import { scratchFolder } from './done.ts'
import type { Layout } from './layout.ts'
import { type KeyList, keyList, minedBefore, readMinedKeys, writePendingKeys } from './mined-keys.ts'
import { cursorAfterLines } from './python-cursor.ts'
import { hasWaitedLong, pythonLines, type SessionEntry, type SessionManifest } from './session-manifest.ts'
import { type SliceCounts, type SliceFilter, sliceWriter } from './slices.ts'

export interface SessionSlices {
  readonly session: SessionRef
  /** What the manifest says of the session once its jobs are committed. */
  readonly entry: SessionEntry
  /** Where the slices lie until the run numbers them; absent where there is nothing to mine. */
  readonly paths?: { readonly conversation: string; readonly full: string }
  readonly counts: SliceCounts
  readonly result: ReadResult
  /** The Python memU's key that the entry replaces. */
  readonly replaces?: string
}

export interface ReadContext {
  readonly tree: Layout
  readonly host: string
  readonly source: TranscriptSource
  readonly manifest: SessionManifest
  readonly filter: SliceFilter
  readonly now: Date
  readonly signal?: AbortSignal
}

/**
 * Throws what the source throws where the session cannot be read; nothing is left behind then. A new part without conversation
 * gives no slices. If it held tool records, the cursor stays: they belong to the words that follow, which only a subagent's
 * transcript never has. Where none have followed for some days, they are mined without.
 */
export async function readSession(session: SessionRef, index: number, context: ReadContext): Promise<SessionSlices> {
  const { tree, manifest } = context
  const known = manifest.sessions.get(session.id)
  const python = known === undefined ? pythonLines(manifest, session.path) : undefined
  const since =
    known?.cursor ?? (python && (await cursorAfterLines(context.source, session, python.lines, scratchFolder(tree), context.signal)))
  const paths = { conversation: join(tree.sessions, `new-${index}.jsonl`), full: join(tree.sessions, `new-${index}_full.jsonl`) }
  const slices = sliceWriter(paths.conversation, paths.full, context.filter(session))
  const keys = keyList()
  const seen = { size: session.size, modified: session.modified, mined: context.now.toISOString() }
  const replaces = python === undefined ? {} : { replaces: python.key }
  try {
    const emit = (record: Parameters<typeof slices.write>[0]): void => {
      keys.push(record.key)
      slices.write(record)
    }
    const result = await context.source.read(session, since, emit, context.signal)
    const before = readMinedKeys(tree, session.id)
    // Also where the read went on: hosts repeat old records at the end of a log when they resume or compact a session.
    const omit = since !== undefined && before.length > 0 ? minedBefore(before, keys) : undefined
    const { title, project, branch, internal } = result.facts
    const facts = { ...(project ? { project } : {}), ...(branch ? { branch } : {}), ...(title ? { title } : {}) }
    const counts = slices.finish({ host: context.host, session: session.owner, ...facts }, omit)
    const late = since !== undefined && hasWaitedLong(known, context.now)
    if (internal || (counts.messages === 0 && !(late && counts.tools > 0))) {
      slices.discard()
      const awaitsWords = counts.tools > 0 && !internal && session.id === session.owner
      const cursor = awaitsWords ? since : result.cursor
      const waits = awaitsWords && since !== undefined ? { waits: true as const } : {}
      return { session, entry: { ...(cursor === undefined ? {} : { cursor }), ...seen, ...waits }, counts, result, ...replaces }
    }
    writePendingKeys(tree, session.id, before, newKeys(keys, omit))
    return { session, entry: { cursor: result.cursor, ...seen }, paths, counts, result, ...replaces }
  } catch (error) {
    slices.discard()
    throw error
  }
}

function newKeys(keys: KeyList, omit: readonly boolean[] | undefined): Uint8Array {
  const all = keys.bytes()
  if (omit === undefined) return all
  return Buffer.concat(omit.flatMap((old, at) => (old ? [] : [all.subarray(at * 8, at * 8 + 8)])))
}
