/** Three-way merge of whole memory files: lines of the content, the description as one value. */
import { formatMemoryText, type MemoryText, parseMemoryText } from '../markdown/front-matter.ts'
import { type LineConflict, mergeText } from './merge.ts'

export interface MemoryDocument {
  readonly name: string
  readonly description: string
  readonly content: string
}

/** The store's text of a file: what a mirror file without changes says. */
export function storeText(file: MemoryDocument): string {
  return formatMemoryText(file)
}

/** Reads back a text that `storeText` made; undefined where it was not (a damaged snapshot). */
export function documentOf(text: string | undefined): MemoryDocument | undefined {
  if (text === undefined) return undefined
  const parsed = parseMemoryText(text)
  if (!parsed.ok || parsed.file.name === undefined) return undefined
  return { name: parsed.file.name, description: parsed.file.description ?? '', content: parsed.file.content }
}

export interface MergedDocument {
  readonly document: MemoryDocument
  /** Lines are counted in the content. */
  readonly conflicts: readonly LineConflict[]
}

/** `base` is undefined where no common ancestor is known: then nothing counts as removed, and both sides stay. */
export function mergeDocuments(base: MemoryDocument | undefined, mine: MemoryDocument, theirs: MemoryDocument): MergedDocument {
  const { text: content, conflicts } = mergeText(base?.content ?? '', mine.content, theirs.content)
  const description = mergeDescription(base?.description ?? '', mine.description, theirs.description)
  return { document: { name: mine.name, description, content }, conflicts }
}

/** Says to a person where two versions of a line stand. `path` and `text` are those of the memory file that now holds both. */
export function conflictNotices(path: string, text: string, { document, conflicts }: MergedDocument): string[] {
  const head = text.split('\n').length - 1 - document.content.split('\n').length
  return conflicts.map(
    ({ line, mine, theirs }) =>
      `${path}, line ${head + line}: this line was changed here and elsewhere, so both stand. Keep one: ${quoted(theirs)} or ${quoted(mine)}.`,
  )
}

/** Enough to recognise them by. Characters. */
const QUOTED = 100

function quoted(lines: readonly string[]): string {
  const text = lines.join(' / ')
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text)
}

export function sameDocument(a: MemoryDocument, b: MemoryDocument): boolean {
  return a.name === b.name && a.description === b.description && a.content === b.content
}

export function toDocument(file: MemoryText, name: string, description = ''): MemoryDocument {
  return { name, description: file.description ?? description, content: file.content }
}

function mergeDescription(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base || theirs === '') return mine
  if (mine === base || mine === '') return theirs
  if (mine.includes(theirs)) return mine
  return theirs.includes(mine) ? theirs : `${theirs}; ${mine}`
}
