/** Decides what a commit sends, once it is known what the store holds: merges, refusals, the gate. Writes nothing. */

import { normalContent, oneLine } from '../markdown/front-matter.ts'
import type { SeenFile } from '../memory/backend.ts'
import type { FileKey, Provenance, RecallFile, RecallFileInput } from '../records.ts'
import type { ChangedFile, DeletedFile, MirrorChanges } from './changes.ts'
import type { FilesGate } from './files-gate.ts'
import { type MemoryDocument, mergeDocuments, sameDocument } from './memory-merge.ts'
import type { LineConflict } from './merge.ts'
import { joinProvenance } from './provenance.ts'
import { looksLikeAccident } from './removals.ts'
import type { RuleCounts } from './rule-counts.ts'
import { keyOf } from './snapshot.ts'

export interface PlannedFile {
  readonly source: ChangedFile
  /** What the store will hold. */
  readonly document: MemoryDocument
  /** Lines of its front matter that are not stored and stay in the mirror file. */
  readonly extra: readonly string[]
  /** The store had moved since the mirror was written. */
  readonly merged: boolean
  readonly conflicts: readonly LineConflict[]
  readonly input: RecallFileInput
  /** Secrets that were removed from it, by rule. */
  readonly removed: RuleCounts
}

/** A file that is gone from the mirror and stays in the store: it is put back. */
export interface RefusedRemoval extends DeletedFile {
  readonly reason: string
  readonly stored: MemoryDocument
}

export interface CommitPlan {
  readonly files: readonly PlannedFile[]
  readonly forget: readonly DeletedFile[]
  /** Deleted here, and gone from the store already. */
  readonly gone: readonly DeletedFile[]
  readonly refused: readonly RefusedRemoval[]
  /** How many of them were refused because so many at once look like an accident. */
  readonly accident: number
  /** The versions that all of this was decided over. */
  readonly seen: readonly SeenFile[]
  /** Files that stay in the mirror and are not sent. */
  readonly held: readonly { readonly path: string; readonly reason: string }[]
}

export interface PlanContext {
  readonly stored: AsyncIterable<RecallFile>
  readonly force: boolean
  readonly gate: FilesGate
  readonly provenance: (file: FileKey) => Provenance
  /** How many files the last completed mirror held. */
  readonly mirrored: number
}

export async function planCommit(changes: MirrorChanges, context: PlanContext): Promise<CommitPlan> {
  const { documents: theirs, versions, sources } = await storedDocuments(changes, context)
  const files: PlannedFile[] = []
  const held: { path: string; reason: string }[] = []
  for (const source of changes.changed) {
    const planned = planFile(source, theirs.get(keyOf(source)), sources.get(keyOf(source)), context)
    if (planned === undefined)
      held.push({ path: source.path, reason: 'its name holds a secret; the file stays without it, and the next commit takes it' })
    else files.push(planned)
  }
  // Who writes a new file has not lost the folder: the only file that was there may go.
  const created = changes.changed.filter(({ base }) => base === undefined).length
  const removals = planRemovals(changes.deleted, theirs, { ...context, mirrored: context.mirrored + created })
  const decided = [...files.map(({ source }) => source), ...removals.forget]
  const seen = decided.map((file) => ({ track: file.track, name: file.name, version: versions.get(keyOf(file)) ?? null }))
  return { files, held, seen, ...removals }
}

interface StoredDocuments {
  /** Without secrets, as the mirror has them. */
  readonly documents: ReadonlyMap<string, MemoryDocument>
  /** The same as the store gave them. */
  readonly versions: ReadonlyMap<string, NonNullable<SeenFile['version']>>
  readonly sources: ReadonlyMap<string, Provenance>
}

/** What the store says now about the files that the mirror says something new about; the rest is not kept in memory. */
async function storedDocuments(changes: MirrorChanges, { stored, gate }: PlanContext): Promise<StoredDocuments> {
  const wanted = new Set([...changes.changed, ...changes.deleted].map(keyOf))
  const documents = new Map<string, MemoryDocument>()
  const versions = new Map<string, NonNullable<SeenFile['version']>>()
  const sources = new Map<string, Provenance>()
  if (wanted.size === 0) return { documents, versions, sources }
  for await (const file of stored) {
    if (!wanted.has(keyOf(file))) continue
    versions.set(keyOf(file), { description: file.description, content: file.content })
    const [description, content] = [oneLine(gate.text(file.description)), normalContent(gate.text(file.content))]
    documents.set(keyOf(file), { name: file.name, description, content })
    if (file.provenance !== undefined) sources.set(keyOf(file), file.provenance)
  }
  return { documents, versions, sources }
}

function planFile(
  source: ChangedFile,
  theirs: MemoryDocument | undefined,
  before: Provenance | undefined,
  context: PlanContext,
): PlannedFile | undefined {
  const moved =
    theirs !== undefined && !(source.base !== undefined && sameDocument(theirs, source.base)) && !sameDocument(theirs, source.mine)
  const wanted = moved ? mergeDocuments(source.base, source.mine, theirs) : { document: source.mine, conflicts: [] }
  const provenance = joinProvenance(before, context.provenance(source))
  const gated = context.gate.file({ track: source.track, ...wanted.document, provenance })
  if (gated === undefined) return undefined
  const { input, removed } = gated
  const document = { name: input.name, description: oneLine(input.description ?? ''), content: normalContent(input.content) }
  const extra = source.extra.length === 0 ? [] : context.gate.text(source.extra.join('\n')).split('\n')
  return { source, document, extra, merged: moved, conflicts: wanted.conflicts, input, removed }
}

function planRemovals(
  deleted: readonly DeletedFile[],
  theirs: ReadonlyMap<string, MemoryDocument>,
  { force, mirrored }: PlanContext,
): Pick<CommitPlan, 'forget' | 'gone' | 'refused' | 'accident'> {
  const removed = deleted.filter((file) => !file.renamed).length
  const isAccident = !force && looksLikeAccident(removed, mirrored)
  const gone: DeletedFile[] = []
  const forget: DeletedFile[] = []
  const refused: RefusedRemoval[] = []
  let accident = 0
  for (const file of deleted) {
    const stored = theirs.get(keyOf(file))
    if (stored === undefined) gone.push(file)
    else if (file.base === undefined || !sameDocument(stored, file.base))
      refused.push({ ...file, stored, reason: 'the store has a newer version than the file that was deleted; put back' })
    else if (isAccident && !file.renamed) {
      accident++
      refused.push({ ...file, stored, reason: 'its deletion looks like an accident; put back' })
    } else forget.push(file)
  }
  return { gone, refused, forget, accident }
}
