/** Checks what a model wants written. Its answer is text from outside: no path, name or size in it is taken on trust. */
import { join } from 'node:path'
import { fileNameFor, isMemoryFileName, nameFromFile } from '../../../markdown/file-names.ts'
import { parseMemoryText } from '../../../markdown/front-matter.ts'
import { reason } from '../../../util/errors.ts'
import { isPlainFile } from '../plain-file.ts'

/** Path of a mirror file → its new text. */
export type Writes = ReadonlyMap<string, string>

export type Checked = { readonly ok: true; readonly writes: Writes } | { readonly ok: false; readonly problem: string }

const MAX_FILES = 20
/** A memory file of this size would be hundreds of lines. Bytes. */
const MAX_FILE_BYTES = 256 * 1024

/**
 * Reads `{"files":[{"path":"memory/x.md","content":"…"}]}`. `track` is the directory's name in the paths, `directory` its place.
 * `hidden` are paths of files that the model was not shown: it would replace what it does not know.
 * The problem is worded for the model, which gets one chance to repair its answer.
 */
export function checkAnswer(text: string, track: 'memory' | 'skill', directory: string, hidden: ReadonlySet<string> = new Set()): Checked {
  const files = readFiles(text)
  if (typeof files === 'string') return { ok: false, problem: files }
  if (files.length > MAX_FILES) return { ok: false, problem: `it holds ${files.length} files, more than ${MAX_FILES}` }
  const writes = new Map<string, string>()
  for (const [index, file] of files.entries()) {
    const problem = checkFile(file, track, directory, hidden, writes)
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

function checkFile(
  file: unknown,
  track: string,
  directory: string,
  hidden: ReadonlySet<string>,
  writes: Map<string, string>,
): string | undefined {
  const { path, content } = (typeof file === 'object' && file !== null ? file : {}) as { path?: unknown; content?: unknown }
  if (typeof path !== 'string' || typeof content !== 'string') return '"path" and "content" must be strings'
  const name = path.startsWith(`${track}/`) ? path.slice(track.length + 1) : ''
  // The name must be one that we would give it ourselves: no directories, no dots that lead anywhere, no devices.
  if (!isMemoryFileName(name) || fileNameFor(nameFromFile(name)) !== name) {
    return `"path" must be ${track}/<name>.md with lower-case letters, digits and hyphens, not ${JSON.stringify(path.slice(0, 100))}`
  }
  if (hidden.has(path)) return `${path} exists and was not shown to you; use another name`
  if (Buffer.byteLength(content) > MAX_FILE_BYTES) return `${path} is larger than ${MAX_FILE_BYTES / 1024} KiB`
  if (content.includes('\0')) return `${path} holds a NUL character`
  const parsed = parseMemoryText(content)
  if (!parsed.ok) return `${path}: ${parsed.reason}`
  if (parsed.file.name === undefined || !parsed.file.description)
    return `${path} must begin with front matter that has "name" and "description"`
  if (parsed.file.content === '') return `${path} has no content below its front matter; leave a file out to keep it as it is`
  const target = join(directory, name)
  // A link in the mirror would carry the text to wherever it points.
  if (!isPlainFile(target)) return `${path} is not a regular file here and cannot be written`
  writes.set(target, content.endsWith('\n') ? content : `${content}\n`)
  return undefined
}
