/** Three-way merge of whole memory files: lines of the content, the description as one value. */
import { formatMemoryText, type MemoryText, parseMemoryText } from '../markdown/front-matter.ts'
import { mergeText } from './merge.ts'

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

/** `base` is undefined where no common ancestor is known: then nothing counts as removed, and both sides stay. */
export function mergeDocuments(base: MemoryDocument | undefined, mine: MemoryDocument, theirs: MemoryDocument): MemoryDocument {
  return {
    name: mine.name,
    description: mergeDescription(base?.description ?? '', mine.description, theirs.description),
    content: mergeText(base?.content ?? '', mine.content, theirs.content),
  }
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
