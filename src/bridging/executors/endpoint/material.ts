/** What one job shows a model: the session in parts that fit, and the mirror files that matter for it. */
import { readdirSync } from 'node:fs'
import { isMemoryFileName } from '../../../markdown/file-names.ts'
import { parseMemoryText } from '../../../markdown/front-matter.ts'
import { stem } from '../../../text/stem.ts'
import { isStopWord } from '../../../text/stop-words.ts'
import { systemCode } from '../../../util/errors.ts'
import type { Layout } from '../../layout.ts'
import { type MirroredTrack, readMirrorFile } from '../../mirror-files.ts'
import { refuseLinks } from '../../own-tree.ts'
import { openSlice } from '../slice-reader.ts'

export interface KnownFile {
  /** As the model sees and returns it: `memory/shop-facts.md`. */
  readonly path: string
  /** Undefined where the model cannot be shown it: it is no text, or its front matter is broken. */
  readonly text?: string
  /** `path: description`, for the list of all files. */
  readonly title: string
}

export type ReadableFile = KnownFile & { readonly text: string }

/** The slice as text in parts of at most `budget` characters, cut between records; a longer record is cut itself. */
export async function* sliceParts(path: string, budget: number): AsyncGenerator<string> {
  const { header, lines } = await openSlice(path)
  const head = `${JSON.stringify(header)}\n`
  let part = ''
  for await (const line of lines) {
    for (const text of cut(JSON.stringify(line), budget - head.length - 1)) {
      if (part !== '' && head.length + part.length + text.length + 1 > budget) {
        yield head + part
        part = ''
      }
      part += `${text}\n`
    }
  }
  if (part !== '') yield head + part
}

function cut(text: string, size: number): string[] {
  if (text.length <= size) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

/** All files of a track, those in `written` (path → text) as they will be. Errors: `link_in_tree`. */
export function knownFiles(tree: Layout, track: MirroredTrack, written: ReadonlyMap<string, string>): KnownFile[] {
  refuseLinks(tree) // The names behind one are not ours to show.
  const paths = new Set([...names(tree.tracks[track]).map((name) => `${track}/${name}`), ...written.keys()])
  return [...paths].sort().map((path) => knownFile(path, written.get(path) ?? readText(tree, path)))
}

/** Of whatever kind: what is no regular file is in the way of one all the same. */
function names(directory: string): string[] {
  try {
    return readdirSync(directory).filter(isMemoryFileName)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [] // Nothing was mirrored yet.
    throw error
  }
}

function readText(tree: Layout, path: string): string | undefined {
  const read = readMirrorFile(tree, path)
  return read?.ok ? read.text : undefined // Commit says what is wrong with it.
}

function knownFile(path: string, text: string | undefined): KnownFile {
  const parsed = text === undefined ? undefined : parseMemoryText(text)
  if (text === undefined || !parsed?.ok) return { path, title: path }
  return { path, text, title: `${path}: ${parsed.file.description ?? ''}` }
}

/** The readable files that share most words with the session, within `budget` characters, in their own order. */
export function relevantFiles(files: readonly KnownFile[], session: string, budget: number): ReadableFile[] {
  const words = wordsOf(session)
  const readable = files.filter((file): file is ReadableFile => file.text !== undefined)
  const ranked = readable
    .map((file) => ({ file, shared: [...wordsOf(file.text)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared)
  const chosen = new Set<ReadableFile>()
  let left = budget
  for (const { file, shared } of ranked) {
    if (shared === 0 || file.text.length > left) continue
    chosen.add(file)
    left -= file.text.length
  }
  return readable.filter((file) => chosen.has(file))
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_-]{3,40}/gu) ?? []
  return new Set(words.filter((word) => !isStopWord(word)).map(stem))
}
