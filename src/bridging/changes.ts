/** What the agent did in the mirror since it last agreed with the store: by content, never by time or by the agent's account. */
import { join } from 'node:path'
import { nameFromFile } from '../markdown/file-names.ts'
import { parseMemoryText } from '../markdown/front-matter.ts'
import type { FileKey } from '../records.ts'
import type { Problem } from './bridging-deps.ts'
import type { Layout } from './layout.ts'
import { documentOf, type MemoryDocument, mergeDocuments, toDocument } from './memory-merge.ts'
import { listMirror, type MirrorFile, readMirrorFile, saysNothing } from './mirror-files.ts'
import { baseText, keyOf, type Snapshot, sha256 } from './snapshot.ts'

/** A recall file that the mirror says something new about. */
export interface ChangedFile extends FileKey {
  /** As the agent left it; where several files carry the name, all of them joined. */
  readonly mine: MemoryDocument
  /** What the mirror was written from; undefined for a new file. */
  readonly base?: MemoryDocument
  /** Whether `path` says exactly `mine`. */
  readonly joined: boolean
  /** The file that stays, its bytes' SHA-256, and the other keys of its front matter. */
  readonly path: string
  readonly disk: string
  readonly extra: readonly string[]
  /** Other files with the same name: they go once the store has `mine`. */
  readonly also: readonly { readonly path: string; readonly disk: string }[]
}

export interface DeletedFile extends FileKey {
  readonly path: string
  /** The file is still there, under another name. */
  readonly renamed: boolean
  /** What the mirror was written from. */
  readonly base?: MemoryDocument
}

export interface MirrorChanges {
  readonly changed: readonly ChangedFile[]
  /** Names that a completed mirror held and that no file carries any more. */
  readonly deleted: readonly DeletedFile[]
  readonly problems: readonly Problem[]
  /** Paths below the tree of what is no memory file. */
  readonly strays: readonly string[]
}

export function findChanges(tree: Layout, snapshot: Snapshot): MirrorChanges {
  const { files, unread, strays, ...listed } = listMirror(tree)
  const problems = [...listed.problems]
  const bases = basesOf(tree, snapshot)
  const named = new Map<string, Member[]>()
  const held = new Set<string>()
  for (const file of files) {
    const member = readMember(tree, file, snapshot, bases)
    if ('reason' in member) {
      problems.push({ on: join(tree.base, file.path), reason: member.reason })
      const entry = snapshot.get(file.path)
      if (entry !== undefined) held.add(keyOf(entry)) // It cannot be read: that is not a deletion.
    } else {
      const members = named.get(keyOf(member))
      if (members === undefined) named.set(keyOf(member), [member])
      else members.push(member)
    }
  }
  const changed = [...named.values()]
    .filter((members) => members.some((member) => member.changed))
    .map((members) => joined(members, snapshot, bases))
  const onDisk = new Set(files.map((file) => file.path))
  const deleted = [...snapshot].flatMap(([path, entry]): DeletedFile[] => {
    if (named.has(keyOf(entry)) || held.has(keyOf(entry))) return []
    if (unread.some((folder) => path.startsWith(`${folder}/`))) return []
    const base = bases(entry)
    return [{ track: entry.track, name: entry.name, path, renamed: onDisk.has(path), ...(base === undefined ? {} : { base }) }]
  })
  return { changed, deleted, problems, strays }
}

/** One file of the mirror under the name that it carries. */
interface Member extends FileKey {
  readonly path: string
  readonly disk: string
  readonly changed: boolean
  readonly document: MemoryDocument
  readonly extra: readonly string[]
}

function readMember(tree: Layout, file: MirrorFile, snapshot: Snapshot, bases: Bases): Member | { readonly reason: string } {
  const read = readMirrorFile(tree, file.path)
  if (read === undefined) return { reason: 'it vanished while it was read' }
  if (!read.ok) return { reason: read.reason }
  const entry = snapshot.get(file.path)
  const disk = sha256(read.bytes)
  const parsed = parseMemoryText(read.text)
  if (!parsed.ok) return { reason: parsed.reason }
  const { name, description, extra } = parsed.file
  const unchanged = entry?.disk === disk
  const key = { track: file.track, name: name ?? entry?.name ?? nameFromFile(file.path.slice(file.track.length + 1)) }
  const document = toDocument(parsed.file, key.name, description === undefined ? bases(key)?.description : undefined)
  if (unchanged) return { track: entry.track, name: entry.name, path: file.path, disk, changed: false, document, extra }
  if (saysNothing(parsed.file)) return { reason: 'it is empty; delete the file where its memory should be forgotten' }
  return { ...key, path: file.path, disk, changed: true, document, extra }
}

/** The file that the snapshot knows under this name stays, or the first one; the others' lines come below its own. */
function joined(members: readonly Member[], snapshot: Snapshot, bases: Bases): ChangedFile {
  const key = members.map(keyOf)[0]
  const stays =
    members.find((member) => snapshot.has(member.path) && keyOf(snapshot.get(member.path) as FileKey) === key) ?? (members[0] as Member)
  const others = members.filter((member) => member !== stays)
  const mine = others.reduce((joined, other) => mergeDocuments(undefined, other.document, joined).document, stays.document)
  const base = bases(stays)
  return {
    track: stays.track,
    name: stays.name,
    mine,
    ...(base === undefined ? {} : { base }),
    joined: others.length > 0,
    path: stays.path,
    disk: stays.disk,
    extra: stays.extra,
    also: others.map(({ path, disk }) => ({ path, disk })),
  }
}

type Bases = (file: FileKey) => MemoryDocument | undefined

/** What the mirror was written from, by name: an agent may have moved the file. */
function basesOf(tree: Layout, snapshot: Snapshot): Bases {
  const entries = new Map([...snapshot.values()].map((entry) => [keyOf(entry), entry]))
  return (file) => documentOf(baseText(tree, entries.get(keyOf(file))))
}
