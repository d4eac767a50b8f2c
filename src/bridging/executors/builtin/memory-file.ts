/** The mirror files that the built-in rules write: one a theme, one a project and kind. Read, changed in memory, written when changed. */
import { fileNameFor } from '../../../markdown/file-names.ts'
import { formatMemoryText, type MemoryText, parseMemoryText } from '../../../markdown/front-matter.ts'
import { MemuError } from '../../../util/errors.ts'
import type { Layout } from '../../layout.ts'
import { mirrorPath } from '../../mirror-files.ts'
import { type MirrorChange, mirrorText, writeMirror } from '../mirror-text.ts'
import { type NotedLine, notedLines, withNotedLines } from './noted-lines.ts'
import type { Kind } from './statement.ts'

export interface MemoryFile {
  /** The file's name without directory and extension, as asked for. */
  readonly name: string
  readonly noted: NotedLine[]
  /** Lines that others wrote, for telling what is known already. */
  readonly others: readonly string[]
}

/** Opens files of the memory track and keeps them for the length of a job. */
export interface MemoryFiles {
  /** Error `unreadable_memory` where commit would refuse the file, or its front matter is broken: it is left as it is. */
  open(name: string, description: string): MemoryFile
  /** Writes what changed. Errors: `unreadable_memory`; then nothing was written. */
  save(): void
}

export function memoryFiles(tree: Layout): MemoryFiles {
  const opened = new Map<
    string,
    { readonly path: string; readonly text: MemoryText; readonly file: MemoryFile; readonly description: string }
  >()
  return {
    open(name, description) {
      const known = opened.get(name)
      if (known !== undefined) return known.file
      const path = `memory/${fileNameFor(name)}`
      const text = readMemory(tree, path)
      const noted = notedLines(text.content)
      const others = withNotedLines(text.content, []).split('\n')
      const file = { name, noted, others }
      opened.set(name, { path, text, file, description })
      return file
    },
    save() {
      const changes: MirrorChange[] = []
      for (const { path, text, file, description } of opened.values()) {
        const content = withNotedLines(text.content, file.noted)
        if (content === text.content || (content.trim() === '' && text.content === '')) continue
        // Every line was taken back: a file that is gone is forgotten, and one that is empty would be kept.
        if (content.trim() === '' && text.extra.length === 0) {
          changes.push({ path })
          continue
        }
        const head = { name: text.name ?? file.name, description: text.description ?? description }
        changes.push({ path, text: formatMemoryText({ ...text, ...head, content }) })
      }
      writeMirror(tree, changes)
    },
  }
}

function readMemory(tree: Layout, path: string): MemoryText {
  const parsed = parseMemoryText(mirrorText(tree, path) ?? '')
  if (parsed.ok) return parsed.file
  throw new MemuError('unreadable_memory', `cannot add to ${mirrorPath(tree, path)}: ${parsed.reason}`, {
    hint: 'Repair its front matter.',
  })
}

/** Where a kind of statement is kept, and what the file says about itself. */
export function fileFor(kind: Kind, project: string | undefined): { readonly name: string; readonly description: string } {
  const of = project === undefined ? '' : ` of ${project}`
  const prefix = project === undefined ? '' : `${slug(project)}-`
  switch (kind) {
    case 'preference':
      return { name: 'preferences', description: 'How the user wants agents to work: tools, style, answers, what to avoid' }
    case 'person':
      return { name: 'about-the-user', description: 'Who the user is: name, role, place, equipment' }
    case 'decision':
      return { name: `${prefix}decisions`, description: `Decisions${of}, with dates` }
    case 'fact':
      return { name: `${prefix}facts`, description: `Facts${of}: environment, addresses, limits, owners, schedules` }
  }
}

/** Letters and digits of any script, lower case, joined by hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}
