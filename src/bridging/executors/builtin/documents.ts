/** The documents that a session's agent wrote, and one line about each: the rules' part of the skill job and the resource job. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { basename, extname, isAbsolute, join } from 'node:path'
import { KEY_FILES, KEY_FOLDERS } from '../../../hosts/key-places.ts'
import { readTextIfExists, writeFileAtomic } from '../../../util/fs.ts'
import type { Layout } from '../../layout.ts'
import { requirePlainFile } from '../plain-file.ts'
import type { Slice } from '../slice-reader.ts'
import { projectName } from './remember.ts'
import { mayHoldSecret } from './secrets.ts'

/** Kinds of files that people look for again, and what they are called. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '.md': 'document',
  '.txt': 'text',
  '.csv': 'table',
  '.tsv': 'table',
  '.html': 'page',
  '.pdf': 'PDF',
  '.docx': 'document',
  '.xlsx': 'spreadsheet',
  '.pptx': 'slides',
  '.svg': 'drawing',
  '.ipynb': 'notebook',
}
/** Files that every repository has, and places that hold no documents. */
const ORDINARY =
  /^(?:readme|changelog|license|contributing|agents|claude|gemini|security|notice|code_of_conduct|index|robots|requirements)\b/i
const NO_PLACE =
  /(?:^|[\\/])(?:node_modules|dist|build|target|vendor|coverage|__pycache__|site-packages|\.[^\\/]+)[\\/]|^\/(?:tmp|var\/tmp|private\/tmp)\//
const WRITING_TOOL = /write|create|patch|notebook/i
/** Below any home, not only this one's: segments of a path. */
const KEY_PLACES = new Set([...KEY_FOLDERS, ...KEY_FILES].map((place) => place.slice('~/'.length)))
const HEAD_BYTES = 8_192
const CAPTION_LENGTH = 200

/** Absolute paths, in the order of writing, each once. */
export async function writtenDocuments(slice: Slice, ownTree: string): Promise<string[]> {
  const found = new Set<string>()
  for await (const line of slice.lines) {
    if (line.role !== 'tool' || line.part !== 'call') continue
    if (!WRITING_TOOL.test(line.tool ?? '') && !line.text.startsWith('*** Begin Patch')) continue
    for (const path of pathsIn(line.text)) {
      const absolute = isAbsolute(path) || slice.header.project === undefined ? path : join(slice.header.project, path)
      if (isDocument(absolute, slice.header.project) && !absolute.startsWith(ownTree)) found.add(absolute)
    }
  }
  return [...found]
}

function pathsIn(call: string): string[] {
  const added = [...call.matchAll(/^\*\*\* Add File: (.+)$/gm)].map((match) => match[1]!.trim())
  const field = /"(?:file_path|filePath|path)":("(?:[^"\\]|\\.)*")/.exec(call)?.[1]
  return field === undefined ? added : [...added, JSON.parse(field) as string]
}

/** Within its project a place counts from there: a project may itself lie in a hidden or temporary directory. */
function isDocument(path: string, project: string | undefined): boolean {
  const place = project !== undefined && path.startsWith(project) ? path.slice(project.length) : path
  return isAbsolute(path) && extname(path).toLowerCase() in DOCUMENTS && !ORDINARY.test(basename(path)) && !NO_PLACE.test(place)
}

/** Fills in the descriptions that are missing in `resources.md`, or given up as `null`; `null` where nothing can be said by rule either. Errors: `not_a_file`. */
export function describeResources(layout: Layout, projects: readonly string[]): void {
  requirePlainFile(layout.resources)
  const text = readTextIfExists(layout.resources) ?? ''
  const described = text.replace(
    /^path: (.+)\ndescription:[^\S\n]*(?:null|~)?[^\S\n]*$/gm,
    (_, path: string) => `path: ${path}\ndescription: ${caption(path, projects) ?? 'null'}`,
  )
  if (described !== text) writeFileAtomic(layout.resources, described)
}

/** "Capacity plan for checkout (document capacity.md, shop)". Undefined where the file says nothing that a rule can read. */
export function caption(path: string, projects: readonly string[] = []): string | undefined {
  const title = titleOf(path)
  if (title === undefined) return undefined
  const project = projectName(projects.find((directory) => path.startsWith(directory)))
  const kind = DOCUMENTS[extname(path).toLowerCase()] ?? 'file'
  return `${title.slice(0, CAPTION_LENGTH - 80)} (${kind} ${basename(path)}${project === undefined ? '' : `, ${project}`})`.slice(
    0,
    CAPTION_LENGTH,
  )
}

function titleOf(path: string): string | undefined {
  const extension = extname(path).toLowerCase()
  const head = readHead(path)
  if (head === undefined || head.includes('\0') || extension === '.pdf' || mayHoldSecret(head)) return undefined
  if (extension === '.csv' || extension === '.tsv') {
    const columns = head.split('\n', 1)[0]?.trim()
    return columns ? `Table with the columns ${columns.replaceAll(/[,\t;]/g, ', ').replace(/\s+/g, ' ')}` : undefined
  }
  if (extension === '.html' || extension === '.svg') return oneLine(/<title>([^<]+)<\/title>/i.exec(head)?.[1])
  if (extension === '.ipynb') return oneLine(/"#+ ([^"\\]+)/.exec(head)?.[1])
  const lines = head.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n')
  const heading = lines.find((line) => /^#{1,3} \S/.test(line))?.replace(/^#+ /, '')
  return oneLine(heading ?? lines.find((line) => /\p{L}{3,}/u.test(line)))
}

function oneLine(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, ' ').trim()
  return line === '' ? undefined : line
}

/**
 * Whether a rule may look into a file that `resources.md` names: an agent wrote that, and what is read here is stored and shown to models.
 * Nor is a path with two slashes in front looked at: on Windows that logs in to the server that it names.
 */
function mayRead(path: string): boolean {
  return (
    isAbsolute(path) &&
    !/^[\\/]{2}/.test(path) &&
    extname(path).toLowerCase() in DOCUMENTS &&
    !path.split(/[\\/]/).some((segment) => KEY_PLACES.has(segment.toLowerCase()))
  )
}

/** Of a regular file; what a link leads to must be a document as well. */
function readHead(path: string): string | undefined {
  let fd: number | undefined
  try {
    if (!mayRead(path)) return undefined
    const real = realpathSync(path)
    if (!mayRead(real)) return undefined
    // Windows has neither flag, and no pipes in the file system.
    fd = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
    if (!fstatSync(fd).isFile()) return undefined
    const buffer = Buffer.alloc(HEAD_BYTES)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, HEAD_BYTES, 0)).replaceAll('\r\n', '\n')
  } catch {
    return undefined // Gone or not readable: the resource gets `null` and is not committed.
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
