/**
 * What mirror and store agreed on last: `.memory_manifest.json`, one entry a mirror file, and below `.snapshot/` the store's text
 * of each, by hash. What differs from it on disk is the agent's change; what differs from it in the store is somebody else's.
 */
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import type { FileKey } from '../records.ts'
import { systemCode } from '../util/errors.ts'
import { discardFile, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'
import { isMirrorPath } from './mirror-files.ts'
import { keepAside, refuseNewer } from './session-manifest.ts'

export interface SnapshotEntry extends FileKey {
  /** SHA-256 of the file's bytes on disk when it last agreed with the store. */
  readonly disk: string
  /** SHA-256 of the store's text then; the text itself is kept under this name. */
  readonly base: string
}

/** By path below the tree with forward slashes: `memory/build-commands.md`. */
export type Snapshot = ReadonlyMap<string, SnapshotEntry>

const VERSION = 1

export interface LoadedSnapshot {
  readonly entries: Snapshot
  /** The id of the store that it agreed with; absent where that store told none. */
  readonly store?: string
  /** Set where the file could not be used and was put aside: a sentence for the report. */
  readonly notice?: string
}

/**
 * The snapshot of the last completed mirror or commit. A damaged one, or the Python memU's (hashes without texts), gives an
 * empty one and a notice: then every file counts as changed and is merged with the store without a base, which keeps both.
 * Errors: `manifest_newer` (exit 2).
 */
export function loadSnapshot(tree: Layout): LoadedSnapshot {
  const text = readTextIfExists(tree.memoryManifest)
  if (text === undefined) return { entries: new Map() }
  const parsed = parse(tree.memoryManifest, text)
  if (parsed !== undefined) return parsed
  const aside = keepAside(tree.memoryManifest)
  return { entries: new Map(), notice: `${tree.memoryManifest} is not a manifest of this version; it was kept as ${basename(aside)}.` }
}

/** Writes the manifest, and then removes the texts that it no longer names. */
export function saveSnapshot(tree: Layout, entries: Snapshot, store: string | undefined): void {
  const files = Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileAtomic(tree.memoryManifest, `${JSON.stringify({ version: VERSION, store, files })}\n`)
  const used = new Set([...entries.values()].map((entry) => entry.base))
  for (const name of listIfExists(tree.snapshot)) if (!used.has(name)) discardFile(join(tree.snapshot, name))
}

/** Keeps a text of the store and gives its hash. */
export function keepBase(tree: Layout, text: string): string {
  const hash = sha256(text)
  const path = join(tree.snapshot, hash)
  if (!fs.existsSync(path)) writeFileAtomic(path, text, { durable: false })
  return hash
}

/** The text that was kept, or undefined where it is gone or damaged: then a merge has no base and keeps both sides. */
export function baseText(tree: Layout, entry: SnapshotEntry | undefined): string | undefined {
  if (entry === undefined) return undefined
  const text = readTextIfExists(join(tree.snapshot, entry.base))
  return text !== undefined && sha256(text) === entry.base ? text : undefined
}

export function sha256(data: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto') // Loaded when there is something to compare: it takes 2 ms.
  return createHash('sha256').update(data).digest('hex')
}

/** One string for a recall file's identity, for maps. */
export function keyOf(file: FileKey): string {
  return `${file.track}\0${file.name}`
}

function parse(path: string, text: string): LoadedSnapshot | undefined {
  let value: { version?: unknown; store?: unknown; files?: Record<string, SnapshotEntry> } | null
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  refuseNewer(path, value?.version, VERSION)
  if (value?.version !== VERSION || typeof value.files !== 'object' || value.files === null) return undefined
  const entries = Object.entries(value.files)
  if (!entries.every(([below, entry]) => isEntry(entry) && isMirrorPath(below))) return undefined
  return { entries: new Map(entries), ...(typeof value.store === 'string' ? { store: value.store } : {}) }
}

function isEntry(entry: Partial<SnapshotEntry> | null): boolean {
  return (
    [entry?.track, entry?.name, entry?.disk, entry?.base].every((field) => typeof field === 'string') &&
    /^[0-9a-f]{64}$/.test(entry?.base ?? '')
  )
}

function listIfExists(directory: string): string[] {
  try {
    return fs.readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
