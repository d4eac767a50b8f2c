/** What a run changed in the memory files, line by line, for people: the mirror before the executor and after the commit. */
import { nameFromFile } from '../markdown/file-names.ts'
import { parseMemoryText } from '../markdown/front-matter.ts'
import type { FileKey } from '../records.ts'
import type { Layout } from './layout.ts'
import { listMirror, readMirrorFile } from './mirror-files.ts'

export interface FileChange extends FileKey {
  readonly isNew: boolean
  /** What its front matter says that it is about; empty where it says nothing. */
  readonly description: string
  /** Lines of its content, in its order, without headings and blank ones. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

interface MemoryText extends FileKey {
  readonly description: string
  readonly lines: readonly string[]
}

/** By track and name. What cannot be read is left out: the commit reports it. */
export type MirrorTexts = ReadonlyMap<string, MemoryText>

export function mirrorTexts(tree: Layout): MirrorTexts {
  const texts = new Map<string, MemoryText>()
  for (const { path, track } of listMirror(tree).files) {
    const read = readMirrorFile(tree, path)
    const parsed = read?.ok ? parseMemoryText(read.text) : undefined
    if (parsed?.ok !== true) continue
    const { name = nameFromFile(path.slice(track.length + 1)), description = '', content } = parsed.file
    texts.set(key({ track, name }), { track, name, description, lines: linesOf(content) })
  }
  return texts
}

/** Of the files named, in their order, those whose text differs. */
export function mirrorChanges(before: MirrorTexts, after: MirrorTexts, files: readonly FileKey[]): FileChange[] {
  return files.flatMap(({ track, name }) => {
    const [old, now] = [before.get(key({ track, name })), after.get(key({ track, name }))]
    const added = missing(now?.lines ?? [], old?.lines ?? [])
    const removed = missing(old?.lines ?? [], now?.lines ?? [])
    if (added.length + removed.length === 0 && old?.description === now?.description) return []
    return [{ track, name, isNew: old === undefined, description: now?.description ?? old?.description ?? '', added, removed }]
  })
}

function missing(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}

function linesOf(content: string): string[] {
  return content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function key({ track, name }: FileKey): string {
  return `${track}/${name}`
}
