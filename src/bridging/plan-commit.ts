/** Decides what a commit sends, once it is known what the store holds: merges, refusals, the gate. Writes nothing. */

import { normalContent, oneLine } from '../markdown/front-matter.ts'
import type { SeenFile } from '../memory/backend.ts'
import type { FileKey, Provenance, RecallFile, RecallFileInput } from '../records.ts'
import type { ChangedFile, DeletedFile, MirrorChanges } from './changes.ts'
import type { FilesGate } from './files-gate.ts'
import { type MemoryDocument, mergeDocuments, sameDocument } from './memory-merge.ts'
import { keyOf } from './snapshot.ts'

export interface PlannedFile {
  readonly source: ChangedFile
  /** What the store will hold. */
  readonly document: MemoryDocument
  /** The store had moved since the mirror was written. */
  readonly merged: boolean
  readonly input: RecallFileInput
}

export interface CommitPlan {
  readonly files: readonly PlannedFile[]
  readonly forget: readonly DeletedFile[]
  /** Deleted here, and gone from the store already. */
  readonly gone: readonly DeletedFile[]
  readonly refused: readonly (FileKey & { readonly reason: string })[]
  /** The versions that all of this was decided over. */
  readonly seen: readonly SeenFile[]
  /** Files that stay in the mirror and are not sent. */
  readonly held: readonly { readonly path: string; readonly reason: string }[]
}

export interface PlanContext {
  readonly stored: AsyncIterable<RecallFile>
  readonly force: boolean
  readonly gate: FilesGate
  readonly provenance: Provenance
  /** How many files the last completed mirror held. */
  readonly mirrored: number
}

export async function planCommit(changes: MirrorChanges, context: PlanContext): Promise<CommitPlan> {
  const { documents: theirs, versions } = await storedDocuments(changes, context.stored)
  const files: PlannedFile[] = []
  const held: { path: string; reason: string }[] = []
  for (const source of changes.changed) {
    const planned = planFile(source, theirs.get(keyOf(source)), context)
    if (planned === undefined) held.push({ path: source.path, reason: 'it holds what must not be stored' })
    else files.push(planned)
  }
  const removals = planRemovals(changes.deleted, theirs, context)
  const decided = [...files.map(({ source }) => source), ...removals.forget]
  const seen = decided.map((file) => ({ track: file.track, name: file.name, version: versions.get(keyOf(file)) ?? null }))
  return { files, held, seen, ...removals }
}

interface StoredDocuments {
  readonly documents: ReadonlyMap<string, MemoryDocument>
  /** The same as the store gave them. */
  readonly versions: ReadonlyMap<string, NonNullable<SeenFile['version']>>
}

/** What the store says now about the files that the mirror says something new about; the rest is not kept in memory. */
async function storedDocuments(changes: MirrorChanges, stored: AsyncIterable<RecallFile>): Promise<StoredDocuments> {
  const wanted = new Set([...changes.changed, ...changes.deleted].map(keyOf))
  const documents = new Map<string, MemoryDocument>()
  const versions = new Map<string, NonNullable<SeenFile['version']>>()
  if (wanted.size === 0) return { documents, versions }
  for await (const file of stored) {
    if (!wanted.has(keyOf(file))) continue
    versions.set(keyOf(file), { description: file.description, content: file.content })
    documents.set(keyOf(file), { name: file.name, description: oneLine(file.description), content: normalContent(file.content) })
  }
  return { documents, versions }
}

function planFile(source: ChangedFile, theirs: MemoryDocument | undefined, context: PlanContext): PlannedFile | undefined {
  const moved =
    theirs !== undefined && !(source.base !== undefined && sameDocument(theirs, source.base)) && !sameDocument(theirs, source.mine)
  const wanted = moved ? mergeDocuments(source.base, source.mine, theirs) : source.mine
  const input = context.gate({ track: source.track, ...wanted, provenance: context.provenance })
  if (input === undefined) return undefined
  const document = { name: input.name, description: oneLine(input.description ?? ''), content: normalContent(input.content) }
  return { source, document, merged: moved, input }
}

/** More than this many deletions at once look like an accident: five, or a fifth of the files. One is always meant. */
const MAX_DELETIONS = 5
const MAX_SHARE = 1 / 5

function planRemovals(
  deleted: readonly DeletedFile[],
  theirs: ReadonlyMap<string, MemoryDocument>,
  { force, mirrored }: PlanContext,
): Pick<CommitPlan, 'forget' | 'gone' | 'refused'> {
  const gone = deleted.filter((file) => !theirs.has(keyOf(file)))
  const present = deleted.filter((file) => theirs.has(keyOf(file)))
  const isAsMirrored = (file: DeletedFile): boolean => {
    const stored = theirs.get(keyOf(file))
    return file.base !== undefined && stored !== undefined && sameDocument(stored, file.base)
  }
  const removed = deleted.filter((file) => !file.renamed).length
  const limit = Math.max(1, Math.min(MAX_DELETIONS, Math.floor(mirrored * MAX_SHARE)))
  const accident = !force && (removed > limit || removed === mirrored)
  const refused: (FileKey & { reason: string })[] = []
  const forget: DeletedFile[] = []
  for (const file of present) {
    const { track, name } = file
    if (!isAsMirrored(file)) refused.push({ track, name, reason: 'the store has a newer version than the mirror had' })
    else if (accident && !file.renamed)
      refused.push({ track, name, reason: `${removed} of ${mirrored} files are gone from the mirror at once; --force forgets them` })
    else forget.push(file)
  }
  return { gone, refused, forget }
}
