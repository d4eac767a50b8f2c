/**
 * Writes the store into the mirror, page by page, without losing what an agent changed there and nobody committed: such a file
 * stays, merged with the store's where that moved too. The snapshot is written last: only a completed mirror has one.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileNameFor, hashedFileNameFor } from '../markdown/file-names.ts'
import { formatMemoryText, normalContent, oneLine, parseMemoryText } from '../markdown/front-matter.ts'
import type { RecallFile } from '../records.ts'
import { discardFile, makeDirectory, writeFileAtomic } from '../util/fs.ts'
import type { Problem } from './bridging-deps.ts'
import { flushToDisk } from './flush.ts'
import type { Layout } from './layout.ts'
import { conflictNotices, documentOf, type MemoryDocument, mergeDocuments, sameDocument, storeText, toDocument } from './memory-merge.ts'
import { isThere, MIRRORED_TRACKS, mirrorPath, readMirrorFile, saysNothing } from './mirror-files.ts'
import { areMany, looksLikeAccident } from './removals.ts'
import { baseText, keepBase, keyOf, loadSnapshot, type Snapshot, type SnapshotEntry, saveSnapshot, sha256 } from './snapshot.ts'
import { isOtherStore, type StoredFiles } from './stored-files.ts'

export interface MirrorReport {
  /** Files of the store that the mirror now holds. */
  readonly files: number
  /** Paths whose uncommitted changes were kept. */
  readonly kept: readonly string[]
  readonly problems: readonly Problem[]
  readonly notices: readonly string[]
}

export async function writeMirror(tree: Layout, stored: StoredFiles): Promise<MirrorReport> {
  const problems = makeFolders(tree)
  const snapshot = loadSnapshot(tree)
  const isOther = isOtherStore(snapshot, stored)
  const before: Snapshot = isOther ? new Map() : snapshot.entries
  const after = new Map<string, SnapshotEntry>()
  const written = new Set<string>()
  const placeOf = places(tree, before, written)
  const kept: string[] = []
  const changed: string[] = []
  const conflicts: string[] = []
  let count = 0
  for await (const file of stored.files) {
    const path = placeOf(file)
    const placed = place(tree, path, file, before.get(path))
    if (placed.entry !== undefined) after.set(path, placed.entry)
    written.add(path)
    if (placed.kept) kept.push(path)
    if (placed.written) changed.push(join(tree.base, path))
    conflicts.push(...(placed.conflicts ?? []))
    if (placed.problem !== undefined) problems.push({ on: join(tree.base, path), reason: placed.problem })
    count++
  }
  const gone = [...before].filter(([path]) => !written.has(path))
  const unchanged = gone.filter(([path, entry]) => isUnchanged(tree, path, entry))
  // A store that says what was forgotten is believed, and one that lacks a few; one that lacks many without a word may be an older copy,
  // and the mirror the last that has them.
  const isSame = snapshot.store !== undefined && stored.store !== undefined
  const lost = unchanged.filter(([, entry]) => !stored.forgotten.has(keyOf(entry)))
  const suspicious = isSame ? areMany(lost.length, before.size) : looksLikeAccident(gone.length, before.size)
  const believed = suspicious ? unchanged.filter((file) => isSame && !lost.includes(file)) : unchanged
  const removed = new Set(believed.map(([path]) => path))
  for (const path of removed) discardFile(mirrorPath(tree, path))
  for (const [path] of gone) if (!removed.has(path) && isThere(tree, path)) kept.push(path)
  flushToDisk(changed) // Before the snapshot says that they are there: what is missing then counts as deleted by the agent.
  saveSnapshot(tree, after, stored.store)
  const notices = [
    snapshot.notice,
    isOther ? otherStore(tree) : undefined,
    suspicious ? fewerFiles(tree, isSame ? lost.length : gone.length) : undefined,
  ]
  return { files: count, kept, problems, notices: [...notices.filter((notice) => notice !== undefined), ...conflicts] }
}

/** A file in the place of a folder stays; its track is left out, and the rest goes through. */
function makeFolders(tree: Layout): Problem[] {
  return MIRRORED_TRACKS.flatMap((track): Problem[] => {
    const path = join(tree.base, track)
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile())
      return [{ on: path, reason: 'it is a file, and no folder of memory files' }]
    makeDirectory(path)
    return []
  })
}

function otherStore(tree: Layout): string {
  return `The store is another one than at the last run: the memory files under ${tree.base} stay, and the next commit puts them into it.`
}

function fewerFiles(tree: Layout, count: number): string {
  return `${count} memory files under ${tree.base} are not in the store any more, which looks like an accident: they stay, and the next commit puts them back. Delete the files that were meant to go.`
}

/** Where each recall file of this mirror goes. */
function places(tree: Layout, before: Snapshot, taken: ReadonlySet<string>): (file: RecallFile) => string {
  const known = new Map([...before].map(([path, entry]) => [keyOf(entry), path]))

  /** Not another file's place: neither by the snapshot, nor by this mirror, nor by a front matter that an agent wrote. */
  const isFree = (path: string, file: RecallFile): boolean => {
    const entry = before.get(path)
    if (taken.has(path)) return false
    if (entry !== undefined) return keyOf(entry) === keyOf(file)
    const found = readMirrorFile(tree, path)
    if (found === undefined || !found.ok) return found === undefined
    const parsed = parseMemoryText(found.text)
    return parsed.ok && (parsed.file.name ?? file.name) === file.name
  }

  /** A file keeps the place that it had, also one that an agent chose. */
  return (file) => {
    const had = known.get(keyOf(file))
    if (had !== undefined && isThere(tree, had)) return had
    const own = `${file.track}/${fileNameFor(file.name)}`
    return isFree(own, file) ? own : `${file.track}/${hashedFileNameFor(file.name)}`
  }
}

interface Placed {
  /** Absent where mirror and store could not be compared and never agreed before. */
  readonly entry?: SnapshotEntry
  readonly kept?: boolean
  readonly written?: boolean
  readonly problem?: string
  /** For the report: lines that stand twice now. */
  readonly conflicts?: readonly string[]
}

function place(tree: Layout, path: string, file: RecallFile, entry: SnapshotEntry | undefined): Placed {
  const stored: MemoryDocument = { name: file.name, description: oneLine(file.description), content: normalContent(file.content) }
  const text = storeText(stored)
  const agree = (disk: string | Uint8Array): SnapshotEntry => ({
    track: file.track,
    name: file.name,
    disk: sha256(disk),
    base: keepBase(tree, text),
  })
  const found = readMirrorFile(tree, path)
  const rewritten = (whole: string): Placed => ({ entry: agree(write(tree, path, whole)), written: true })
  if (found === undefined) return rewritten(text)
  if (!found.ok) return unreadable(entry, found.reason)
  const unchanged = entry !== undefined && entry.disk === sha256(found.bytes)
  if (unchanged && entry.base === sha256(text)) return { entry }
  const parsed = parseMemoryText(found.text)
  if (unchanged) return rewritten(formatMemoryText({ ...stored, extra: parsed.ok ? parsed.file.extra : [] }))
  if (!parsed.ok) return unreadable(entry, parsed.reason)
  // Emptied by an accident: forgetting is said by deleting. Who adds a line to it would seem to have removed all others.
  if (saysNothing(parsed.file)) return rewritten(text)
  // A new name that was not committed yet. As long as the entry stays, the file differs from it.
  if (entry !== undefined && (parsed.file.name ?? file.name) !== file.name) return { entry, kept: true }
  const base = documentOf(baseText(tree, entry))
  const mine = toDocument(parsed.file, file.name, base?.description)
  if (sameDocument(mine, stored)) return { entry: agree(found.bytes) }
  const merged = mergeDocuments(base, mine, stored)
  const both = formatMemoryText({ ...merged.document, extra: parsed.file.extra })
  const written = !sameDocument(merged.document, mine)
  if (written) write(tree, path, both)
  return { entry: agree(text), kept: true, written, conflicts: conflictNotices(join(tree.base, path), both, merged) }
}

/** The agent's file stays as it is. So does what was agreed on before: a later merge must not take the store's news for removals. */
function unreadable(entry: SnapshotEntry | undefined, problem: string): Placed {
  return { ...(entry === undefined ? {} : { entry }), kept: true, problem }
}

/** Whether the file is as it was when it last agreed with the store. */
function isUnchanged(tree: Layout, path: string, entry: SnapshotEntry): boolean {
  const found = readMirrorFile(tree, path)
  return found?.ok === true && entry.disk === sha256(found.bytes)
}

/** Flushed with all the others, by `flushToDisk`. */
function write(tree: Layout, path: string, text: string): string {
  writeFileAtomic(mirrorPath(tree, path), text, { durable: false })
  return text
}
