/** The mirror as it is on disk: finding its files, reading one safely. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { isMemoryFileName } from '../markdown/file-names.ts'
import { systemCode } from '../util/errors.ts'
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

/** Every markdown file of the mirror, in order of path. Links are reported and not followed; hidden files are nobody's. */
export function listMirror(tree: Layout, problems: Problem[]): MirrorFile[] {
  const files: MirrorFile[] = []
  const visit = (track: MirroredTrack, below: string, depth: number): void => {
    for (const entry of readDirectory(join(tree.base, below))) {
      const path = `${below}/${process.platform === 'darwin' ? entry.name.normalize('NFC') : entry.name}` // HFS+ lists names decomposed.
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory() && depth < MAX_DEPTH) visit(track, path, depth + 1)
      else if (entry.isFile() && isMemoryFileName(entry.name)) files.push({ path, track })
      else problems.push({ on: join(tree.base, path), reason: unusable(entry) })
    }
  }
  for (const track of MIRRORED_TRACKS) visit(track, track, 0)
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string }

/** The text of a mirror file; never throws. A file that is no text, or too large for a memory, is left to its writer. */
export function readMirrorFile(tree: Layout, path: string): ReadFile | undefined {
  const full = join(tree.base, path)
  try {
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

function readDirectory(path: string): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function unusable(entry: fs.Dirent): string {
  if (entry.isSymbolicLink()) return 'it is a link; memory files are regular files'
  if (entry.isDirectory()) return `folders deeper than ${MAX_DEPTH} are not read`
  return 'it is not a markdown file (.md)'
}
