/** Checks what a model wants written. Its answer is text from outside: no path, name or size in it is taken on trust. */
import { fileNameFor, isMemoryFileName, nameFromFile } from '../../../markdown/file-names.ts'
import { parseMemoryText } from '../../../markdown/front-matter.ts'
import { reason } from '../../../util/errors.ts'
import type { Layout } from '../../layout.ts'
import { type MirroredTrack, readMirrorFile } from '../../mirror-files.ts'

/** Path of a mirror file below the tree (`memory/shop-facts.md`) → its new text. */
export type Writes = ReadonlyMap<string, string>

export type Checked = { readonly ok: true; readonly writes: Writes } | { readonly ok: false; readonly problem: string }

const MAX_FILES = 20
/** A memory file of this size would be hundreds of lines. Bytes. */
const MAX_FILE_BYTES = 256 * 1024

/** What an answer is held against. */
export interface Asked {
  readonly tree: Layout
  readonly track: MirroredTrack
  /** Paths of the files that the model was shown. Any other that exists it would replace without knowing it. */
  readonly shown: ReadonlySet<string>
  /** What earlier answers for the same job want written. */
  readonly written: Writes
}

/**
 * Reads `{"files":[{"path":"memory/x.md","content":"…"}]}`. The problem is worded for the model, which gets one chance to repair its
 * answer. Minutes may pass before the files are written: `writeMirror` looks at the tree again.
 */
export function checkAnswer(text: string, asked: Asked): Checked {
  const files = readFiles(text)
  if (typeof files === 'string') return { ok: false, problem: files }
  if (files.length > MAX_FILES) return { ok: false, problem: `it holds ${files.length} files, more than ${MAX_FILES}` }
  const writes = new Map<string, string>()
  for (const [index, file] of files.entries()) {
    const problem = checkFile(file, asked, writes)
    if (problem !== undefined) return { ok: false, problem: `file ${index + 1}: ${problem}` }
  }
  return { ok: true, writes }
}

function readFiles(text: string): readonly unknown[] | string {
  const json = text
    .trim()
    .replace(/^```(?:json)?\s*\n([\s\S]*)\n```$/, '$1')
    .trim()
  if (json === '') return 'it is empty'
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return `it is not JSON (${reason(error)})`
  }
  const files = (value as { files?: unknown } | null)?.files
  return Array.isArray(files) ? files : 'it is not an object with an array "files"'
}

function checkFile(file: unknown, asked: Asked, writes: Map<string, string>): string | undefined {
  const { path, content } = (typeof file === 'object' && file !== null ? file : {}) as { path?: unknown; content?: unknown }
  if (typeof path !== 'string' || typeof content !== 'string') return '"path" and "content" must be strings'
  const problem = checkPath(path, asked) ?? checkContent(path, content)
  if (problem === undefined) writes.set(path, content.endsWith('\n') ? content : `${content}\n`)
  return problem
}

function checkPath(path: string, { tree, track, shown, written }: Asked): string | undefined {
  if (shown.has(path)) return undefined
  const name = path.startsWith(`${track}/`) ? path.slice(track.length + 1) : ''
  // The name must be one that we would give it ourselves: no directories, no dots that lead anywhere, no devices.
  if (!isMemoryFileName(name) || fileNameFor(nameFromFile(name)) !== name) {
    return `"path" must be ${track}/<name>.md with lower-case letters, digits and hyphens, not ${JSON.stringify(path.slice(0, 100))}`
  }
  const there = readMirrorFile(tree, path)
  if (there?.ok === false) return `${path} cannot be written here: ${there.reason}; use another name`
  if (there !== undefined || written.has(path)) return `${path} exists and was not shown to you; use another name`
  return undefined
}

function checkContent(path: string, content: string): string | undefined {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES) return `${path} is larger than ${MAX_FILE_BYTES / 1024} KiB`
  if (content.includes('\0')) return `${path} holds a NUL character`
  const parsed = parseMemoryText(content)
  if (!parsed.ok) return `${path}: ${parsed.reason}`
  if (parsed.file.name === undefined || !parsed.file.description)
    return `${path} must begin with front matter that has "name" and "description"`
  if (parsed.file.content === '') return `${path} has no content below its front matter; leave a file out to keep it as it is`
  return undefined
}
