/**
 * Files that a session's agent left behind. Skill jobs append paths to `.resource.tmp`; `verify-resources` turns what exists into
 * records in `resources.md`; the resource job describes them; the commit sends those that it could describe.
 */
import * as fs from 'node:fs'
import { isAbsolute } from 'node:path'
import type { ResourceInput } from '../records.ts'
import { discardFile, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'
import { refuseLinks } from './own-tree.ts'

/** A run that wrote more files than this wrote output, not documents. */
const MAX_RESOURCES = 50

export interface VerifiedResources {
  readonly paths: readonly string[]
  /** Lines that name no absolute path of an existing file, and paths over the limit. */
  readonly left: number
}

/** `<binary> verify-resources`: first seen first, each once. Descriptions that stand in `resources.md` already are kept. */
export function verifyResources(tree: Layout): VerifiedResources {
  refuseLinks(tree)
  const lines = (readTextIfExists(tree.resourceLog) ?? '')
    .split(/\r?\n/)
    .map(cleanLine)
    .filter((line) => line !== '')
  const existing = [...new Set(lines)].filter(isFile)
  const paths = existing.slice(0, MAX_RESOURCES)
  const known = new Map(readRecords(tree).map((record) => [record.path, record.description]))
  const records = paths.map((path) => `path: ${path}\ndescription: ${known.get(path) ?? ''}`.trimEnd())
  writeFileAtomic(tree.resources, records.length === 0 ? '' : `---\n${records.join('\n---\n')}\n---\n`)
  return { paths, left: new Set(lines).size - paths.length }
}

/** The described resources of `resources.md`; `null` and blank descriptions are left out, and so are paths that are not absolute. */
export function describedResources(tree: Layout): ResourceInput[] {
  return readRecords(tree)
    .filter(({ path, description }) => isAbsolute(path) && !NETWORK.test(path) && description !== '' && !/^(?:null|~)$/i.test(description))
    .slice(0, MAX_RESOURCES)
    .map(({ path, description }) => ({ url: path, caption: description }))
}

export function clearResources(tree: Layout): void {
  for (const path of [tree.resourceLog, tree.resources]) discardFile(path)
}

interface ResourceRecord {
  readonly path: string
  readonly description: string
}

function readRecords(tree: Layout): ResourceRecord[] {
  const text = (readTextIfExists(tree.resources) ?? '').replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return text.split(/^---[^\S\n]*$/m).flatMap((record) => {
    const path = /^path:[^\S\n]*(.+)$/m.exec(record)?.[1]?.trim()
    const description = /^description:([\s\S]*)/m.exec(record)?.[1] ?? ''
    return path ? [{ path, description: unquote(description.replace(/\s+/g, ' ').trim()) }] : []
  })
}

function unquote(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}

/** What agents put around a path: list marks and quotes. */
function cleanLine(line: string): string {
  return line
    .trim()
    .replace(/^[-*] /, '')
    .replace(/^(["'`])(.*)\1$/, '$2')
}

/** A path such as `\\\\server\\share`: merely looking at it makes Windows log in to that server, with the user's name and password hash. */
const NETWORK = /^[\\/]{2}/

function isFile(path: string): boolean {
  try {
    return !NETWORK.test(path) && isAbsolute(path) && fs.statSync(path).isFile()
  } catch {
    return false // Gone, or not ours to see: then it is nothing to describe.
  }
}
