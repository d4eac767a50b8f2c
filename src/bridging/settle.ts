/** After the store has accepted a commit: the mirror shows what the store holds, and the snapshot says that they agree. */
import { formatMemoryText } from '../markdown/front-matter.ts'
import type { FileKey } from '../records.ts'
import { discardFile, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'
import { sameDocument, storeText } from './memory-merge.ts'
import { mirrorPath, readMirrorFile } from './mirror-files.ts'
import type { CommitPlan, PlannedFile, RefusedRemoval } from './plan-commit.ts'
import { keepBase, keyOf, type Snapshot, type SnapshotEntry, saveSnapshot, sha256 } from './snapshot.ts'

/** A file that somebody changed again since it was read keeps its old entry: the next commit merges it over that. */
export function settle(tree: Layout, snapshot: Snapshot, plan: CommitPlan, store: string | undefined): void {
  const after = new Map(snapshot)
  const places = placesByKey(snapshot)
  for (const file of [...plan.forget, ...plan.gone]) if (after.get(file.path)?.name === file.name) after.delete(file.path)
  for (const file of plan.files) {
    const entry = agree(tree, file)
    if (entry === undefined) continue
    // The file may have moved, and its place may have another file by now.
    for (const path of places.get(keyOf(entry)) ?? []) if (isOf(after.get(path), entry)) after.delete(path)
    after.set(file.source.path, entry)
    for (const also of file.source.also) removeAsRead(tree, also)
  }
  for (const file of plan.refused) {
    const entry = putBack(tree, file)
    if (entry !== undefined) after.set(file.path, entry)
  }
  if (plan.files.length + plan.forget.length + plan.gone.length + plan.refused.length > 0) saveSnapshot(tree, after, store)
}

function isOf(entry: SnapshotEntry | undefined, file: FileKey): boolean {
  return entry !== undefined && keyOf(entry) === keyOf(file)
}

/** Of each recall file the paths that it has: one, unless somebody else wrote the manifest. */
function placesByKey(snapshot: Snapshot): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  for (const [path, entry] of snapshot) {
    const paths = places.get(keyOf(entry))
    if (paths === undefined) places.set(keyOf(entry), [path])
    else paths.push(path)
  }
  return places
}

/** A deletion that was refused is undone at once, so that it is told once. Where another file took the place, `prepare` finds one. */
function putBack(tree: Layout, { path, track, stored }: RefusedRemoval): SnapshotEntry | undefined {
  if (readMirrorFile(tree, path) !== undefined) return undefined
  const text = storeText(stored)
  writeFileAtomic(mirrorPath(tree, path), text)
  return { track, name: stored.name, disk: sha256(text), base: keepBase(tree, text) }
}

function agree(tree: Layout, { source, document, extra }: PlannedFile): SnapshotEntry | undefined {
  const asRead = !source.joined && sameDocument(document, source.mine) && extra.join('\n') === source.extra.join('\n')
  let disk = source.disk
  if (!asRead) {
    if (diskHash(tree, source.path) !== source.disk) return undefined
    const text = formatMemoryText({ ...document, extra })
    writeFileAtomic(mirrorPath(tree, source.path), text)
    disk = sha256(text)
  }
  return { track: source.track, name: document.name, disk, base: keepBase(tree, storeText(document)) }
}

function removeAsRead(tree: Layout, file: { readonly path: string; readonly disk: string }): void {
  if (diskHash(tree, file.path) === file.disk) discardFile(mirrorPath(tree, file.path))
}

function diskHash(tree: Layout, path: string): string | undefined {
  const found = readMirrorFile(tree, path)
  return found?.ok ? sha256(found.bytes) : undefined
}
