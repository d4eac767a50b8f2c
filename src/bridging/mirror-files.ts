/** The mirror as it is on disk: finding its files, reading one safely. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { isMemoryFileName } from '../markdown/file-names.ts'
import type { MemoryText } from '../markdown/front-matter.ts'
import { MemuError, systemCode } from '../util/errors.ts'
import type { Problem } from './bridging-deps.ts'
import type { Layout } from './layout.ts'

export const MIRRORED_TRACKS = ['memory', 'skill'] as const
export type MirroredTrack = (typeof MIRRORED_TRACKS)[number]

/** No memory file of a person or an agent comes near it; a log that was saved here by mistake does. */
const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 8

export interface MirrorFile {
  /** Below the tree, with forward slashes: `memory/build-commands.md`. */
  readonly path: string
  readonly track: MirroredTrack
}

/**
 * Whether a path may name a mirror file. Paths come from manifests that an agent can write, so each use asks: below `memory/` or
 * `skill/`, by plain segments. A link among its folders is told by `readMirrorFile`.
 */
export function isMirrorPath(path: string): boolean {
  const [track, ...rest] = path.split('/')
  const plain = (segment: string): boolean => segment !== '' && segment !== '.' && segment !== '..'
  return (
    (MIRRORED_TRACKS as readonly string[]).includes(track ?? '') &&
    rest.length > 0 &&
    rest.every(plain) &&
    !/[\\\u0000]/.test(path) &&
    !(process.platform === 'win32' && path.includes(':')) // `memory/c:x` is another drive or a stream of another file.
  )
}

/** Where a mirror file lies. Throws `unsafe_path` where `isMirrorPath` says no: nothing outside the mirror is written or deleted. */
export function mirrorPath(tree: Layout, path: string): string {
  if (!isMirrorPath(path)) throw new MemuError('unsafe_path', `${JSON.stringify(path)} is no place for a memory file in ${tree.base}.`)
  return join(tree.base, path)
}

/** What lies in the mirror's folders. Paths are those below the tree. */
export interface MirrorListing {
  /** In order of path. */
  readonly files: readonly MirrorFile[]
  /** What should be a memory file or a folder of them and cannot be taken for one. */
  readonly problems: readonly Problem[]
  /** Folders that could not be looked into: nobody can tell what lies there. */
  readonly unread: readonly string[]
  /** Whatever else lies there: a person's notes, an editor's backup. It is left alone. */
  readonly strays: readonly string[]
}

/** Every markdown file of the mirror. Links are not followed; hidden files are nobody's. */
export function listMirror(tree: Layout): MirrorListing {
  const files: MirrorFile[] = []
  const problems: Problem[] = []
  const unread: string[] = []
  const strays: string[] = []
  const visit = (track: MirroredTrack, below: string, depth: number): void => {
    const entries = readDirectory(join(tree.base, below))
    if (typeof entries === 'string') {
      unread.push(below)
      problems.push({ on: join(tree.base, below), reason: entries })
      return
    }
    for (const entry of entries) {
      const path = `${below}/${process.platform === 'darwin' ? entry.name.normalize('NFC') : entry.name}` // HFS+ lists names decomposed.
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory() && depth < MAX_DEPTH) visit(track, path, depth + 1)
      else if (entry.isFile() && isMemoryFileName(entry.name)) files.push({ path, track })
      else if (!entry.isDirectory() && !isMemoryFileName(entry.name)) strays.push(path)
      else problems.push({ on: join(tree.base, path), reason: unusable(entry) })
    }
  }
  for (const track of MIRRORED_TRACKS) visit(track, track, 0)
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), problems, unread, strays }
}

/** Whether something lies there; also where nobody may look: then nothing says that it is gone. */
export function isThere(tree: Layout, path: string): boolean {
  try {
    fs.lstatSync(join(tree.base, path))
    return true
  } catch (error) {
    return systemCode(error) !== 'ENOENT'
  }
}

/** An emptied file. It is no memory, and no word that one be forgotten: for that the file is deleted. */
export function saysNothing({ content, description }: MemoryText): boolean {
  return content === '' && !description
}

export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string }

/** The text of a mirror file; never throws. A file that is no text, or too large for a memory, is left to its writer. */
export function readMirrorFile(tree: Layout, path: string): ReadFile | undefined {
  if (!isMirrorPath(path)) return { ok: false, reason: 'it is no place for a memory file' }
  const full = join(tree.base, path)
  try {
    const link = linkedFolder(tree, path)
    if (link !== undefined) return { ok: false, reason: `its folder ${link} is a link` }
    const stat = fs.lstatSync(full)
    if (!stat.isFile()) return { ok: false, reason: 'it is not a regular file' }
    if (stat.size > MAX_BYTES) return { ok: false, reason: `it is larger than ${MAX_BYTES} bytes` }
    const bytes = fs.readFileSync(full)
    if (bytes.includes(0)) return { ok: false, reason: 'it is not text (it holds NUL bytes)' }
    return { ok: true, bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    return { ok: false, reason: error instanceof TypeError ? 'it is not valid UTF-8' : (error as Error).message }
  }
}

/** The first folder between the tree and the file that is a link: what lies behind it is not ours. */
function linkedFolder(tree: Layout, path: string): string | undefined {
  const folders = path.split('/').slice(0, -1)
  return folders
    .map((_, at) => folders.slice(0, at + 1).join('/'))
    .find((folder) => fs.lstatSync(join(tree.base, folder), { throwIfNoEntry: false })?.isSymbolicLink())
}

/** The reason where it cannot be read. A folder that is not there has no entries. */
function readDirectory(path: string): fs.Dirent[] | string {
  try {
    return fs.readdirSync(path, { withFileTypes: true })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') return 'it is a file, and no folder of memory files'
    return (error as Error).message
  }
}

function unusable(entry: fs.Dirent): string {
  if (entry.isSymbolicLink()) return 'it is a link; memory files are regular files'
  return entry.isDirectory() ? `folders deeper than ${MAX_DEPTH} are not read` : 'it is not a regular file'
}
